import {
  event,
  eventDetail,
  eventDetailQuery,
  eventsPage,
  eventTrace,
  eventTraceQuery,
  listEventsQuery,
  precheck,
  precheckBody,
} from '@posthorn/contract/events';
import { route } from '../http/route.ts';
import { cancelEvent } from './cancel-event.ts';
import { getEvent } from './get-event.ts';
import { listEvents } from './list-events.ts';
import { precheckEventType } from './precheck.ts';
import { traceEvent } from './trace.ts';

export const eventRoutes = [
  route({
    operationId: 'listEvents',
    method: 'get',
    path: '/events',
    tag: 'Events',
    summary: 'List events',
    description:
      'Newest first, within the retention. `from` is inclusive, `to` exclusive. One request reads a bounded number of events: with a filter that few events match, a page may be short or empty while `nextCursor` leads on.',
    scopes: ['read'],
    role: 'viewer',
    capability: 'deliveries:read',
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    listsHistory: true,
    mayLag: true,
    query: listEventsQuery,
    response: eventsPage,
    run: (ctx, { query }) => listEvents(ctx, query),
  }),
  route({
    operationId: 'getEvent',
    method: 'get',
    path: '/events/{id}',
    tag: 'Events',
    summary: 'Get an event',
    description:
      '`include=payload` adds the body as ingested. When the body is not shown, the envelope’s status gives the reason.',
    scopes: ['read'],
    role: 'viewer',
    capability: 'deliveries:read',
    status: 200,
    errors: ['not_found'],
    query: eventDetailQuery,
    response: eventDetail,
    run: (ctx, { params, query }) => getEvent(ctx, params.id, query),
  }),
  route({
    operationId: 'cancelEvent',
    method: 'post',
    path: '/events/{id}/cancel',
    tag: 'Events',
    summary: 'Cancel an event',
    description:
      'An event that waits for its fan-out is delivered to nobody, and its deliveries that are still to be delivered end as failed. A delivery that is being delivered goes on.',
    scopes: ['write'],
    role: 'member',
    status: 200,
    errors: ['not_found', 'not_cancellable'],
    response: event,
    run: (ctx, { params }) => cancelEvent(ctx, params.id),
  }),
  route({
    operationId: 'traceEvent',
    method: 'get',
    path: '/events/{id}/trace',
    tag: 'Events',
    summary: 'Trace an event',
    description:
      'For every endpoint of the environment, whether it got the event, and why not: as the set-up was when the event was fanned out. Matched endpoints come first.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    listsHistory: true,
    query: eventTraceQuery,
    response: eventTrace,
    run: (ctx, { params, query }) => traceEvent(ctx, params.id, query),
  }),
  route({
    operationId: 'precheckEventType',
    method: 'post',
    path: '/event-types/{id}/precheck',
    tag: 'Events',
    summary: 'Precheck an event type',
    description:
      'Which endpoints would get an event of this type now, and why the others would not. Nothing is stored or sent. At most 5,000 endpoints are shown, matched ones first.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['not_found'],
    listsHistory: true,
    body: precheckBody,
    response: precheck,
    run: (ctx, { params, body }) => precheckEventType(ctx, params.id, body),
  }),
];
