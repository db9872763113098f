import { applyBody, workspacePlan } from '@posthorn/contract/apply';
import { route } from '../operation/route.ts';
import { applyWorkspace } from './apply.ts';

export const applyRoutes = [
  route({
    operationId: 'applyWorkspace',
    method: 'post',
    path: '/apply',
    tag: 'Workspace',
    summary: 'Apply a document to a workspace',
    description:
      'Creates and updates the resources that the document names, in one transaction, and returns the differences. Without `prune`, nothing is removed. With `dryRun`, returns the same result and stores nothing. If any part is refused, nothing changes, and `details` lists the problems.',
    scopes: ['write'],
    role: 'admin',
    status: 200,
    errors: [
      ...(['not_found', 'limit_reached', 'environment_limit_reached', 'external_id_taken', 'slug_taken'] as const),
      ...([
        'event_type_exists',
        'event_type_in_use',
        'agents_subscribed',
        'default_environment',
        'plan_required',
      ] as const),
    ],
    body: applyBody,
    response: workspacePlan,
    dryRun: workspacePlan,
    run: (ctx, { body }) => applyWorkspace(ctx, body),
  }),
];
