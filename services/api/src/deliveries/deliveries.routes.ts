import {
  attempt,
  deliveriesPage,
  delivery,
  deliveryDetail,
  deliveryDetailQuery,
  listAttemptsQuery,
  listDeliveriesQuery,
  listEndpointDeliveriesQuery,
} from '@posthorn/contract/deliveries';
import { z } from 'zod';
import { route } from '../http/route.ts';
import { cancelDelivery, getDelivery, listAttempts, retryDelivery } from './deliveries.ts';
import { listDeliveries, listEndpointDeliveries } from './list-deliveries.ts';

const detail = {
  method: 'get',
  tag: 'Deliveries',
  description:
    '`include=payload,attempts` adds the body as ingested and the newest 100 attempts, as in their list. When the body is not shown, the envelope’s status gives the reason.',
  scopes: ['read'],
  role: 'viewer',
  capability: 'deliveries:read',
  status: 200,
  links: true,
  errors: ['not_found'],
  query: deliveryDetailQuery,
  response: deliveryDetail,
} as const;

const showsAttempts = ({ include }: z.output<typeof deliveryDetailQuery>) => include.includes('attempts');

export const deliveryRoutes = [
  route({
    operationId: 'listEndpointDeliveries',
    method: 'get',
    path: '/endpoints/{endpointId}/deliveries',
    tag: 'Deliveries',
    summary: "List an endpoint's deliveries",
    description: 'Newest first. Deliveries older than the retention (7 days) are not returned.',
    scopes: ['read'],
    role: 'viewer',
    capability: 'deliveries:read',
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    isLargeRead: true,
    mayLag: true,
    query: listEndpointDeliveriesQuery,
    response: deliveriesPage,
    run: (ctx, { params, query }) => listEndpointDeliveries(ctx, params.endpointId, query),
  }),
  route({
    operationId: 'listDeliveries',
    method: 'get',
    path: '/deliveries',
    tag: 'Deliveries',
    summary: "List the workspace's deliveries",
    description:
      'Newest first, including those of deleted endpoints. `from` is inclusive, `to` exclusive; both compare the time of the event.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    isLargeRead: true,
    mayLag: true,
    query: listDeliveriesQuery,
    response: deliveriesPage,
    run: (ctx, { query }) => listDeliveries(ctx, query),
  }),
  route({
    ...detail,
    isLargeRead: showsAttempts,
    // The portal has only the other path (docs/interface.md, Operations).
    capability: undefined,
    operationId: 'getEndpointDelivery',
    path: '/endpoints/{endpointId}/deliveries/{id}',
    summary: "Get one of an endpoint's deliveries",
    run: (ctx, { params, query }) => getDelivery(ctx, params.id, query),
  }),
  route({
    ...detail,
    isLargeRead: showsAttempts,
    operationId: 'getDelivery',
    path: '/deliveries/{id}',
    summary: 'Get a delivery',
    run: (ctx, { params, query }) => getDelivery(ctx, params.id, query),
  }),
  route({
    operationId: 'listAttempts',
    method: 'get',
    path: '/deliveries/{id}/attempts',
    tag: 'Deliveries',
    summary: "List a delivery's attempts",
    description:
      'The newest 100, oldest first; the `Link` header leads to older ones. Credentials in the request headers are redacted. Headers and bodies take at most 2 MiB together: an omitted body is null, with `responseTruncated` true.',
    isLargeRead: true,
    links: true,
    scopes: ['read'],
    role: 'viewer',
    capability: 'deliveries:read',
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    query: listAttemptsQuery,
    response: z.array(attempt),
    run: (ctx, { params, query }) => listAttempts(ctx, params.id, query),
  }),
  route({
    operationId: 'retryDelivery',
    method: 'post',
    path: '/deliveries/{id}/retry',
    tag: 'Deliveries',
    summary: 'Retry a delivery',
    description:
      'Makes the delivery due now, with a full new schedule; allowed 100 times for a delivery. Attempt numbers continue.',
    scopes: ['write'],
    role: 'member',
    capability: 'deliveries:retry',
    status: 202,
    errors: ['not_found', 'validation_error', 'delivery_in_progress', 'limit_reached', 'payload_expired'],
    response: delivery,
    run: (ctx, { params }) => retryDelivery(ctx, params.id),
  }),
  route({
    operationId: 'cancelDelivery',
    method: 'post',
    path: '/deliveries/{id}/cancel',
    tag: 'Deliveries',
    summary: 'Cancel a delivery',
    description:
      'Ends a delivery that is `pending` or `scheduled_retry` as `failed` with the reason `cancelled`. While it is being delivered the answer is `delivery_in_progress`, and `not_cancellable` once it has ended.',
    scopes: ['write'],
    role: 'member',
    status: 200,
    errors: ['not_found', 'delivery_in_progress', 'not_cancellable'],
    response: delivery,
    run: (ctx, { params }) => cancelDelivery(ctx, params.id),
  }),
];
