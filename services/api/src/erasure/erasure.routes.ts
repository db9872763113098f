import { erasureBody } from '@posthorn/contract/erasures';
import { dryRun, operation } from '@posthorn/contract/operations';
import { route } from '../operation/route.ts';
import { erasePayload } from './erase-payload.ts';
import { startErasure } from './start-erasure.ts';

export const erasureRoutes = [
  route({
    operationId: 'deleteEventPayload',
    method: 'delete',
    inEnvironment: true,
    path: '/events/{id}/payload',
    tag: 'Events',
    summary: 'Erase the payload of an event',
    description:
      'Erases the payload and the headers and bodies of its attempts at once, and cancels its open deliveries. The event and its deliveries remain in lists. Repeating the request has the same response.',
    scopes: ['write'],
    role: 'member',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => erasePayload(ctx, params.id),
  }),
  route({
    operationId: 'startErasure',
    method: 'post',
    path: '/erasures',
    tag: 'Operations',
    summary: 'Erase customer data',
    description:
      'Erases the payloads of the events that were sent to the application, and the requests and responses of the attempts to its endpoints. Without `eventTypes`, `from` and `to`, erases the customer: also deletes the application, its endpoints and its portal sessions, with all names. This cannot be undone. With `dryRun`, only counts the events.',
    scopes: ['write'],
    role: 'admin',
    status: 202,
    errors: ['not_found', 'limit_reached'],
    body: erasureBody,
    response: operation,
    dryRun,
    run: (ctx, { body }) => startErasure(ctx, body),
  }),
];
