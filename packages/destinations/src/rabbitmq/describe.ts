import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { authorityOf, ca, line, serverUrl, tls } from '../broker/fields.ts';
import type { Description } from '../kind.ts';
import { template, withLetters } from '../template.ts';

const settings = z.strictObject({
  host: z
    .string()
    .max(253, 'must have at most 253 characters')
    .refine(isHost, 'must be a host name, or an address without brackets')
    .meta({
      title: 'Host',
      description: 'The host name or address of the broker, without a scheme.',
      examples: ['rabbitmq.example.com'],
    }),
  port: z
    .int('must be a whole number')
    .min(1, 'must be 1 to 65535')
    .max(65_535, 'must be 1 to 65535')
    .default(5_671)
    .meta({ title: 'Port', description: 'The port of the broker, usually 5671 with TLS.', examples: [5_671] }),
  tls,
  vhost: z
    .string()
    .min(1, 'must not be empty')
    .max(127, 'must have at most 127 characters')
    .default('/')
    .meta({ title: 'Virtual host', description: 'The virtual host of the exchange.', examples: ['/'] }),
  exchange: z
    .string()
    .max(127, 'must have at most 127 characters')
    .default('')
    .meta({
      title: 'Exchange',
      description: 'The exchange. The default exchange has an empty name; its routing key is the name of a queue.',
      examples: ['events'],
    }),
  routingKey: template.default('{{eventType}}').meta({
    title: 'Routing key',
    description: 'The routing key, as a text with values of the event, such as {{eventType}}.',
    examples: ['{{eventType}}'],
  }),
  ca: ca.optional(),
});

/** Whether a text is a host. An IPv6 zone is refused, because it is a name on one machine only. */
function isHost(text: string): boolean {
  return /^[\w.-]+$/.test(text) || (isIPv6(text) && !text.includes('%'));
}

export type RabbitMqSettings = z.output<typeof settings>;

const credentials = z.strictObject({
  username: line('User', { description: 'The user that may publish.', example: 'posthorn' }, 256),
  password: line('Password', { description: 'The password of the user.', example: 'the password of the user' }),
});

/** The settings of an endpoint, already checked, with the defaults. */
function complete(given: unknown): RabbitMqSettings {
  return settings.parse(given);
}

/** The limit of AMQP for a short string. */
export const MOST_BYTES = 255;

function faultOf(given: unknown) {
  const { vhost, exchange, routingKey } = complete(given);
  for (const [field, text] of Object.entries({ vhost, exchange, routingKey: withLetters(routingKey) })) {
    if (Buffer.byteLength(text) > MOST_BYTES) return { field, message: `has more than ${MOST_BYTES} bytes` };
  }
  return undefined;
}

export const rabbitmq = {
  type: 'rabbitmq',
  label: 'RabbitMQ',
  description: 'Publishes each event to an exchange of RabbitMQ, and waits until the broker has confirmed it.',
  setup: [
    '1. Create an exchange, and a durable queue that is bound to it. Use a quorum queue in a cluster. If no queue takes an event, the attempt fails with `unroutable`.',
    '2. Create a user who may publish to this exchange, and do nothing else:',
    '',
    '```sh',
    "rabbitmqctl add_user posthorn 'a long password'",
    `rabbitmqctl set_permissions -p / posthorn '^$' '^events$' '^$'`,
    '```',
    '',
    '   `/` is the virtual host and `events` the exchange. For the default exchange, write `amq.default`.',
    '',
    '3. Give the host, the port for TLS (5671), the exchange and the routing key, with the user and the password.',
    '',
    'The body of a message is the payload. `message_id` is the id of the event. Verify the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` over the body, as for a webhook.',
  ].join('\n'),
  delivered: 'RabbitMQ has routed the message to a queue, and has confirmed it.',
  ordering: 'Set `config.ordering: "fifo"`, so that events with the same ordering key are published one after another.',
  deduplication: '`message_id` and the header `webhook-id` are the same in every attempt of an event.',
  maxBytes: null,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  faultOf,
  credentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['dns', 'tcp', 'tls', 'certificate', 'target', 'publish'],
  payloadFormat: null,
  servers: (given) => [{ url: serverUrl(complete(given)), field: 'host' }],
  carried: ['routingKey'],
  placeOf: (given) => {
    const at = complete(given);
    return `${serverUrl(at)} ${at.vhost}`;
  },
  target: ({ settings: given }) => {
    const { vhost, exchange, ...server } = complete(given);
    const place = `RabbitMQ ${authorityOf(server)}${vhost.startsWith('/') ? '' : '/'}${vhost}`;
    return exchange === '' ? `${place}, default exchange` : `${place}, exchange ${exchange}`;
  },
} as const satisfies Description;
