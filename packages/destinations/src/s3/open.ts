import {
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { describeAwsError } from '../aws/describe-aws-error.ts';
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
  createClient: (config) => new S3Client({ ...config, ...(config.endpoint === undefined ? {} : COMPATIBLE) }),
  async publish(client, settings, request, options) {
    const { body, headers } = request;
    const key = fillTemplate(settings.key, templateValues(request));
    const fault = faultOfKey(key);
    if (fault !== undefined) return ended('invalid_target', `The key ${fault}`);
    const attributes = messageAttributes(request);
    const { deliveryId } = publicIds(request);
    const { manualRetries = 0, isTest = false } = request.message;
    const toSend = { settings, key, body, contentType: headers['content-type'], attributes, deliveryId, manualRetries };
    const isDoubtful = settings.endpoint !== undefined && !settings.overwrite;
    try {
      const sent = objectOf(toSend);
      const written = await put(client, sent, options);
      if (written.ETag !== TAKEN) {
        // Only a repeated write shows whether a store ignores conditions.
        const isIgnored = isDoubtful && isTest && (await put(client, sent, options)).ETag !== TAKEN;
        return isIgnored ? failed('broker_error', IGNORES_CONDITIONS) : stored(written.ETag);
      }
      const found = judgeExisting(await head(client, sent, options), toSend);
      if (found.kind !== 'replaceable') return found;
      const { ETag } = await client.send(new PutObjectCommand(objectOf({ ...toSend, replaces: found.etag })), options);
      return stored(ETag);
    } catch (error) {
      const { errorCode, message } = describeAwsError(error, options.secrets());
      if (!isDoubtful || errorCode !== 'broker_error' || !REFUSALS.includes(statusOf(error))) throw error;
      return failed(errorCode, `${message}. ${TAKES_NO_CONDITIONS}`);
    }
  },
  async inspect(client, { bucket, region }, options) {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), options);
    return `The bucket ${bucket} exists in ${region}`;
  },
};

type Options = { abortSignal: AbortSignal };

/**
 * Options for stores other than AWS: they rarely have a host name for each bucket, and many do not know the newer
 * checksums.
 */
const COMPATIBLE = {
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;

/** The statuses with which stores refuse a condition that they do not know. */
const REFUSALS: readonly unknown[] = [400, 501];
const TAKES_NO_CONDITIONS =
  'If the store has no conditional writes (If-None-Match), set config.destination.overwrite to true: it then replaces an object that has the key';
const IGNORES_CONDITIONS =
  'The store ignores If-None-Match, so it would replace an object that has the key. Set config.destination.overwrite to true to allow this';

function statusOf(error: unknown): unknown {
  return (error as { $metadata?: { httpStatusCode?: unknown } }).$metadata?.httpStatusCode;
}

/** Means that an object already has the key. No ETag is a symbol. */
const TAKEN = Symbol('taken');

async function put(client: S3Client, sent: PutObjectCommandInput, options: Options) {
  try {
    return await client.send(new PutObjectCommand(sent), options);
  } catch (error) {
    if (statusOf(error) === 412) return { ETag: TAKEN } as const;
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
