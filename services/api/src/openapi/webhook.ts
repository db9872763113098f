import { FAILURE_REASONS } from '@posthorn/contract/deliveries';
import { EXAMPLE_IDS } from './examples.ts';
import type { JsonObject } from './json.ts';

/** The request to an endpoint (docs/interface.md, Delivery request), for the document's `webhooks`. */
export function describeDelivery(): JsonObject {
  return {
    operationId: 'receiveDelivery',
    tags: ['Webhooks'],
    summary: 'A delivery',
    description: DESCRIPTION,
    security: [],
    parameters: Object.values(describeHeaders()),
    requestBody: {
      description: 'The bytes as they were ingested, with the ingested content type.',
      content: {
        'application/json': {
          schema: { description: 'Any JSON value.' },
          example: { orderId: 'A-1', total: 4200 },
        },
        'application/octet-stream': {
          schema: { type: 'string', format: 'binary', description: 'Any bytes, under any other content type.' },
        },
      },
    },
    responses: ANSWERS,
  };
}

/** The headers of a delivery as parameters, by name. */
export function describeHeaders(): Record<string, JsonObject> {
  return Object.fromEntries(
    HEADERS.map(({ name, description, example, optional = false }) => [
      name,
      { name, in: 'header', required: !optional, description, schema: { type: 'string' }, example },
    ]),
  );
}

/** What an endpoint may answer. */
export const ANSWERS: JsonObject = {
  '2XX': { description: 'Received. Up to 16 KiB of the answer are stored.' },
  '410': { description: 'Gone: the endpoint is deactivated and this delivery is `failed`.' },
  '429': { description: '`Retry-After` is respected, as it is on 503.' },
  default: { description: 'Any other answer, redirects included, is a failure and is retried by the schedule.' },
};

const DESCRIPTION = `Signed as Standard Webhooks defines it: its libraries verify every request.

Answer with a 2xx within the timeout (15 s unless configured). The answer header \`webhook-delivery: disable\` deactivates
the endpoint, \`webhook-delivery: abort-message\` ends this delivery. A delivery that ends without success has a reason:
${FAILURE_REASONS.map((reason) => `\`${reason}\``).join(', ')}.`;

type HeaderRow = { name: string; description: string; example: string; optional?: true };

const HEADERS: HeaderRow[] = [
  {
    name: 'webhook-id',
    description: 'The event’s id, the same for every attempt and endpoint.',
    example: EXAMPLE_IDS.event,
  },
  { name: 'webhook-timestamp', description: 'The time of this attempt, in unix seconds.', example: '1731000000' },
  {
    name: 'webhook-signature',
    description:
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; one for each live secret, separated by spaces.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  {
    name: 'webhook-event-type',
    description: 'Absent for an event that was sent directly to this endpoint.',
    example: 'order.created',
    optional: true,
  },
  { name: 'webhook-delivery-id', description: 'The delivery.', example: EXAMPLE_IDS.delivery },
  { name: 'webhook-attempt', description: 'The number of this attempt, from 1.', example: '1' },
  { name: 'idempotency-key', description: "The producer's key, else the event's id.", example: EXAMPLE_IDS.event },
  { name: 'user-agent', description: '`Posthorn/` and the version.', example: 'Posthorn/0.3.0' },
  {
    name: 'authorization',
    description: 'HTTP Basic, when the endpoint has credentials.',
    example: 'Basic YWNtZTpzZWNyZXQ=',
    optional: true,
  },
];
