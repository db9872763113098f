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
    const { manualRetries = 0 } = request.message;
    const toSend = { settings, key, body, contentType: headers['content-type'], attributes, deliveryId, manualRetries };
    const sent = objectOf(toSend);
    const written = await put(client, sent, options);
    if (written.ETag !== TAKEN) return stored(written.ETag);
    const found = judgeExisting(await head(client, sent, options), toSend);
    if (found.kind !== 'replaceable') return found;
    const { ETag } = await client.send(new PutObjectCommand(objectOf({ ...toSend, replaces: found.etag })), options);
    return stored(ETag);
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

function stored(etag: string | undefined): Published {
  return etag === undefined
    ? failed('protocol_error', 'The answer has no ETag')
    : { kind: 'acknowledged', acknowledgement: { etag } };
}

async function head(client: S3Client, { Bucket, Key }: PutObjectCommandInput, options: Options) {
  const { ETag: etag, Metadata: metadata } = await client.send(new HeadObjectCommand({ Bucket, Key }), options);
  return { etag, metadata };
}

export const open: OpenDestination = (tools) => openAws(tools, s3);
