import { z } from 'zod';
import { parseArn, REGION } from '../aws/arn.ts';
import { awsCredentials, endpoint, namedServer } from '../aws/fields.ts';
import { access, policy } from '../aws/setup.ts';
import type { Description } from '../kind.ts';

const settings = z.strictObject({
  topicArn: z
    .string()
    .max(2_048)
    .refine(isTopic, 'must be the ARN of a topic, such as arn:aws:sns:eu-central-1:123456789012:events')
    .meta({
      title: 'Topic ARN',
      description: 'The ARN of the topic. It includes the region.',
      examples: ['arn:aws:sns:eu-central-1:123456789012:events'],
    }),
  endpoint: endpoint.optional(),
});
export type SnsSettings = z.output<typeof settings>;

function isTopic(text: string): boolean {
  const arn = parseArn(text);
  if (arn?.service !== 'sns' || !REGION.test(arn.region) || !/^\d{12}$/.test(arn.account)) return false;
  return /^[\w-]{1,256}(\.fifo)?$/.test(arn.resource);
}

export function regionOf({ topicArn }: SnsSettings): string {
  return parseArn(topicArn)?.region ?? '';
}

/** The settings of an endpoint, already checked. */
function of(settings: unknown): SnsSettings {
  return settings as SnsSettings;
}

const serversOf = (settings: unknown) => namedServer(of(settings));
const placeOf = (settings: unknown) => `${of(settings).endpoint ?? ''} ${of(settings).topicArn}`;

export const sns = {
  type: 'sns',
  label: 'Amazon SNS',
  description: 'Publishes each event to a topic of Amazon SNS, standard or FIFO.',
  setup: [
    '1. Create a topic, and copy its ARN into `topicArn`.',
    '2. Allow publishing to this topic, and nothing else, with this policy. If the topic is encrypted with a key of your own, also allow `kms:GenerateDataKey` and `kms:Decrypt` on the key.',
    '',
    policy(['sns:Publish', 'sns:GetTopicAttributes'], 'ARN of your topic'),
    '',
    access,
    '',
    'A message is the payload as text. Where the attribute `encoding` is `base64`, decode it first. Verify the attribute `webhook-signature` over the payload, as for a webhook.',
  ].join('\n'),
  delivered: 'SNS has accepted the message, and answered with its id.',
  ordering:
    'None in a standard topic. In a FIFO topic, events with the same ordering key are in one message group, and an event without a key is in a group of its own. Set `config.ordering: "fifo"` as well, so that they are also sent one after another.',
  deduplication:
    'The attribute `webhook-id` is the same in every attempt of an event. A FIFO topic drops a repeated attempt within five minutes, but no manual retry.',
  maxBytes: 262_144,
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
  target: ({ settings }) => `SNS topic ${of(settings).topicArn}`,
} as const satisfies Description;
