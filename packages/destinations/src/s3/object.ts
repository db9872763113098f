import type { PutObjectCommandInput } from '@aws-sdk/client-s3';
import { ended } from '../aws/failed.ts';
import type { Published } from '../aws/open-aws.ts';
import type { S3Settings } from './describe.ts';

type Given = {
  settings: S3Settings;
  key: string;
  body: Buffer;
  contentType: string | undefined;
  attributes: Readonly<Record<string, string>>;
  deliveryId: string;
  manualRetries: number;
  /**
   * The ETag of the object to replace. Without it and without `overwrite`, the object is written only if no object has
   * the key.
   */
  replaces?: string;
};

/** The user metadata that names the object's delivery, and the number of the requested retry. */
const DELIVERY = 'delivery-id';
const RETRY = 'delivery-retry';

/** The object that an attempt writes. */
export function objectOf({ settings, key, body, contentType, ...given }: Given): PutObjectCommandInput {
  const { attributes, deliveryId, manualRetries, replaces } = given;
  const { bucket, storageClass, overwrite } = settings;
  const condition = replaces === undefined ? { IfNoneMatch: '*' } : { IfMatch: replaces };
  return {
    Bucket: bucket,
    Key: key,
    Body: body,
    ...(overwrite ? {} : condition),
    Metadata: {
      ...attributes,
      [DELIVERY]: deliveryId,
      ...(manualRetries === 0 ? {} : { [RETRY]: `${manualRetries}` }),
    },
    ...(contentType === undefined ? {} : { ContentType: contentType }),
    ...(storageClass === undefined ? {} : { StorageClass: storageClass }),
  };
}

type Found = { etag: string | undefined; metadata: Readonly<Record<string, string>> | undefined };

/**
 * Judges the object that already has the key: it is this attempt's own, one of the same delivery to replace, or
 * something else.
 */
export function judgeExisting(
  { etag, metadata }: Found,
  { deliveryId, manualRetries }: Pick<Given, 'deliveryId' | 'manualRetries'>,
): Published | { kind: 'replaceable'; etag: string } {
  if (metadata?.[DELIVERY] === deliveryId && etag !== undefined) {
    // Somebody asked for another send, perhaps because the object is wrong.
    if (Number(metadata[RETRY] ?? 0) < manualRetries) return { kind: 'replaceable', etag };
    return { kind: 'acknowledged', acknowledgement: { etag, duplicate: true } };
  }
  return ended(
    'target_exists',
    'The bucket has another object with this key. Put {{eventId}} into config.destination.key',
  );
}
