import { z } from 'zod';
import { ca, line, parseServer, servers, serverUrl, tls } from '../broker/fields.ts';
import type { Description } from '../kind.ts';
import { template, withLetters } from '../template.ts';
import { faultOfSubject } from './subject.ts';

const DEFAULT_PORT = 4_222;

const settings = z.strictObject({
  servers: servers(DEFAULT_PORT, { title: 'Servers', example: 'nats.example.com:4222' }),
  subject: template.default('{{eventType}}').meta({
    title: 'Subject',
    description: 'The subject, as a template. A stream must capture it.',
    examples: ['events.{{eventType}}'],
  }),
  tls,
  ca: ca.optional(),
});
export type NatsSettings = z.output<typeof settings>;

const credentials = z
  .strictObject({
    user: line('User', { description: 'The user that may publish.', example: 'posthorn' }, 256).optional(),
    password: line('Password', {
      description: 'The password of the user.',
      example: 'the password of the user',
    }).optional(),
    token: line('Token', {
      description: 'The authentication token of the server.',
      example: 'the token of the server',
    }).optional(),
    nkeySeed: z
      .string()
      .regex(/^SU[A-Z2-7]{56}$/, 'must be the seed of a user, which begins with SU')
      .optional()
      .meta({ title: 'NKey seed', description: 'The seed of a user.', examples: ['SU…'], writeOnly: true }),
    creds: z
      .string()
      .max(8_192, 'must have at most 8,192 characters')
      .refine(isCredsFile, 'must be the text of a .creds file, with a JWT and a seed')
      .optional()
      .meta({
        title: 'Credentials file',
        description: 'The contents of a .creds file.',
        examples: ['-----BEGIN NATS USER JWT-----…'],
        writeOnly: true,
      }),
  })
  .refine(
    isOneWay,
    'must have one of: user and password; token; nkeySeed; creds. Or none, if the server asks for none',
  );

function isCredsFile(text: string): boolean {
  return ['-----BEGIN NATS USER JWT-----', '-----BEGIN USER NKEY SEED-----'].every((mark) => text.includes(mark));
}

type Given = Partial<Record<'user' | 'password' | 'token' | 'nkeySeed' | 'creds', unknown>>;

function isOneWay({ user, password, token, nkeySeed, creds }: Given): boolean {
  const isPair = (user === undefined) === (password === undefined);
  return isPair && [user, token, nkeySeed, creds].filter((one) => one !== undefined).length <= 1;
}

/** Adds the defaults, which a stored endpoint may lack. */
function of(given: unknown): NatsSettings {
  return settings.parse(given);
}

export function serversOf({ servers }: NatsSettings) {
  return servers.flatMap((text) => parseServer(text, DEFAULT_PORT) ?? []);
}

function faultOf(given: unknown) {
  const fault = faultOfSubject(withLetters(of(given).subject));
  return fault === undefined ? undefined : { field: 'subject', message: fault };
}

function urlsOf(given: unknown): string[] {
  const settings = of(given);
  return serversOf(settings).map((server) => serverUrl({ ...server, tls: settings.tls }));
}

export const nats = {
  type: 'nats',
  label: 'NATS JetStream',
  description: 'Publishes each event to a subject of NATS, and waits until a stream of JetStream has stored it.',
  setup: [
    '1. Create a stream that captures the subject, with a window in which repetitions are found:',
    '',
    '```sh',
    "nats stream add EVENTS --subjects 'events.>' --storage file --dupe-window 10m --defaults",
    '```',
    '',
    '2. Create a user who may publish to these subjects and receive the answers, and nothing else. `$JS.API.STREAM.NAMES` is only for the examination:',
    '',
    '```',
    'permissions: { publish: ["events.>", "$JS.API.STREAM.NAMES"], subscribe: ["_INBOX.>"] }',
    '```',
    '',
    '3. Give the servers, a subject such as `events.{{eventType}}`, and the credentials: `user` and `password`, `token`, `nkeySeed`, or `creds`.',
    '',
    'A message is the payload. Its headers `webhook-id`, `webhook-timestamp` and `webhook-signature` let a consumer verify it as a webhook.',
  ].join('\n'),
  delivered: 'A stream of JetStream has stored the message, and has acknowledged it with its sequence.',
  ordering:
    'A stream keeps messages as they come. Set `config.ordering: "fifo"`, so that events with the same ordering key are published one after another.',
  deduplication:
    '`Nats-Msg-Id` is the id of the delivery, so the stream drops a repeated attempt within its window, but no manual retry. `webhook-id` is the same in every attempt of an event.',
  maxBytes: null,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  faultOf,
  credentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['dns', 'tcp', 'target', 'publish'],
  payloadFormat: null,
  servers: (given) => urlsOf(given).map((url, index) => ({ url, field: `servers[${index}]` })),
  carried: ['subject'],
  placeOf: (settings) => urlsOf(settings).toSorted().join(' '),
  target: ({ settings }) => `NATS ${of(settings).servers.join(', ')}, subject ${of(settings).subject}`,
} as const satisfies Description;
