import { agentSubscription, agentSubscriptionsPage, listAgentSubscriptionsQuery } from '@posthorn/contract/agents';
import { route } from '../operation/route.ts';
import { endAgentSubscription, getAgentSubscription, listAgentSubscriptions } from './agent-subscriptions.ts';

const reads = { tag: 'Agents', scopes: ['read'], role: 'viewer', capability: 'endpoints:read', status: 200 } as const;

export const agentSubscriptionRoutes = [
  route({
    ...reads,
    operationId: 'listAgentSubscriptions',
    method: 'get',
    path: '/agent-subscriptions',
    summary: 'List agent subscriptions',
    description: 'Returns agent subscriptions newest first, including those that ended in the last 7 days.',
    isLargeRead: true,
    errors: ['not_found', 'invalid_cursor'],
    query: listAgentSubscriptionsQuery,
    response: agentSubscriptionsPage,
    run: (ctx, { query }) => listAgentSubscriptions(ctx, query),
  }),
  route({
    ...reads,
    operationId: 'getAgentSubscription',
    method: 'get',
    path: '/agent-subscriptions/{subscriptionId}',
    summary: 'Get an agent subscription',
    description: 'Returns the live subscription with this id, or the one that ended most recently.',
    errors: ['not_found'],
    response: agentSubscription,
    run: (ctx, { params }) => getAgentSubscription(ctx, params.subscriptionId),
  }),
  route({
    tag: 'Agents',
    operationId: 'endAgentSubscription',
    method: 'delete',
    inEnvironment: true,
    path: '/agent-subscriptions/{subscriptionId}',
    summary: 'End an agent subscription',
    description:
      'No attempt starts after the response. The agent may subscribe again; to prevent that, delete its key.',
    scopes: ['write'],
    role: 'member',
    capability: 'endpoints:write',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => endAgentSubscription(ctx, params.subscriptionId),
  }),
];
