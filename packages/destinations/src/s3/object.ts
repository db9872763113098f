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
};

/** The name of the user metadata that tells whose object it is. */
const DELIVERY = 'delivery-id';

/** The object of an attempt. It is only written where no object has the key. */
export function objectOf({ settings, key, body, contentType, attributes, deliveryId }: Given): PutObjectCommandInput {
  const { bucket, storageClass } = settings;
  return {
    Bucket: bucket,
    Key: key,
    Body: body,
    IfNoneMatch: '*',
    Metadata: { ...attributes, [DELIVERY]: deliveryId },
    ...(contentType === undefined ? {} : { ContentType: contentType }),
    ...(storageClass === undefined ? {} : { StorageClass: storageClass }),
  };
}

/** Why an object cannot have the key; undefined when it can. S3 takes more, but its pages and many tools do not. */
export function faultOfKey(key: string): string | undefined {
  if (key === '') return 'The key is empty';
  if (Buffer.byteLength(key) > 1_024) return 'The key has more than 1,024 bytes';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are meant
  if (/[\u0000-\u001f\u007f]/.test(key)) return 'The key has a control character';
  if (key.split('/').some((part) => part === '.' || part === '..')) return 'The key has a part that is . or ..';
  return undefined;
}

type Found = { etag: string | undefined; metadata: Readonly<Record<string, string>> | undefined };

/** An object is there already. It is from an earlier attempt of this delivery, or from something else. */
export function judgeExisting({ etag, metadata }: Found, deliveryId: string): Published {
  if (metadata?.[DELIVERY] === deliveryId && etag !== undefined) {
    return { kind: 'acknowledged', acknowledgement: { etag } };
  }
  return ended(
    'target_exists',
    'The bucket has another object with this key. Put {{eventId}} into config.destination.key',
  );
}
