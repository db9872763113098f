import { FAILURE_REASONS } from '@posthorn/contract/deliveries';
import { EXAMPLE_IDS } from './examples.ts';
import type { JsonObject } from './json.ts';

/** The request to an endpoint (docs/interface.md, Delivery request), for the document's `webhooks`. */
export function describeDelivery(): JsonObject {
  return {
    operationId: 'receiveDelivery',
    tags: ['Webhooks'],
    summary: 'Receive a delivery',
    description: DESCRIPTION,
    security: [],
    parameters: Object.values(describeHeaders()),
    requestBody: {
      description: 'The payload, with the bytes and content type with which it was ingested.',
      content: {
        'application/json': {
          schema: { description: 'Any JSON value.' },
          example: { orderId: 'A-1', total: 4200 },
        },
        'application/octet-stream': {
          schema: { type: 'string', format: 'binary', description: 'Any bytes, with any other content type.' },
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

/** The answers that an endpoint may give. */
export const ANSWERS: JsonObject = {
  '2XX': { description: 'The delivery was received. Up to 16 KiB of the response are stored.' },
  '410': { description: 'The endpoint is gone: it is deactivated, and this delivery is `failed`.' },
  '429': { description: 'Too many requests. `Retry-After` is honoured, as for 503.' },
  default: {
    description: 'Any other response, including a redirect, is a failure and is retried by the retry schedule.',
  },
};

const DESCRIPTION = `The request is signed according to Standard Webhooks. The libraries of Standard Webhooks can verify it.

Respond with a 2xx status within the timeout (15 s unless configured). The response header \`webhook-delivery: disable\`
deactivates the endpoint, \`webhook-delivery: abort-message\` ends this delivery. A delivery that ends without success has a
failure reason: ${FAILURE_REASONS.map((reason) => `\`${reason}\``).join(', ')}.`;

type HeaderRow = { name: string; description: string; example: string; optional?: true };

const HEADERS: HeaderRow[] = [
  {
    name: 'webhook-id',
    description: 'The id of the event, which is the same for every attempt and endpoint.',
    example: EXAMPLE_IDS.event,
  },
  {
    name: 'webhook-timestamp',
    description: 'The time of this attempt, as a Unix timestamp in seconds.',
    example: '1731000000',
  },
  {
    name: 'webhook-signature',
    description:
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. One signature for each active secret, separated by spaces.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  {
    name: 'webhook-event-type',
    description: 'The event type. Absent for an event that was sent directly to this endpoint.',
    example: 'order.created',
    optional: true,
  },
  { name: 'webhook-delivery-id', description: 'The id of the delivery.', example: EXAMPLE_IDS.delivery },
  { name: 'webhook-attempt', description: 'The number of this attempt, starting at 1.', example: '1' },
  {
    name: 'idempotency-key',
    description: 'The idempotency key of the producer, or the id of the event.',
    example: EXAMPLE_IDS.event,
  },
  { name: 'user-agent', description: '`Posthorn/`, followed by the version.', example: 'Posthorn/0.3.0' },
  {
    name: 'authorization',
    description: 'HTTP Basic credentials, if the endpoint has any.',
    example: 'Basic YWNtZTpzZWNyZXQ=',
    optional: true,
  },
];
