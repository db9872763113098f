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
      "Returns the changes that would make the target match this environment: its settings, the visibility of event types, and the workspace's own endpoints with their subscriptions. In a change, `from` is the value in the target. Secrets, URLs, credentials and whether an endpoint is active are never compared.",
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
    summary: 'Promote an environment',
    description:
      'Makes the selected parts of the target match this environment, in one transaction. `url` is required for an endpoint that is created, and is used only then. Without `prune`, nothing is deleted, unsubscribed or unpublished. With `dryRun`, returns the changes without applying them.',
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
