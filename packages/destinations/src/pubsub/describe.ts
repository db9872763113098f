import { z } from 'zod';
import { ca, parseServer, type Server, serverUrl, tls } from '../broker/fields.ts';
import type { Description } from '../kind.ts';
import { TOO_LONG } from '../private-key.ts';
import { hasTooLongKey, readAccount } from './account.ts';

/** Google's server, the same for every region. */
export const GOOGLE: Server = { host: 'pubsub.googleapis.com', port: 443 };

const settings = z
  .strictObject({
    projectId: z
      .string()
      // Older projects have a domain and a colon before the id.
      .regex(/^(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the id of a project, such as acme-prod')
      .meta({ title: 'Project', description: 'The id of the project, not its name.', examples: ['acme-prod'] }),
    topicId: z
      .string()
      .regex(/^[A-Za-z][\w.~+%-]{2,254}$/, 'must be the id of a topic: 3 to 255 letters, digits and -._~+%')
      .refine((id) => !id.startsWith('goog'), 'must be the id of a topic, which does not begin with goog')
      .meta({
        title: 'Topic',
        description: 'The id of the topic, without the path in front of it.',
        examples: ['events'],
      }),
    endpoint: z
      .string()
      .max(300, 'must have at most 300 characters')
      .refine((text) => parseServer(text, GOOGLE.port) !== undefined, 'must be host:port')
      .optional()
      .meta({
        title: 'Endpoint',
        description:
          'The address of a regional endpoint or a compatible server, as host:port. Defaults to the global endpoint of Google.',
        examples: ['europe-west3-pubsub.googleapis.com:443'],
      }),
    tls,
    ca: ca.optional(),
  })
  .refine(({ tls, endpoint }) => tls || endpoint !== undefined, {
    path: ['tls'],
    message: 'must be true without an endpoint',
  });
export type PubSubSettings = z.output<typeof settings>;

const credentials = z.strictObject({
  serviceAccountJson: z
    .string('must be the text of the key file')
    .max(16_384, 'must have at most 16 KiB')
    .refine(
      (text) => readAccount(text) !== undefined,
      'must be the JSON key of a service account, with client_email, private_key_id and private_key',
    )
    .refine((text) => !hasTooLongKey(text), TOO_LONG)
    .meta({
      title: 'Service account key',
      description: 'The contents of the JSON key file.',
      examples: ['{"type":"service_account",…}'],
      writeOnly: true,
    }),
});

/** Adds the defaults, which a stored endpoint may lack. */
function of(given: unknown): PubSubSettings {
  return settings.parse(given);
}

export function serverOf({ endpoint }: PubSubSettings): Server {
  return (endpoint === undefined ? undefined : parseServer(endpoint, GOOGLE.port)) ?? GOOGLE;
}

export function topicOf({ projectId, topicId }: PubSubSettings): string {
  return `projects/${projectId}/topics/${topicId}`;
}

function urlOf(given: unknown): string {
  const settings = of(given);
  return serverUrl({ ...serverOf(settings), tls: settings.tls });
}

export const pubsub = {
  type: 'pubsub',
  label: 'Google Cloud Pub/Sub',
  description: 'Publishes each event to a topic of Google Cloud Pub/Sub, and waits for the id of the message.',
  setup: [
    '1. Create a topic, and a service account that may publish to this topic and do nothing else:',
    '',
    '```sh',
    'gcloud pubsub topics create events --project acme-prod',
    'gcloud iam service-accounts create event-publisher --project acme-prod',
    'gcloud pubsub topics add-iam-policy-binding events --project acme-prod \\',
    '  --member serviceAccount:event-publisher@acme-prod.iam.gserviceaccount.com --role roles/pubsub.publisher',
    '```',
    '',
    '2. Create a key of this account, and give the text of the file as `serviceAccountJson`:',
    '',
    '```sh',
    'gcloud iam service-accounts keys create key.json --iam-account event-publisher@acme-prod.iam.gserviceaccount.com',
    '```',
    '',
    '3. Give the `projectId` and the `topicId`. For messages in order, also give the `endpoint` of one region, and let the subscription have message ordering.',
    '',
    'The data of a message is the payload. Its attributes `webhook-id`, `webhook-timestamp` and `webhook-signature` let a consumer verify it as a webhook.',
  ].join('\n'),
  delivered: 'Pub/Sub has stored the message, and answered with its id.',
  ordering:
    'The ordering key of the event is the ordering key of the message. Set `config.ordering: "fifo"` as well, so that events with the same one are also published one after another, and let the subscription have message ordering.',
  deduplication:
    'The attribute `webhook-id` is the same in every attempt of an event. A repeated attempt is another message.',
  maxBytes: 10_000_000,
  hasUrl: false,
  section: { key: 'destination', schema: settings },
  credentials,
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checks: ['dns', 'tcp', 'tls', 'certificate', 'target', 'publish'],
  payloadFormat: null,
  servers: (settings) => [{ url: urlOf(settings), field: 'endpoint' }],
  placeOf: (settings) => `${urlOf(settings)} ${topicOf(of(settings))}`,
  target: ({ settings }) => {
    const { endpoint } = of(settings);
    return `Pub/Sub ${topicOf(of(settings))}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
  },
} as const satisfies Description;
