import { z } from 'zod';
import { awsCredentials, endpoint, namedServer, region } from '../aws/fields.ts';
import { access, policy } from '../aws/setup.ts';
import type { Description } from '../kind.ts';
import { template, withLetters } from '../template.ts';
import { faultOfKey } from './key.ts';

const settings = z.strictObject({
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .meta({ title: 'Bucket', description: 'The name of an existing bucket.', examples: ['acme-events'] }),
  region,
  endpoint: endpoint.optional(),
  key: template.default('{{date}}/{{eventType}}/{{eventId}}').meta({
    title: 'Key',
    description: 'The key of each object, as a template.',
    examples: ['{{date}}/{{eventType}}/{{eventId}}'],
  }),
  storageClass: z
    .enum(
      ['STANDARD', 'STANDARD_IA', 'ONEZONE_IA', 'INTELLIGENT_TIERING', 'GLACIER_IR', 'GLACIER', 'DEEP_ARCHIVE'],
      'must be a storage class of S3',
    )
    .optional()
    .meta({
      title: 'Storage class',
      description: 'The storage class. Defaults to that of the bucket.',
      examples: ['STANDARD_IA'],
    }),
  overwrite: z
    .boolean()
    .default(false)
    .meta({
      title: 'Overwrite',
      description:
        'Whether to replace an object with the same key. For stores without conditional writes (If-None-Match).',
      examples: [true],
    }),
});
export type S3Settings = z.output<typeof settings>;

/** The settings of an endpoint, already checked. */
function of(settings: unknown): S3Settings {
  return settings as S3Settings;
}

function faultOf(settings: unknown) {
  const fault = faultOfKey(withLetters(of(settings).key));
  return fault === undefined ? undefined : { field: 'key', message: fault };
}

const serversOf = (settings: unknown) => namedServer(of(settings));
const placeOf = (settings: unknown) => `${of(settings).endpoint ?? ''} ${of(settings).region} ${of(settings).bucket}`;

export const s3 = {
  type: 's3',
  label: 'Amazon S3',
  description: 'Stores each event as an object in a bucket of Amazon S3, or of a store that is compatible with it.',
  setup: [
    '1. Create a bucket, and give its name and region.',
    '2. Allow writing objects to this bucket with this policy. `s3:GetObject` is needed to recognise an object of an earlier attempt, whose answer was lost. `s3:ListBucket` is for the examination.',
    '',
    policy(['s3:PutObject', 's3:GetObject'], 'ARN of your bucket, then /*'),
    '',
    access,
    '',
    'An object is the payload. Its user metadata has `webhook-id`, `webhook-timestamp` and `webhook-signature`: verify the signature over the object, as for a webhook.',
  ].join('\n'),
  delivered: 'S3 has stored the object. Without `overwrite`, an object that was there before is never replaced.',
  ordering: 'None. The key of an object has the date and the id of the event by default.',
  deduplication:
    'By the key: an event is stored once, as long as its key has `{{eventId}}`. A manual retry replaces the object.',
  maxBytes: null,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  faultOf,
  credentials: awsCredentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['target', 'publish'],
  payloadFormat: null,
  servers: serversOf,
  placeOf,
  carried: ['key', 'storageClass', 'overwrite'],
  target: ({ settings }) => {
    const { bucket, region } = of(settings);
    return `S3 bucket ${bucket} in ${region}`;
  },
} as const satisfies Description;
