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
      'The plan is fixed at creation. The quotas show how much the workspace may send in a UTC day and store, and how much of that is used.',
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
      'Updates the name, settings and portal origins. `portalOrigins` takes at most 20 https origins without a path, and `http://localhost:*` and `http://127.0.0.1:*` while `BASE_URL` is local. `portalTerms` is the name of an event in the portal. `payloadRetentionHours` and `retentionHours` cannot exceed the retention of the installation. With `requireSecondFactor`, members without a second factor can only set one up; an owner must have one to require it. The slug cannot be changed. A token may update the workspace while its creator is an owner, or if it was created by posthorn-admin or the bootstrap.',
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
