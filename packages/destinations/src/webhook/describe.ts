import { z } from 'zod';
import type { Description } from '../kind.ts';
import { checkCredentials } from './check-credentials.ts';

export const webhook = {
  type: 'webhook',
  label: 'Webhook',
  description: 'Sends each event as a signed HTTPS POST to your server.',
  setup: [
    'Give the https URL of a server that answers POST requests.',
    '',
    '1. Verify the header `webhook-signature` over the raw bytes of the body with the secret of the endpoint. The libraries of [Standard Webhooks](https://www.standardwebhooks.com) do this.',
    '2. Store the event, then answer with a status from 200 to 299. Do the work afterwards.',
    '3. Drop a `webhook-id` that you have processed before: an event can arrive more than once.',
  ].join('\n'),
  delivered: 'Your server answered the request with a status from 200 to 299.',
  ordering:
    'None by default. With `config.ordering: "fifo"`, events with the same ordering key arrive one after another.',
  deduplication: 'The header `webhook-id` is the same in every attempt of an event.',
  maxBytes: null,
  hasUrl: true,
  section: null,
  credentials: z.object({
    oauth2ClientSecret: z
      .string()
      .meta({
        title: 'Client secret',
        description: 'The client secret for `config.oauth2` with `basic` or `post`.',
        examples: ['the secret of the client'],
        writeOnly: true,
      })
      .optional(),
    oauth2PrivateKey: z
      .string()
      .meta({
        title: 'Private key',
        description: 'The private key for `config.oauth2` with `private_key_jwt`, in PEM.',
        examples: ['-----BEGIN PRIVATE KEY-----…'],
        writeOnly: true,
      })
      .optional(),
    tlsClientKey: z
      .string()
      .meta({
        title: 'Client key',
        description: 'The private key of `config.tls.clientCertificate`, in PEM.',
        examples: ['-----BEGIN PRIVATE KEY-----…'],
        writeOnly: true,
      })
      .optional(),
  }),
  mostInEnvironment: null,
  whyNotExamined: null,
  keepsRequestBody: false,
  checkCredentials,
  payloadFormat: null,
  target: ({ url }) => url,
} as const satisfies Description;
