import { z } from 'zod';
import { application } from './applications.ts';
import {
  cancelReason,
  DELIVERY_STATUSES,
  delivery,
  listEndpointDeliveriesQuery,
  payloadEnvelope,
} from './deliveries.ts';
import { eventTypeFieldsOrNull, eventTypeName } from './event-types.ts';
import { idempotencyKey } from './ingest.ts';
import { LIMITS } from './limits.ts';
import {
  bodyPageLimit,
  cursor,
  id,
  idReference,
  inOrder,
  jsonValue,
  offsetDateTime,
  pageLimit,
  searchQuery,
  searchTerms,
  timestamp,
  wordsOf,
} from './primitives.ts';

export const EVENT_STATUSES = ['scheduled', 'matching', 'matched', 'unmatched', 'cancelled'] as const;
const eventStatus = z.enum(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`);
export type EventStatus = (typeof EVENT_STATUSES)[number];

const count = z.int().nonnegative();

export const event = z
  .object({
    id: id('msg'),
    ...eventTypeFieldsOrNull,
    environmentId: id('env'),
    applicationId: id('app').nullable(),
    endpointId: id('ep')
      .nullable()
      .meta({ description: 'The endpoint, for an event that was sent directly to it and for a test. Null otherwise.' }),
    idempotencyKey: z.string(),
    orderingKey: z.string().nullable(),
    deliverAt: timestamp.nullable(),
    status: eventStatus,
    published: z.boolean(),
    hasPayload: z.boolean(),
    isTest: z.boolean(),
    searchable: z.boolean().meta({
      description:
        'Whether the event can be found by search keys. False if the payload is too large for the search keys of its event type.',
    }),
    schemaErrors: z.array(z.string()).nullable().meta({
      description: 'At most 10 places where the payload does not match its schema. Null if nothing was checked.',
    }),
    deliveries: z
      .object(Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, count])) as DeliveryCountsShape)
      .meta({ description: 'The number of deliveries in each status.' }),
    reachedApplications: count.meta({
      description: 'The number of applications whose endpoints have a delivery of the event.',
    }),
    source: z
      .object({
        sourceId: id('src'),
        topic: z.string(),
        partition: z.int(),
        offset: z.string(),
        timestamp: timestamp.meta({ description: 'The timestamp of the record, limited to the years 1970 to 9999.' }),
      })
      .meta({ id: 'EventSource', description: 'The source record from which an event was read.' })
      .nullable()
      .optional()
      .meta({
        description:
          'The source of the event. Null for an event that was not read from a source. Absent in the portal.',
      }),
    createdAt: timestamp,
  })
  .meta({ id: 'Event', description: 'An event that was accepted from a producer.' });

type DeliveryCountsShape = Record<(typeof DELIVERY_STATUSES)[number], typeof count>;

export const eventDetail = event
  .extend({ payload: payloadEnvelope.optional() })
  .meta({ id: 'EventDetail', description: 'An event, with its payload if `include` asks for it.' });

export const eventsPage = z.object({ events: z.array(event), nextCursor: z.string().nullable() });

export const listEventsQuery = z
  .object({
    limit: pageLimit,
    cursor: cursor.optional(),
    environment_id: idReference.optional(),
    application_id: idReference.optional(),
    event_type: eventTypeName.optional(),
    idempotency_key: idempotencyKey.optional(),
    status: eventStatus.optional(),
    search: searchQuery,
    from: offsetDateTime.optional(),
    to: offsetDateTime.optional(),
  })
  .refine(inOrder.isMet, inOrder.fault);

/** A search has the list's filters in its body, so that no searched value is in a URL. */
export const searchEventsBody = z
  .object({
    search: searchTerms,
    environmentId: idReference.optional(),
    applicationId: idReference.optional(),
    eventType: eventTypeName.optional(),
    idempotencyKey: idempotencyKey.optional(),
    status: eventStatus.optional(),
    from: offsetDateTime.optional(),
    to: offsetDateTime.optional(),
    limit: bodyPageLimit,
    cursor: cursor.optional(),
  })
  .refine(inOrder.isMet, inOrder.fault);

export const foundEventsPage = z
  .object({
    events: z.array(
      event
        .extend({ foundBy: z.array(z.string()).meta({ description: 'The names of the search keys that matched.' }) })
        .meta({ id: 'FoundEvent' }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'FoundEventsPage' });

/** The text in the dashboard's search box. It may be a value from a payload, so it must not be in a URL. */
export const findBody = z.object({
  text: wordsOf(1, LIMITS.externalIdCharacters).meta({
    description: 'The text to find: a part of a name or externalId, or a whole idempotency key.',
  }),
  environmentId: idReference,
});

export const foundByText = z
  .object({
    applications: z
      .array(application)
      .meta({ description: 'At most 6 applications with the text in their name or externalId.' }),
    events: z.array(event).meta({ description: 'At most 6 events with the text as their idempotency key.' }),
    nextCursor: z.string().nullable().meta({
      description: 'The cursor for the list of events with this key. Null if there are no more events to search.',
    }),
  })
  .meta({ id: 'FoundByText' });

export const eventDetailQuery = z.object({ include: z.literal('payload', 'must be payload').optional() });

/** Why an endpoint did not get an event, in order of precedence: only the first reason that holds is shown. */
const SKIP_REASONS = [
  'event_type_not_published',
  'endpoint_deleted',
  'other_application',
  'not_subscribed',
  'endpoint_inactive',
  'filtered',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const TRACE_DECISIONS = ['matched', 'skipped', 'waiting'] as const;
const traceDecision = z.enum(TRACE_DECISIONS, `must be one of ${TRACE_DECISIONS.join(', ')}`);
const skipReason = z.enum(SKIP_REASONS).nullable();

export const eventTrace = z
  .object({
    eventId: id('msg'),
    ...eventTypeFieldsOrNull,
    environmentId: id('env'),
    published: z.boolean(),
    fannedOutAt: timestamp.nullable(),
    matched: count,
    skipped: count,
    reachedApplications: count.meta({
      description: 'The number of applications that the matched endpoints belong to.',
    }),
    searchKeys: z.object({ stored: count, leftOut: count }).nullable().meta({
      description:
        'The number of values in the payload by which the event can be found, and the number that were left out: those of an array after the first 16, and texts of more than 256 characters. Null if there are none.',
    }),
    endpoints: z.array(
      z.object({
        endpointId: id('ep'),
        url: z.string(),
        description: z.string(),
        applicationId: id('app').nullable(),
        decision: traceDecision,
        reason: skipReason,
        detail: z.string(),
        delivery: delivery
          .pick({
            id: true,
            status: true,
            totalAttempts: true,
            nextRetryAt: true,
            lastResponseStatus: true,
            failureReason: true,
            waitingFor: true,
          })
          .extend({ cancelReason })
          .nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'EventTrace',
    description: 'For each endpoint of the environment, why it did or did not receive the event.',
  });

export const listEventDeliveriesQuery = listEndpointDeliveriesQuery.pick({ limit: true, cursor: true });

export const eventTraceQuery = listEventDeliveriesQuery.extend({
  decision: traceDecision.optional(),
  endpoint_id: idReference.optional(),
});

export const precheckBody = z.object({
  environmentId: idReference.optional(),
  applicationId: idReference.optional(),
  payload: jsonValue.optional(),
});

export const precheck = z
  .object({
    published: z.boolean(),
    matched: count,
    endpoints: z.array(
      z.object({
        endpointId: id('ep'),
        url: z.string(),
        applicationId: id('app').nullable(),
        decision: z.enum(['matched', 'skipped', 'depends']),
        reason: skipReason,
        detail: z.string(),
      }),
    ),
    truncated: z.boolean().meta({ description: 'Whether the environment has more endpoints than are returned.' }),
  })
  .meta({ id: 'Precheck', description: 'The endpoints that would receive an event of the event type now.' });
