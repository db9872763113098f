import { subscribeAnswer, subscribeBody, subscription } from '@posthorn/contract/subscriptions';
import { z } from 'zod';
import { route } from '../http/route.ts';
import { listSubscriptions, subscribe, unsubscribe } from './subscriptions.ts';

export const subscriptionRoutes = [
  route({
    operationId: 'listSubscriptions',
    method: 'get',
    path: '/endpoints/{id}/subscriptions',
    tag: 'Subscriptions',
    summary: "List an endpoint's subscriptions",
    description: 'Oldest first.',
    scopes: ['read'],
    role: 'viewer',
    capability: 'endpoints:read',
    status: 200,
    errors: ['not_found'],
    response: z.array(subscription),
    run: (ctx, { params }) => listSubscriptions(ctx, params.id),
  }),
  route({
    operationId: 'subscribeEndpoint',
    method: 'post',
    path: '/endpoints/{id}/subscriptions',
    tag: 'Subscriptions',
    summary: 'Subscribe an endpoint to event types',
    description:
      'Ids that are already subscribed are skipped and not counted. With an unknown id, nothing is subscribed.',
    scopes: ['write'],
    role: 'member',
    capability: 'endpoints:write',
    status: 200,
    errors: ['not_found'],
    body: subscribeBody,
    response: subscribeAnswer,
    run: (ctx, { params, body }) => subscribe(ctx, params.id, body.eventTypeIds),
  }),
  route({
    operationId: 'unsubscribeEndpoint',
    method: 'delete',
    path: '/endpoints/{id}/subscriptions/{eventTypeId}',
    tag: 'Subscriptions',
    summary: 'Remove a subscription',
    description: 'Events that were accepted before the removal may still be delivered.',
    scopes: ['write'],
    role: 'member',
    capability: 'endpoints:write',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => unsubscribe(ctx, params.id, params.eventTypeId),
  }),
];
