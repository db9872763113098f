import { z } from 'zod';
import { awsCredentials, endpoint, namedServer, region } from '../aws/fields.ts';
import { access, policy } from '../aws/setup.ts';
import type { Description } from '../kind.ts';
import { template, withLetters } from '../template.ts';

const settings = z.strictObject({
  eventBusName: z
    .string()
    .max(1_600)
    .regex(/^[\w/.:-]+$/, 'must be the name or the ARN of an event bus')
    .meta({ title: 'Event bus', description: 'The name or ARN of the event bus.', examples: ['acme-events'] }),
  region,
  endpoint: endpoint.optional(),
  source: z
    .string()
    .min(1, 'must not be empty')
    .max(256, 'must have at most 256 characters')
    .refine((text) => !text.startsWith('aws.'), 'must not begin with aws.')
    .default('posthorn')
    .meta({
      title: 'Source',
      description: 'The source of the events, which rules of the event bus can match.',
      examples: ['com.acme.orders'],
    }),
  detailType: template.default('{{eventType}}').meta({
    title: 'Detail type',
    description: 'The detail type of the events, as a template. Rules of the event bus can match it.',
    examples: ['{{eventType}}'],
  }),
});
export type EventBridgeSettings = z.output<typeof settings>;

/** The settings of an endpoint, already checked. */
function of(settings: unknown): EventBridgeSettings {
  return settings as EventBridgeSettings;
}

/** The limit of EventBridge for a detail type. */
export const MOST_CHARACTERS = 128;

function faultOf(settings: unknown) {
  if (withLetters(of(settings).detailType).length <= MOST_CHARACTERS) return undefined;
  return { field: 'detailType', message: `has more than ${MOST_CHARACTERS} characters` };
}

const serversOf = (settings: unknown) => namedServer(of(settings));
const placeOf = (settings: unknown) =>
  `${of(settings).endpoint ?? ''} ${of(settings).region} ${of(settings).eventBusName}`;

export const eventbridge = {
  type: 'eventbridge',
  label: 'Amazon EventBridge',
  description: 'Puts each event on an event bus of Amazon EventBridge. Rules then route it by its type and content.',
  setup: [
    '1. Create an event bus, and give its name and region.',
    '2. Allow putting events on this bus, and nothing else, with this policy.',
    '',
    policy(['events:PutEvents', 'events:DescribeEventBus'], 'ARN of your event bus'),
    '',
    access,
    '',
    'The `detail` of an event is the payload, which must be a JSON object. `config.payloadFormat` cannot be set.',
  ].join('\n'),
  delivered: 'EventBridge has accepted the event, and answered with its id.',
  ordering: 'None: EventBridge keeps no order.',
  deduplication: 'EventBridge has no field for it: put an id into the payload.',
  maxBytes: 262_144,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  faultOf,
  credentials: awsCredentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['target', 'publish'],
  payloadFormat: 'raw',
  servers: serversOf,
  placeOf,
  carried: ['source', 'detailType'],
  target: ({ settings }) => {
    const { eventBusName, region } = of(settings);
    return `EventBridge bus ${eventBusName} in ${region}`;
  },
} as const satisfies Description;
