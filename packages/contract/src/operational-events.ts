import { z } from 'zod';
import { id, jsonValue, timestamp } from './primitives.ts';

// Operational events: what Posthorn tells a workspace about its deliveries (docs/interface.md, Operational events).

/** The prefix of operational events. No event type of a producer may begin with it. */
export const OPERATIONAL_PREFIX = 'posthorn.';

export function isOperational(eventTypeName: string): boolean {
  return eventTypeName.startsWith(OPERATIONAL_PREFIX);
}

/** Reasons why a subscription ended, other than the agent's own request and its expiry. */
export const ENDS_BY_OTHERS = [
  'person',
  'key_revoked',
  'disabled',
  'deleted',
  'event_type_removed',
  'schema_changed',
  'receiver',
] as const;

const ofEndpoint = {
  endpointId: id('ep'),
  applicationId: id('app').nullable(),
  environmentId: id('env'),
  url: z.string(),
};

const delivery = z.object({
  deliveryId: id('dlv'),
  eventId: id('msg'),
  eventType: z.string().nullable(),
  ...ofEndpoint,
  failureReason: z.string(),
  totalAttempts: z.int(),
  lastResponseStatus: z.int().nullable(),
});

const ofSubscription = {
  subscriptionId: z.string(),
  eventType: z.string(),
  ...ofEndpoint,
};

const ofSource = {
  sourceId: id('src'),
  name: z.string(),
  environmentId: id('env'),
  lagRecords: z.int().nullable(),
};

const EXAMPLE_SOURCE = {
  sourceId: 'src_01jczhk8m3fd8tqv5x0w2b9n4e',
  name: 'Orders',
  environmentId: 'env_01jczhk8m3fd8tqv5x0w2b9n4e',
  lagRecords: 1_204,
};
const EXAMPLE_ENDPOINT = {
  endpointId: 'ep_01jczhk8m3fd8tqv5x0w2b9n4e',
  applicationId: null,
  environmentId: 'env_01jczhk8m3fd8tqv5x0w2b9n4e',
  url: 'https://example.com/webhooks',
};
const EXAMPLE_DELIVERY = {
  deliveryId: 'dlv_01jczhk8m3fd8tqv5x0w2b9n4e',
  eventId: 'msg_01jczhk8m3fd8tqv5x0w2b9n4e',
  eventType: 'order.created',
  ...EXAMPLE_ENDPOINT,
};
const EXAMPLE_SUBSCRIPTION = {
  subscriptionId: 'mcs_3f0kq1v8m2d6s9xw4y7b5c0zna',
  eventType: 'order.created',
  ...EXAMPLE_ENDPOINT,
};
const EXAMPLE_TIME = '2026-11-21T09:30:00.000Z';

type Definition = { description: string; data: z.ZodObject; example: Record<string, unknown> };

/** Every operational event: its meaning, its `data`, and an example of the data. */
export const OPERATIONAL_EVENTS = {
  'posthorn.endpoint.disabled': {
    description:
      'An endpoint was deactivated and receives no more deliveries. This was done by a person or a token, by a response of the endpoint (such as 410 Gone), or because every attempt had failed for five days.',
    data: z.object({
      ...ofEndpoint,
      disabledReason: z.enum(['manual', 'failing', 'gone', 'receiver']),
      disabledAt: timestamp,
    }),
    example: { ...EXAMPLE_ENDPOINT, disabledReason: 'failing', disabledAt: EXAMPLE_TIME },
  },
  'posthorn.endpoint.failing': {
    description:
      'So many attempts to an endpoint failed that its circuit breaker opened, and Posthorn waits between attempts. Sent at most once an hour for each endpoint.',
    data: z.object({ ...ofEndpoint, failingSince: timestamp.nullable() }),
    example: { ...EXAMPLE_ENDPOINT, failingSince: EXAMPLE_TIME },
  },
  'posthorn.endpoint.recovered': {
    description: 'An endpoint that was failing responds with success again. Its deliveries continue as usual.',
    data: z.object({ ...ofEndpoint, failingSince: timestamp.nullable() }),
    example: { ...EXAMPLE_ENDPOINT, failingSince: EXAMPLE_TIME },
  },
  'posthorn.delivery.dead_letter': {
    description:
      'A delivery was given up because every attempt of its retry schedule failed, or because five workers in a row were lost while sending it. It can be retried manually.',
    data: delivery,
    example: { ...EXAMPLE_DELIVERY, failureReason: 'retries_exhausted', totalAttempts: 10, lastResponseStatus: 503 },
  },
  'posthorn.delivery.failed': {
    description:
      'A delivery ended early, with retries left. For example, the endpoint was deactivated or deleted, it responded with 410 Gone, or the delivery was cancelled. The event includes the reason.',
    data: delivery,
    example: { ...EXAMPLE_DELIVERY, failureReason: 'gone', totalAttempts: 1, lastResponseStatus: 410 },
  },
  'posthorn.operation.completed': {
    description: 'The recovery of an endpoint, or a bulk retry or cancellation of deliveries, is finished.',
    data: z.object({
      operationId: id('op'),
      operationType: z.enum(['recovery', 'retry', 'cancel', 'erasure', 'search_index']),
      endpointId: id('ep').nullable(),
      matched: z.int(),
      enqueued: z.int(),
      delivered: z.int(),
      failed: z.int(),
      finishedAt: timestamp,
    }),
    example: {
      operationId: 'op_01jczhk8m3fd8tqv5x0w2b9n4e',
      operationType: 'recovery',
      endpointId: EXAMPLE_ENDPOINT.endpointId,
      ...{ matched: 120, enqueued: 120, delivered: 118, failed: 2, finishedAt: EXAMPLE_TIME },
    },
  },
  'posthorn.api_key.expiring': {
    description: 'An API key stops working within 7 days and has not been rotated.',
    data: z.object({ apiKeyId: id('key'), name: z.string(), environmentId: id('env'), expiresAt: timestamp }),
    example: {
      apiKeyId: 'key_01jczhk8m3fd8tqv5x0w2b9n4e',
      name: 'Order service',
      environmentId: EXAMPLE_ENDPOINT.environmentId,
      expiresAt: EXAMPLE_TIME,
    },
  },
  'posthorn.source.failing': {
    description:
      'A source could not read its topics for a minute, has stopped until it is changed, or has been behind for five minutes. Sent once, until the source reads normally again.',
    data: z.object({
      ...ofSource,
      status: z.string().meta({ description: 'The status of its health, such as `failing` or `stopped`.' }),
      error: z.string().nullable(),
      failingSince: timestamp,
    }),
    example: {
      ...EXAMPLE_SOURCE,
      ...{ status: 'failing', error: 'Kafka refused the user or the password', failingSince: EXAMPLE_TIME },
    },
  },
  'posthorn.source.recovered': {
    description: 'A source that was failing reads its topics again and is no longer behind.',
    data: z.object({ ...ofSource, failingSince: timestamp }),
    example: { ...EXAMPLE_SOURCE, lagRecords: 0, failingSince: EXAMPLE_TIME },
  },
  'posthorn.agent.subscribed': {
    description:
      'An agent has subscribed to an event type over the Model Context Protocol. Refreshes are not reported.',
    data: z.object({ ...ofSubscription, expiresAt: timestamp }),
    example: { ...EXAMPLE_SUBSCRIPTION, expiresAt: EXAMPLE_TIME },
  },
  'posthorn.agent.ended': {
    description:
      'An agent subscription was ended by something other than the agent or its expiry. For example, by a person, the end of its key, a change of the event type, or a response of its callback. The event includes the reason.',
    data: z.object({
      ...ofSubscription,
      endReason: z.enum(ENDS_BY_OTHERS),
      endedAt: timestamp,
    }),
    example: { ...EXAMPLE_SUBSCRIPTION, endReason: 'key_revoked', endedAt: EXAMPLE_TIME },
  },
} as const satisfies Record<string, Definition>;

export type OperationalEventName = keyof typeof OPERATIONAL_EVENTS;

/** Whether a name that begins with `posthorn.` is one of the operational events. */
export function isOperationalEventName(name: string): name is OperationalEventName {
  return Object.hasOwn(OPERATIONAL_EVENTS, name);
}

/** The body of an operational event. */
export const operationalPayload = <Data extends z.ZodType>(type: string, data: Data) =>
  z.object({ type: z.literal(type), timestamp, data });

export const operationalEvent = z
  .object({
    name: z.string().meta({ example: 'posthorn.delivery.dead_letter' }),
    description: z.string(),
    schema: z.record(z.string(), z.unknown()).meta({ description: 'The JSON Schema (2020-12) of the payload.' }),
    example: jsonValue,
  })
  .meta({
    id: 'OperationalEvent',
    description: 'A type of event that Posthorn can send to a workspace about its deliveries.',
  });
