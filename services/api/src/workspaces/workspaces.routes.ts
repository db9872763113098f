import { updateWorkspaceBody, workspaceWithQuotas } from '@posthorn/contract/workspaces';
import { route } from '../operation/route.ts';
import { getWorkspace, updateWorkspace } from './workspaces.ts';

export const workspaceRoutes = [
  route({
    operationId: 'getWorkspace',
    method: 'get',
    path: '',
    tag: 'Workspace',
    summary: 'Get the workspace',
    description:
      'The plan is fixed at creation. The quotas tell what the workspace may send on a UTC day and keep, and how much of it is used.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    response: workspaceWithQuotas,
    run: (ctx) => getWorkspace(ctx),
  }),
  route({
    operationId: 'updateWorkspace',
    method: 'patch',
    path: '',
    tag: 'Workspace',
    summary: 'Update the workspace',
    description:
      'Its name, and the origins that may frame the customer portal: at most 20 https origins without a path; `http://localhost:*` and `http://127.0.0.1:*` while `BASE_URL` is local. `portalTerms` is what the portal calls an event. `payloadRetentionHours` and `retentionHours` are at most the retention of the installation. With `requireSecondFactor`, members without a second factor can do nothing but set one up; an owner needs one to require it. The slug does not change. A token may do this while its creator is an owner, or when posthorn-admin or the bootstrap created it.',
    scopes: ['write'],
    role: 'owner',
    status: 200,
    errors: ['second_factor_required'],
    body: updateWorkspaceBody,
    response: workspaceWithQuotas,
    immutable: ['slug', 'plan'],
    present: (ctx) => getWorkspace(ctx),
    run: (ctx, { body }) => updateWorkspace(ctx, body),
  }),
];
