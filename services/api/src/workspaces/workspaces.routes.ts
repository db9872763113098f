import { updateWorkspaceBody, workspace } from '@posthorn/contract/workspaces';
import { route } from '../http/route.ts';
import { getWorkspace, updateWorkspace } from './workspaces.ts';

export const workspaceRoutes = [
  route({
    operationId: 'getWorkspace',
    method: 'get',
    path: '',
    tag: 'Workspace',
    summary: 'Get the workspace',
    description: 'The plan is fixed at creation.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    response: workspace,
    run: (ctx) => getWorkspace(ctx),
  }),
  route({
    operationId: 'updateWorkspace',
    method: 'patch',
    path: '',
    tag: 'Workspace',
    summary: 'Update the workspace',
    description:
      'Its name, and the origins that may frame the customer portal: at most 20 https origins without a path. The slug does not change. A token may do this while its creator is an owner, or when posthorn-admin or the bootstrap created it.',
    scopes: ['write'],
    role: 'owner',
    status: 200,
    body: updateWorkspaceBody,
    response: workspace,
    run: (ctx, { body }) => updateWorkspace(ctx, body),
  }),
];
