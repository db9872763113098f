import {
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { ended, failed } from '../aws/failed.ts';
import { type AwsKind, openAws, type Published } from '../aws/open-aws.ts';
import type { OpenDestination } from '../kind.ts';
import { messageAttributes, publicIds, templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import type { S3Settings } from './describe.ts';
import { faultOfKey } from './key.ts';
import { judgeExisting, objectOf } from './object.ts';

const s3: AwsKind<S3Client, S3Settings> = {
  where: ({ region, endpoint }) => ({ region, endpoint }),
  // Compatible stores rarely have a name for each bucket.
  createClient: (config) => new S3Client({ ...config, forcePathStyle: config.endpoint !== undefined }),
  async publish(client, settings, request, options) {
    const { body, headers } = request;
    const key = fillTemplate(settings.key, templateValues(request));
    const fault = faultOfKey(key);
    if (fault !== undefined) return ended('invalid_target', `The key ${fault}`);
    const attributes = messageAttributes(request);
    const { deliveryId } = publicIds(request);
    const sent = objectOf({ settings, key, body, contentType: headers['content-type'], attributes, deliveryId });
    const { ETag: etag } = await put(client, sent, options);
    if (etag === TAKEN) return judgeTaken(client, sent, deliveryId, options);
    return etag === undefined
      ? failed('protocol_error', 'The answer has no ETag')
      : { kind: 'acknowledged', acknowledgement: { etag } };
  },
  async inspect(client, { bucket, region }, options) {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), options);
    return `The bucket ${bucket} exists in ${region}`;
  },
};

type Options = { abortSignal: AbortSignal };

/** No ETag looks like this. */
const TAKEN = Symbol('taken');

async function put(client: S3Client, sent: PutObjectCommandInput, options: Options) {
  try {
    return await client.send(new PutObjectCommand(sent), options);
  } catch (error) {
    if (error instanceof Error && error.name === 'PreconditionFailed') return { ETag: TAKEN } as const;
    throw error;
  }
}

async function judgeTaken(
  client: S3Client,
  { Bucket, Key }: PutObjectCommandInput,
  deliveryId: string,
  options: Options,
): Promise<Published> {
  const { ETag: etag, Metadata: metadata } = await client.send(new HeadObjectCommand({ Bucket, Key }), options);
  return judgeExisting({ etag, metadata }, deliveryId);
}

export const open: OpenDestination = (tools) => openAws(tools, s3);
