import { environmentDiff, promoteBody, promotion } from '@posthorn/contract/promotion';
import { route } from '../operation/route.ts';
import { diffEnvironments, promote } from './promote.ts';

export const promotionRoutes = [
  route({
    operationId: 'diffEnvironments',
    method: 'get',
    path: '/environments/{environmentId}/diff/{targetId}',
    tag: 'Environments',
    summary: 'Compare two environments',
    description:
      "What would make the target like the environment: its settings, the visibility of event types, and the workspace's own endpoints with their subscriptions. `from` is the target's value. Secrets, URLs, activity and credentials are never compared.",
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    isLargeRead: true,
    errors: ['not_found', 'validation_error', 'limit_reached'],
    response: environmentDiff,
    run: (ctx, { params }) => diffEnvironments(ctx, { a: params.environmentId, b: params.targetId }),
  }),
  route({
    operationId: 'promoteEnvironment',
    method: 'post',
    inEnvironment: true,
    path: '/environments/{environmentId}/promote/{targetId}',
    tag: 'Environments',
    summary: 'Promote an environment to another',
    description:
      'Makes the target like the environment in what the body names, in one transaction. `url` is required for an endpoint that is created, and used only then. Nothing is deleted, unsubscribed or unpublished without `prune`. With `dryRun` it only tells.',
    scopes: ['write'],
    role: 'admin',
    status: 200,
    errors: ['not_found', 'limit_reached'],
    body: promoteBody,
    response: promotion,
    dryRun: promotion,
    run: (ctx, { params, body }) => promote(ctx, { a: params.environmentId, b: params.targetId }, body),
  }),
];
