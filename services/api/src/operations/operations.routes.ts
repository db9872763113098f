import {
  bulkBody,
  dryRun,
  listOperationsQuery,
  operation,
  operationsPage,
  recoverBody,
} from '@posthorn/contract/operations';
import { route } from '../operation/route.ts';
import { startBulk } from './bulk.ts';
import { cancelOperation, getOperation, listOperations, setOperationPaused } from './operations.ts';
import { recoverEndpoint } from './recover-endpoint.ts';

const reads = { method: 'get', tag: 'Operations', scopes: ['read'], role: 'viewer', status: 200 } as const;
const starts = {
  method: 'post',
  tag: 'Operations',
  scopes: ['write'],
  role: 'member',
  status: 202,
  inEnvironment: true,
  response: operation,
} as const;

export const operationRoutes = [
  route({
    ...starts,
    operationId: 'recoverEndpoint',
    tag: 'Endpoints',
    path: '/endpoints/{id}/recover',
    summary: 'Recover what an endpoint did not receive',
    description:
      '`failed` takes deliveries that are `failed` or `dead_letter`, `missed` events that the endpoint would get now and has no delivery of, `all` both and what was `delivered`. `since` is inclusive, `until` exclusive; both compare the time of the event. Paced, behind new events. With `dryRun` it only counts.',
    capability: 'deliveries:retry',
    errors: ['not_found', 'limit_reached'],
    body: recoverBody,
    dryRun,
    run: (ctx, { params, body }) => recoverEndpoint(ctx, params.id, body),
  }),
  route({
    ...starts,
    operationId: 'retryDeliveries',
    path: '/deliveries/retry',
    summary: 'Retry many deliveries',
    description:
      'Retries every delivery that the filter matches, as a manual retry does, at a pace that its endpoint keeps up with. At least one key. With `dryRun` it only counts.',
    errors: ['not_found', 'limit_reached'],
    body: bulkBody,
    dryRun,
    run: (ctx, { body }) => startBulk(ctx, 'retry', body),
  }),
  route({
    ...starts,
    operationId: 'cancelDeliveries',
    path: '/deliveries/cancel',
    summary: 'Cancel many deliveries',
    description:
      'Cancels every delivery that the filter matches and that is `pending` or `scheduled_retry`. At least one key. With `dryRun` it only counts.',
    errors: ['not_found', 'limit_reached'],
    body: bulkBody,
    dryRun,
    run: (ctx, { body }) => startBulk(ctx, 'cancel', body),
  }),
  route({
    ...reads,
    operationId: 'listOperations',
    path: '/operations',
    summary: 'List the operations',
    description: 'Newest first. An operation is kept for the retention (7 days).',
    capability: 'deliveries:retry',
    errors: ['not_found', 'invalid_cursor'],
    query: listOperationsQuery,
    response: operationsPage,
    run: (ctx, { query }) => listOperations(ctx, query),
  }),
  route({
    ...reads,
    operationId: 'getOperation',
    path: '/operations/{id}',
    summary: 'Get an operation',
    description:
      '`matched` is null while it counts. `delivered` and `failed` follow within seconds. It is `completed` once all that it enqueued has ended.',
    capability: 'deliveries:retry',
    errors: ['not_found'],
    response: operation,
    run: (ctx, { params }) => getOperation(ctx, params.id),
  }),
  route({
    ...starts,
    operationId: 'cancelOperation',
    path: '/operations/{id}/cancel',
    summary: 'Cancel an operation',
    description: 'It enqueues nothing more. Deliveries that it has enqueued go on, and are counted.',
    status: 200,
    errors: ['not_found', 'not_cancellable'],
    run: (ctx, { params }) => cancelOperation(ctx, params.id),
  }),
  route({
    ...starts,
    operationId: 'pauseOperation',
    path: '/operations/{id}/pause',
    summary: 'Pause an operation',
    description: 'It moves nothing on until it is resumed. Deliveries that it has enqueued go on, and are counted.',
    status: 200,
    errors: ['not_found', 'not_cancellable'],
    run: (ctx, { params }) => setOperationPaused(ctx, params.id, true),
  }),
  route({
    ...starts,
    operationId: 'resumeOperation',
    path: '/operations/{id}/resume',
    summary: 'Resume an operation',
    description: 'A paused operation goes on where it was.',
    status: 200,
    errors: ['not_found', 'not_cancellable'],
    run: (ctx, { params }) => setOperationPaused(ctx, params.id, false),
  }),
];
