import { DELIVERY_STATUSES, deliveriesPage, type delivery } from '@posthorn/contract/deliveries';
import {
  EVENT_STATUSES,
  type event,
  eventDetail,
  eventsPage,
  eventTrace,
  foundEventsPage,
} from '@posthorn/contract/events';
import { idempotencyKey } from '@posthorn/contract/ingest';
import { LIMITS } from '@posthorn/contract/limits';
import { z } from 'zod';
import { invalid } from '../transport/error.ts';
import { type Answer, clip } from './answer.ts';
import * as args from './arguments.ts';
import { momentOf } from './arguments.ts';
import type { Caller, Question } from './ask.ts';
import { AFTER_SKIP, afterDelivery } from './next-step.ts';
import { tool } from './tool.ts';

type Event = z.output<typeof event>;
type Delivery = z.output<typeof delivery>;
type Traced = z.output<typeof eventTrace>['endpoints'][number];

const findInput = z.strictObject({
  event_type: args.eventTypeName.optional(),
  idempotency_key: idempotencyKey.describe('The idempotency key with which the event was sent.').optional(),
  status: z
    .enum(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`)
    .describe('The status of the events. unmatched: no endpoint got the event. matched: at least one did.')
    .optional(),
  since: args.moment('The start of the time range, inclusive').optional(),
  until: args.moment('The end of the time range, exclusive').optional(),
  environment_id: args.environmentId.optional(),
  application_id: args.applicationId.optional(),
  endpoint_id: args.endpointId.describe('The endpoint. Returns deliveries in place of events.').optional(),
  delivery_status: z
    .enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`)
    .describe('The status of the deliveries. Returns deliveries in place of events.')
    .optional(),
  search: z
    .array(z.string().min(1).max(LIMITS.searchTermCharacters))
    .min(1)
    .max(LIMITS.searchTerms)
    .describe(
      'Values that the payload must have. Each is name:value for a search key of the event type, or only a value.',
    )
    .optional(),
  limit: args.limit,
  cursor: args.cursor,
});
type Find = z.output<typeof findInput>;

export const eventTools = [
  tool({
    name: 'find_events',
    title: 'Find events',
    description:
      'Lists events, newest first, with the number of deliveries in each status. With endpoint_id or delivery_status, lists deliveries instead. Start here if you have no id.',
    needs: ['listEvents'],
    input: findInput,
    run: (caller, given) =>
      given.endpoint_id === undefined && given.delivery_status === undefined
        ? findEvents(caller, given)
        : findDeliveries(caller, given),
  }),
  tool({
    name: 'why_not_delivered',
    title: 'Find out why an event was not delivered',
    description:
      'Shows for each endpoint whether it got an event, the status of the delivery, why an endpoint did not get it, and what to do next. With endpoint_id, only for that endpoint.',
    needs: ['getEvent', 'traceEvent'],
    input: z.strictObject({
      event_id: args.eventId,
      endpoint_id: args.endpointId.optional(),
      limit: args.limit,
      cursor: args.cursor,
    }),
    run: whyNotDelivered,
  }),
];

async function findEvents(caller: Caller, given: Find): Promise<Answer> {
  const query = historyQuery(caller, given);
  const { answer } =
    given.search === undefined
      ? await caller.ask('listEvents', eventsPage, { query })
      : await caller.ask('searchEvents', foundEventsPage, { body: bodyOf(query, given.search) });
  return {
    lines: [countOf(answer.events.length, 'event', answer.nextCursor), ...answer.events.map(eventLine)],
    facts: { events: answer.events.map(eventFacts) },
    ...(answer.events.length > 0 && { untrusted: keysOf(answer.events) }),
    nextCursor: answer.nextCursor,
  };
}

async function findDeliveries(caller: Caller, given: Find): Promise<Answer> {
  const { idempotency_key, status } = given;
  if (idempotency_key !== undefined || status !== undefined) {
    throw invalid('idempotency_key and status select events: leave out endpoint_id and delivery_status');
  }
  const { answer } = await caller.ask(...deliveriesQuestion(caller, given));
  const { deliveries, nextCursor } = answer;
  return {
    lines: [countOf(deliveries.length, 'delivery', nextCursor), ...deliveries.map(deliveryLine)],
    facts: { deliveries: deliveries.map(deliveryFacts) },
    nextCursor,
  };
}

/** The operation that lists the deliveries, the schema of its answer, and the request to it. */
function deliveriesQuestion(caller: Caller, given: Find): [string, typeof deliveriesPage, Question] {
  if (!caller.may('listDeliveries')) return ['listEndpointDeliveries', deliveriesPage, portalQuestion(given)];
  const query = { ...historyQuery(caller, given), endpoint_id: given.endpoint_id, status: given.delivery_status };
  if (given.search === undefined) return ['listDeliveries', deliveriesPage, { query }];
  return ['searchDeliveries', deliveriesPage, { body: bodyOf(query, given.search) }];
}

/** A search has the filters of a list in its body. */
function bodyOf({ environment_id, application_id, event_type, ...query }: HistoryQuery, search: readonly string[]) {
  const { endpoint_id, idempotency_key, ...same } = query;
  const body = {
    ...same,
    search,
    environmentId: environment_id,
    applicationId: application_id,
    eventType: event_type,
    endpointId: endpoint_id,
    idempotencyKey: idempotency_key,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

type HistoryQuery = Omit<ReturnType<typeof historyQuery>, 'status'> & {
  status?: string | undefined;
  endpoint_id?: string | undefined;
};

function historyQuery(caller: Caller, given: Find) {
  const { event_type, idempotency_key, status, environment_id, application_id, limit, cursor, since, until } = given;
  const now = caller.now();
  const span = { from: momentOf(since, now), to: momentOf(until, now) };
  return { event_type, idempotency_key, status, environment_id, application_id, limit, cursor, ...span };
}

/** A portal lists the deliveries of one endpoint at a time, by their state alone. */
function portalQuestion({ endpoint_id, delivery_status, limit, cursor, ...others }: Find) {
  if (endpoint_id === undefined) throw invalid('endpoint_id is required to list deliveries', 'endpoint_id');
  const [further] = Object.entries(others).filter(([, value]) => value !== undefined);
  if (further !== undefined) {
    throw invalid(`${further[0]} cannot be combined with endpoint_id here: only delivery_status can`, further[0]);
  }
  return { params: { endpointId: endpoint_id }, query: { status: delivery_status, limit, cursor } };
}

async function whyNotDelivered(
  caller: Caller,
  {
    event_id: id,
    endpoint_id,
    limit,
    cursor,
  }: { event_id: string; endpoint_id?: string; limit: number; cursor?: string },
): Promise<Answer> {
  const { answer: found } = await caller.ask('getEvent', eventDetail, { params: { id } });
  const { answer: trace } = await caller.ask('traceEvent', eventTrace, {
    params: { id },
    query: { endpoint_id, limit, cursor },
  });
  const filtered = trace.endpoints.filter(({ reason }) => reason === 'filtered');
  return {
    lines: [
      eventLine(found),
      matchingLine(found, trace),
      ...(trace.endpoints.length === 0 ? ['No endpoint to tell about.'] : []),
      ...trace.endpoints.map(tracedLine),
    ],
    facts: {
      event: eventFacts(found),
      matched: trace.matched,
      skipped: trace.skipped,
      endpoints: trace.endpoints.map(tracedFacts),
    },
    untrusted: {
      ...keysOf([found]),
      ...(trace.endpoints.length > 0 && {
        targets: Object.fromEntries(trace.endpoints.map(({ endpointId, url }) => [endpointId, clip(url, 120)])),
      }),
      // The reason may show a value of the payload.
      ...(filtered.length > 0 && {
        filters: Object.fromEntries(filtered.map(({ endpointId, detail }) => [endpointId, clip(detail, 500)])),
      }),
    },
    nextCursor: trace.nextCursor,
  };
}

function matchingLine(
  { status, deliverAt, published, eventType }: Event,
  { matched, skipped }: { matched: number; skipped: number },
) {
  if (status === 'scheduled') return `It is scheduled for ${deliverAt}, and is matched with endpoints then.`;
  if (status === 'matching') return 'It has not been matched with endpoints yet: wait a few seconds.';
  if (status === 'cancelled') return 'It was cancelled: what had not been sent is not sent.';
  const unpublished = published ? '' : ` ${eventType} was not published in the environment.`;
  return `${matched} endpoint(s) got a delivery of it, ${skipped} did not.${unpublished}`;
}

function tracedLine({ endpointId, decision, reason, detail, delivery: row }: Traced): string {
  const place = `- ${endpointId}:`;
  if (row !== null) {
    const why = row.failureReason === null ? '' : ` (${row.failureReason})`;
    const answered = row.lastResponseStatus === null ? '' : `, last answer ${row.lastResponseStatus}`;
    const retry = row.nextRetryAt === null ? '' : `, next attempt ${row.nextRetryAt}`;
    const waits = row.waitingFor === null ? '' : `, waits for ${row.waitingFor}`;
    return `${place} ${row.id} ${row.status}${why}, ${row.totalAttempts} attempt(s)${answered}${retry}${waits}. Next: ${afterDelivery(row)}`;
  }
  if (reason === null) return `${place} ${decision}. ${detail}`;
  const said = reason === 'filtered' ? 'The filter of the subscription did not match the payload.' : detail;
  return `${place} no delivery (${reason}). ${said} Next: ${AFTER_SKIP[reason]}`;
}

function tracedFacts({ endpointId, applicationId, decision, reason, delivery: row }: Traced) {
  return {
    endpoint_id: endpointId,
    application_id: applicationId,
    decision,
    ...(reason !== null && { reason }),
    ...(row !== null && {
      delivery_id: row.id,
      status: row.status,
      failure_reason: row.failureReason,
      attempts: row.totalAttempts,
      last_response_status: row.lastResponseStatus,
      next_retry_at: row.nextRetryAt,
    }),
  };
}

/** The first line of an answer: how many items it shows. */
export function countOf(count: number, noun: 'event' | 'delivery' | 'endpoint', nextCursor: string | null): string {
  const plural = noun === 'delivery' ? 'deliveries' : `${noun}s`;
  if (count > 0) return `${count} ${count === 1 ? noun : plural}:`;
  return nextCursor === null ? `No ${noun} fits.` : `No ${noun} fits so far.`;
}

function eventLine(one: Event): string {
  const { id, eventType, createdAt, status, deliveries, isTest, schemaErrors, applicationId } = one;
  const states = DELIVERY_STATUSES.filter((one) => deliveries[one] > 0).map((one) => `${deliveries[one]} ${one}`);
  const shown = states.length === 0 ? 'no deliveries' : states.join(', ');
  const faults = schemaErrors?.length ? ', does not fit its schema' : '';
  const isWide = applicationId === null && one.reachedApplications > 1;
  const reach = isWide ? `, named no application and reached ${one.reachedApplications}` : '';
  return `- ${id} ${eventType ?? '(no type)'} at ${createdAt}: ${status}, ${shown}${reach}${isTest ? ', a test' : ''}${faults}`;
}

function eventFacts(one: Event) {
  return {
    id: one.id,
    event_type: one.eventType,
    created_at: one.createdAt,
    status: one.status,
    environment_id: one.environmentId,
    application_id: one.applicationId,
    reached_applications: one.reachedApplications,
    ...(one.deliverAt !== null && { deliver_at: one.deliverAt }),
    deliveries: Object.fromEntries(Object.entries(one.deliveries).filter(([, count]) => count > 0)),
  };
}

/** The idempotency keys that producers gave, by the ids of their events. */
function keysOf(events: readonly Event[]) {
  return { idempotency_keys: Object.fromEntries(events.map((one) => [one.id, clip(one.idempotencyKey, 80)])) };
}

export function deliveryLine(one: Delivery): string {
  const why = one.failureReason === null ? '' : ` (${one.failureReason})`;
  const answered = one.lastResponseStatus === null ? '' : `, last answer ${one.lastResponseStatus}`;
  const retry = one.nextRetryAt === null ? '' : `, next attempt ${one.nextRetryAt}`;
  return `- ${one.id} ${one.eventType ?? '(no type)'} to ${one.endpointId} at ${one.createdAt}: ${one.status}${why}, ${one.totalAttempts} attempt(s)${answered}${retry}`;
}

export function deliveryFacts(one: Delivery) {
  return {
    id: one.id,
    event_id: one.eventId,
    event_type: one.eventType,
    endpoint_id: one.endpointId,
    status: one.status,
    failure_reason: one.failureReason,
    attempts: one.totalAttempts,
    last_response_status: one.lastResponseStatus,
    created_at: one.createdAt,
    next_retry_at: one.nextRetryAt,
  };
}
