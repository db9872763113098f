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
    summary: 'List the subscriptions of agents',
    description: 'Newest first, those that have ended in the last 7 days included.',
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
    summary: 'Get a subscription of an agent',
    description: 'The live one with this id, or else the one that ended last.',
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
    summary: 'End a subscription of an agent',
    description: 'No attempt begins after the answer. The agent may subscribe again; delete its key to prevent that.',
    scopes: ['write'],
    role: 'member',
    capability: 'endpoints:write',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => endAgentSubscription(ctx, params.subscriptionId),
  }),
];
