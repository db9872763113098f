import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { ca, line, parseServer, secret, servers, serverUrl, tls } from '../broker/fields.ts';
import type { Description } from '../kind.ts';
import { isTooLong, privateKeyIn, TOO_LONG } from '../private-key.ts';
import { template } from '../template.ts';

const DEFAULT_PORT = 9_092;

/** The name of a topic. */
export const topic = z
  .string()
  .regex(/^[\w.-]{1,249}$/, 'must have 1 to 249 letters, digits, dots, underscores and hyphens')
  .refine((name) => name !== '.' && name !== '..', 'must not be . or ..');

/** The brokers and the sign-in, for endpoints and for sources. */
export const clusterFields = {
  brokers: servers(DEFAULT_PORT, { title: 'Brokers', example: 'kafka.example.com:9093' }),
  tls,
  saslMechanism: z
    .enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512'], 'must be none, plain, scram-sha-256 or scram-sha-512')
    .default('none')
    .meta({
      title: 'SASL mechanism',
      description: 'The SASL mechanism for signing in with the user and password.',
      examples: ['scram-sha-512'],
    }),
  ca: ca.optional(),
};
export type ClusterSettings = z.output<z.ZodObject<typeof clusterFields>>;

const { brokers, ca: authority, ...signIn } = clusterFields;
const settings = z.strictObject({
  brokers,
  topic: topic.meta({
    title: 'Topic',
    description: 'The name of an existing topic. No topic is created.',
    examples: ['events'],
  }),
  ...signIn,
  key: template.optional().meta({
    title: 'Key',
    description:
      'The key of the message, as a text with values of the event. Defaults to the ordering key of the event, or its id.',
    examples: ['{{data.customer.id}}'],
  }),
  ca: authority,
});
export type KafkaSettings = z.output<typeof settings>;

/** @public */
export const credentials = z
  .strictObject({
    username: line('User', { description: 'The SASL user.', example: 'posthorn' }, 256).optional(),
    password: line('Password', {
      description: 'The password of the user.',
      example: 'the password of the user',
    }).optional(),
    clientCertificate: secret('Client certificate', 16_384, {
      description: 'The client certificate in PEM, followed by its chain. Required if the brokers ask for one.',
      example: '-----BEGIN CERTIFICATE-----…',
    }).optional(),
    clientKey: secret('Client key', 16_384, {
      description: 'The private key of the client certificate, in PEM.',
      example: '-----BEGIN PRIVATE KEY-----…',
    }).optional(),
  })
  .refine(({ username, password }) => (username === undefined) === (password === undefined), {
    message: 'must have username and password together',
  })
  .refine(({ clientCertificate, clientKey }) => (clientCertificate === undefined) === (clientKey === undefined), {
    message: 'must have clientCertificate and clientKey together',
  });

/** Adds the defaults, which a stored endpoint may lack. */
function of(given: unknown): KafkaSettings {
  return settings.parse(given);
}

export function brokersOf({ brokers }: ClusterSettings) {
  return brokers.flatMap((text) => parseServer(text, DEFAULT_PORT) ?? []);
}

/** The client's certificate and key, if the endpoint has them. */
export function certificateOf({ clientCertificate: cert, clientKey: key }: Readonly<Record<string, string>>) {
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

/** The brokers, in the form that the egress rules check. */
export function brokerUrls(settings: ClusterSettings): string[] {
  return brokersOf(settings).map((broker) => serverUrl({ ...broker, tls: settings.tls }));
}

const urlsOf = (given: unknown) => brokerUrls(of(given));

/** Why the credentials do not match the settings; undefined if they do. */
export function credentialsFault(
  { saslMechanism, tls }: ClusterSettings,
  { username, clientCertificate: cert, clientKey: key }: Readonly<Record<string, string>>,
) {
  if (saslMechanism !== 'none' && username === undefined) {
    return { field: 'credentials.username', message: `is required, because saslMechanism is ${saslMechanism}` };
  }
  if (saslMechanism === 'none' && username !== undefined) {
    return { field: 'credentials.username', message: 'is not used, because saslMechanism is none' };
  }
  if (!tls && cert !== undefined) {
    return { field: 'credentials.clientCertificate', message: 'is not used, because tls is false' };
  }
  const read = key === undefined ? undefined : privateKeyIn(key);
  if (read !== undefined && isTooLong(read)) return { field: 'credentials.clientKey', message: TOO_LONG };
  try {
    if (cert !== undefined && key !== undefined) createSecureContext({ cert, key });
    return undefined;
  } catch {
    return {
      field: 'credentials.clientCertificate',
      message: 'must be a certificate in PEM that belongs to clientKey',
    };
  }
}

export const kafka = {
  type: 'kafka',
  label: 'Apache Kafka',
  description: 'Produces each event to a topic of Kafka, and waits until all replicas in sync have it.',
  setup: [
    '1. Create a topic. With `min.insync.replicas=2` and a replication factor of 3, no single broker can lose a message.',
    '2. Create a user who may write to this topic and describe it, and do nothing else:',
    '',
    '```sh',
    'kafka-acls --bootstrap-server kafka.example.com:9093 --add --allow-principal User:events --operation Write --operation Describe --topic events',
    '```',
    '',
    '3. Give the brokers, the topic, how the user signs in (`saslMechanism`), and the `username` and `password`. For client certificates, give `clientCertificate` and `clientKey` in PEM.',
    '',
    'All brokers of the cluster must announce addresses that can be reached from outside (`advertised.listeners`).',
    '',
    'The value of a message is the payload. Its headers `webhook-id`, `webhook-timestamp` and `webhook-signature` let a consumer verify it as a webhook.',
  ].join('\n'),
  delivered: 'All replicas in sync have the message (`acks=all`), and the leader has answered with its offset.',
  ordering:
    'The ordering key is the key of the message, so events with the same one are in one partition. Set `config.ordering: "fifo"` as well, so that they are also sent one after another. An event without an ordering key has its id as the key, unless `key` names another.',
  deduplication:
    'The header `webhook-id` is the same in every attempt of an event. A repeated attempt is another message.',
  maxBytes: null,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  credentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['dns', 'tcp', 'tls', 'certificate', 'target', 'publish'],
  payloadFormat: null,
  servers: (given) => urlsOf(given).map((url, index) => ({ url, field: `brokers[${index}]` })),
  carried: ['key'],
  checkCredentials: ({ destination }, credentials) => credentialsFault(of(destination), credentials),
  placeOf: (settings) => `${urlsOf(settings).toSorted().join(' ')} ${of(settings).topic}`,
  target: ({ settings }) => `Kafka ${of(settings).brokers.join(', ')}, topic ${of(settings).topic}`,
} as const satisfies Description;
