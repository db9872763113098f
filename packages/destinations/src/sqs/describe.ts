import { z } from 'zod';
import { parseQueueUrl } from '../aws/arn.ts';
import { awsCredentials, endpoint, region } from '../aws/fields.ts';
import { access, policy } from '../aws/setup.ts';
import type { Description } from '../kind.ts';

const settings = z
  .strictObject({
    queueUrl: z
      .string()
      .max(2_048)
      .refine((text) => parseQueueUrl(text) !== undefined, 'must be the URL of a queue')
      .meta({
        title: 'Queue URL',
        description: 'The URL of the queue, as shown in the SQS console.',
        examples: ['https://sqs.eu-central-1.amazonaws.com/123456789012/events'],
      }),
    region: region.optional().meta({
      title: 'Region',
      description: 'The region. Required only if the URL of the queue does not contain it.',
      examples: ['eu-central-1'],
    }),
    endpoint: endpoint.optional(),
  })
  .refine(({ queueUrl, region }) => region !== undefined || parseQueueUrl(queueUrl)?.region !== undefined, {
    path: ['region'],
    message: 'is required, because queueUrl does not name it',
  });
export type SqsSettings = z.output<typeof settings>;

/** If the URL has no region, the schema requires one. */
export function regionOf({ queueUrl, region }: SqsSettings): string {
  return region ?? parseQueueUrl(queueUrl)?.region ?? '';
}

/** The server for the requests: the host of the queue's URL, as Amazon recommends. */
export function serverOf({ queueUrl, endpoint }: SqsSettings): string {
  return endpoint ?? new URL(queueUrl).origin;
}

/** The settings of an endpoint, already checked. */
function of(settings: unknown): SqsSettings {
  return settings as SqsSettings;
}

const serversOf = (settings: unknown) => {
  const field = of(settings).endpoint === undefined ? 'queueUrl' : 'endpoint';
  return [{ url: serverOf(of(settings)), field }];
};
const placeOf = (settings: unknown) => `${serverOf(of(settings))} ${regionOf(of(settings))} ${of(settings).queueUrl}`;

export const sqs = {
  type: 'sqs',
  label: 'Amazon SQS',
  description: 'Puts each event into a queue of Amazon SQS, standard or FIFO.',
  setup: [
    '1. Create a queue, and copy its URL into `queueUrl`.',
    '2. Allow sending to this queue, and nothing else, with this policy. If the queue is encrypted with a key of your own, also allow `kms:GenerateDataKey` and `kms:Decrypt` on the key.',
    '',
    policy(['sqs:SendMessage', 'sqs:GetQueueAttributes'], 'ARN of your queue'),
    '',
    access,
    '',
    'A message is the payload as text. Where the attribute `encoding` is `base64`, decode it first. Verify the attribute `webhook-signature` over the payload, as for a webhook.',
  ].join('\n'),
  delivered: 'SQS has stored the message, and answered with the MD5 of its body and attributes.',
  ordering:
    'None in a standard queue. In a FIFO queue, events with the same ordering key are in one message group, and an event without a key is in a group of its own. Set `config.ordering: "fifo"` as well, so that they are also sent one after another.',
  deduplication:
    'The attribute `webhook-id` is the same in every attempt of an event. A FIFO queue drops a repeated attempt within five minutes, but no manual retry.',
  maxBytes: 1_048_576,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  credentials: awsCredentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['target', 'publish'],
  payloadFormat: null,
  servers: serversOf,
  placeOf,
  target: ({ settings }) => `SQS queue ${of(settings).queueUrl}`,
} as const satisfies Description;
