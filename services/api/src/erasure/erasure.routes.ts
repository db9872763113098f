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
      'Erases the payload, and the headers and bodies of its attempts, at once, and cancels its open deliveries. The event and its deliveries stay in lists. A repetition answers the same.',
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
    summary: 'Erase the data of a customer',
    description:
      'Erases the payloads of the events that were sent to the application, and what attempts to its endpoints sent and got. Without `eventTypes`, `from` and `to` it erases the customer: it also deletes the application, its endpoints and portal sessions, with every name. It cannot be undone. With `dryRun` it only counts the events.',
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
