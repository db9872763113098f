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
