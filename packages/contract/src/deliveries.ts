import { ATTEMPT_ERROR_CODES, ENDING_FAILURES } from '@posthorn/destinations/failure';
import { z } from 'zod';
import { eventTypeFieldsOrNull, eventTypeName } from './event-types.ts';
import { LIMITS } from './limits.ts';
import {
  bodyPageLimit,
  cursor,
  documentedForms,
  id,
  idReference,
  inOrder,
  offsetDateTime,
  pageFields,
  pageLimit,
  pageLimitGiven,
  searchQuery,
  searchTerms,
  timestamp,
} from './primitives.ts';

export const DELIVERY_STATUSES = [
  'pending',
  'delivering',
  'delivered',
  'scheduled_retry',
  'failed',
  'dead_letter',
] as const;
export const deliveryStatus = z.enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`).meta({
  id: 'DeliveryStatus',
});
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The reasons why a delivery ended as failed or dead_letter (docs/interface.md, Failure reasons). */
export const FAILURE_REASONS = [
  'endpoint_inactive',
  'endpoint_deleted',
  'subscription_ended',
  'quarantined',
  'retries_exhausted',
  'gone',
  'aborted_by_receiver',
  ...ENDING_FAILURES,
  'payload_expired',
  'payload_unreadable',
  'invalid_request',
  'cancelled',
  'cancelled_by_transformation',
] as const;

export const delivery = z
  .object({
    id: id('dlv'),
    eventId: id('msg'),
    ...eventTypeFieldsOrNull,
    idempotencyKey: z.string(),
    endpointId: id('ep'),
    status: deliveryStatus,
    failureReason: z.enum(FAILURE_REASONS).nullable(),
    totalAttempts: z.int(),
    lastResponseStatus: z.int().nullable(),
    firstAttemptAt: timestamp.nullable(),
    deliveredAt: timestamp.nullable(),
    nextRetryAt: timestamp.nullable(),
    waitingFor: id('dlv').nullable().meta({
      description: 'At an endpoint with `ordering: "fifo"`, the delivery that must end before this one is sent.',
    }),
    hasPayload: z.boolean(),
    isTest: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Delivery', description: 'The delivery of one event to one endpoint.' });

const nullableMs = z.number().nullable();

/** Client generators disagree on unions of simple types, so the description names the two forms instead. */
const headerValue = documentedForms(
  'HeaderValue',
  'A string, or an array of strings for a header that was sent more than once.',
  [z.string(), z.array(z.string())],
);

export const attempt = z
  .object({
    id: id('att'),
    number: z.int(),
    trigger: z.enum(['schedule', 'manual', 'recovery', 'test']),
    outcome: z.enum(['success', 'failure']),
    startedAt: timestamp,
    durationMs: z.number(),
    timings: z.object({ dnsMs: nullableMs, connectMs: nullableMs, tlsMs: nullableMs, ttfbMs: nullableMs }),
    url: z.string(),
    requestHeaders: z.record(z.string(), z.string()),
    requestBody: z.string().nullable().meta({
      description: 'The first 64 KiB of the sent body, in base64. Null if the endpoint type does not store it.',
    }),
    responseStatus: z.int().nullable(),
    responseHeaders: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]).meta({ documentedAs: headerValue }))
      .nullable(),
    responseBody: z.string().nullable(),
    responseTruncated: z.boolean(),
    responseHidden: z.boolean().meta({
      description:
        'Whether there is a response or an `errorMessage` that the caller may not see, because it may repeat the payload.',
    }),
    errorCode: z.enum(ATTEMPT_ERROR_CODES).nullable(),
    errorMessage: z.string().nullable(),
    remoteAddress: z.string().nullable(),
    reconnected: z.boolean().meta({
      description:
        'Whether a reused connection closed before any byte of the response, so that the request was sent again over a new connection.',
    }),
    acknowledgement: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The details that a broker or store returned for the stored message, such as its id. Null for other endpoint types, and after a failure.',
    }),
  })
  .meta({ id: 'Attempt', description: 'One attempt of a delivery: a request and its result.' });

export const payloadEnvelope = z
  .object({
    status: z.enum(['available', 'plan_required', 'forbidden', 'expired', 'erased', 'not_stored', 'unavailable']),
    contentType: z.string().nullable(),
    encoding: z.enum(['utf8', 'base64']).nullable(),
    size: z.int().nullable(),
    sha256: z.string().nullable(),
    body: z.string().nullable(),
  })
  .meta({ id: 'PayloadEnvelope', description: 'The payload as ingested, or the reason why it is not available.' });

export const cancelReason = z.string().nullable().meta({
  description:
    'The reason that the transformation gave in `cancel`, if it cancelled the event. Null for callers who may not read payloads.',
});

export const deliveryDetail = delivery
  .extend({ cancelReason, payload: payloadEnvelope.optional(), attempts: z.array(attempt).optional() })
  .meta({
    id: 'DeliveryDetail',
    description: 'A delivery, with the fields that `include` adds.',
  });

export const deliveriesPage = z
  .object({ deliveries: z.array(delivery), nextCursor: z.string().nullable() })
  .meta({ id: 'DeliveriesPage' });

export const listEndpointDeliveriesQuery = z.object({
  limit: pageLimit,
  cursor: cursor.optional(),
  status: deliveryStatus.optional(),
});

export const listDeliveriesQuery = listEndpointDeliveriesQuery
  .extend({
    endpoint_id: idReference.optional(),
    environment_id: idReference.optional(),
    application_id: idReference.optional(),
    event_type: eventTypeName.optional(),
    search: searchQuery,
    from: offsetDateTime.optional(),
    to: offsetDateTime.optional(),
  })
  .refine(inOrder.isMet, inOrder.fault);

/** A search has the list's filters in its body, so that no searched value is in a URL. */
export const searchDeliveriesBody = z
  .object({
    search: searchTerms,
    endpointId: idReference.optional(),
    environmentId: idReference.optional(),
    applicationId: idReference.optional(),
    eventType: eventTypeName.optional(),
    status: deliveryStatus.optional(),
    from: offsetDateTime.optional(),
    to: offsetDateTime.optional(),
    limit: bodyPageLimit,
    cursor: cursor.optional(),
  })
  .refine(inOrder.isMet, inOrder.fault);

export const listAttemptsQuery = z.object({
  ...pageFields,
  limit: pageLimitGiven.default(LIMITS.deliveriesPageMost),
});

const INCLUDABLE = ['payload', 'attempts'] as const;

export const deliveryDetailQuery = z.object({
  include: z
    .string()
    .transform((list, context) => {
      const given = list.split(',').map((item) => item.trim());
      if (!given.every((item) => INCLUDABLE.some((one) => one === item))) {
        context.addIssue({ code: 'custom', message: 'must be payload, attempts, or both with a comma between' });
      }
      return INCLUDABLE.filter((one) => given.includes(one));
    })
    .meta({ documentedAs: z.array(z.enum(INCLUDABLE)).min(1) })
    .default([]),
});
