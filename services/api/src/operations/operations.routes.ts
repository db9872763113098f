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
    summary: 'Recover missed deliveries',
    description:
      '`failed` retries deliveries that are `failed` or `dead_letter`. `missed` delivers events that the endpoint would receive now and has no delivery of. `all` does both, and also resends deliveries that were `delivered`. `since` is inclusive, `until` exclusive; both apply to the time of the event. The recovery is paced and yields to new events. With `dryRun`, only counts.',
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
    summary: 'Retry deliveries in bulk',
    description:
      'Retries every delivery that matches the filter, like a manual retry, at a rate that its endpoint can handle. The filter needs at least one key. With `dryRun`, only counts.',
    errors: ['not_found', 'limit_reached'],
    body: bulkBody,
    dryRun,
    run: (ctx, { body }) => startBulk(ctx, 'retry', body),
  }),
  route({
    ...starts,
    operationId: 'cancelDeliveries',
    path: '/deliveries/cancel',
    summary: 'Cancel deliveries in bulk',
    description:
      'Cancels every delivery that matches the filter and is `pending` or `scheduled_retry`. The filter needs at least one key. With `dryRun`, only counts.',
    errors: ['not_found', 'limit_reached'],
    body: bulkBody,
    dryRun,
    run: (ctx, { body }) => startBulk(ctx, 'cancel', body),
  }),
  route({
    ...reads,
    operationId: 'listOperations',
    path: '/operations',
    summary: 'List operations',
    description: 'Returns operations newest first. An operation is kept for the retention period (7 days).',
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
      'Returns an operation. `matched` is null while it counts. `delivered` and `failed` are updated within seconds. The operation is `completed` once all its enqueued deliveries have ended.',
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
    description:
      'The operation enqueues nothing more. Deliveries that it has already enqueued continue, and are counted. An erasure needs the role `admin`.',
    status: 200,
    errors: ['not_found', 'not_cancellable'],
    run: (ctx, { params }) => cancelOperation(ctx, params.id),
  }),
  route({
    ...starts,
    operationId: 'pauseOperation',
    path: '/operations/{id}/pause',
    summary: 'Pause an operation',
    description:
      'The operation does nothing more until it is resumed. Deliveries that it has already enqueued continue, and are counted. An erasure needs the role `admin`.',
    status: 200,
    errors: ['not_found', 'not_cancellable'],
    run: (ctx, { params }) => setOperationPaused(ctx, params.id, true),
  }),
  route({
    ...starts,
    operationId: 'resumeOperation',
    path: '/operations/{id}/resume',
    summary: 'Resume an operation',
    description: 'A paused operation continues where it stopped. An erasure needs the role `admin`.',
    status: 200,
    errors: ['not_found', 'not_cancellable'],
    run: (ctx, { params }) => setOperationPaused(ctx, params.id, false),
  }),
];
