import type { Description } from '../kind.ts';

export const pull = {
  type: 'pull',
  label: 'Pull',
  description: 'Keeps each event until your program fetches it over HTTPS. Your network needs no public address.',
  setup: [
    'Your program fetches messages with the pull key of the endpoint, which is shown once, when it is created.',
    '',
    '1. Send `POST /api/pull/<endpoint id>/lease` with `Authorization: Bearer <pull key>`. With `waitSeconds`, the answer comes as soon as there is a message.',
    '2. Decode `body` from base64. Verify the header `webhook-signature` over these bytes, as for a webhook.',
    '3. Do the work, then send `…/ack` with the `deliveryId` and the `leaseToken`. After a failure, send `…/nack`.',
    '4. Work that takes longer than the lease sends `…/extend` in time. Otherwise the message goes to another consumer.',
  ].join('\n'),
  delivered: 'Your program acknowledged the message.',
  ordering:
    'The message that has been due for longest comes first. With `config.ordering: "fifo"`, events with the same ordering key are leased one after another.',
  deduplication: 'The header `webhook-id` is the same in every attempt of an event.',
  maxBytes: null,
  hasUrl: false,
  section: null,
  credentials: null,
  mostInEnvironment: null,
  whyNotExamined: 'A pull endpoint cannot be examined: it has no server',
  keepsRequestBody: false,
  payloadFormat: null,
  target: () => 'fetched by consumers',
} as const satisfies Description;
