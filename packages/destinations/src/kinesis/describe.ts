import { z } from 'zod';
import { awsCredentials, endpoint, namedServer, region } from '../aws/fields.ts';
import { access, policy } from '../aws/setup.ts';
import type { Description } from '../kind.ts';
import { template, withLetters } from '../template.ts';

const settings = z.strictObject({
  streamName: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be the name of a stream')
    .meta({ title: 'Stream', description: 'The name of the data stream.', examples: ['events'] }),
  region,
  endpoint: endpoint.optional(),
  partitionKey: template.default('{{orderingKey}}').meta({
    title: 'Partition key',
    description: 'The partition key, as a template. If the result is empty, the id of the event is used.',
    examples: ['{{data.customer.id}}'],
  }),
});
export type KinesisSettings = z.output<typeof settings>;

/** The settings of an endpoint, already checked. */
function of(settings: unknown): KinesisSettings {
  return settings as KinesisSettings;
}

/** The limit of Kinesis for a partition key. */
export const MOST_CHARACTERS = 256;

function faultOf(settings: unknown) {
  if (withLetters(of(settings).partitionKey).length <= MOST_CHARACTERS) return undefined;
  return { field: 'partitionKey', message: `has more than ${MOST_CHARACTERS} characters` };
}

const serversOf = (settings: unknown) => namedServer(of(settings));
const placeOf = (settings: unknown) =>
  `${of(settings).endpoint ?? ''} ${of(settings).region} ${of(settings).streamName}`;

export const kinesis = {
  type: 'kinesis',
  label: 'Amazon Kinesis',
  description: 'Puts each event into a data stream of Amazon Kinesis, as a CloudEvent.',
  setup: [
    '1. Create a data stream, and give its name and region.',
    '2. Allow writing to this stream, and nothing else, with this policy. If the stream is encrypted with a key of your own, also allow `kms:GenerateDataKey` on the key.',
    '',
    policy(['kinesis:PutRecord', 'kinesis:DescribeStreamSummary'], 'ARN of your stream'),
    '',
    access,
    '',
    'A record is a CloudEvent in JSON, because records have no headers: `id` is the id of the event, `type` its type, and `data` the payload. `config.payloadFormat` cannot be set.',
  ].join('\n'),
  delivered: 'Kinesis has stored the record, and answered with its sequence number.',
  ordering:
    'Records with the same partition key are in one shard. Set `config.ordering: "fifo"`, so that events with the same ordering key are also put one after another.',
  deduplication: "The CloudEvent's `id` is the same in every attempt of an event.",
  maxBytes: 1_048_576,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  faultOf,
  credentials: awsCredentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['target', 'publish'],
  payloadFormat: 'cloudevents',
  servers: serversOf,
  placeOf,
  carried: ['partitionKey'],
  target: ({ settings }) => {
    const { streamName, region } = of(settings);
    return `Kinesis stream ${streamName} in ${region}`;
  },
} as const satisfies Description;
