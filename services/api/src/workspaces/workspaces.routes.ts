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
    description: 'Its plan is fixed when it is created.',
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
    summary: 'Rename the workspace',
    description:
      'The slug stays. A token is let in while its maker is an owner, or when posthorn-admin or the bootstrap made it.',
    scopes: ['write'],
    role: 'owner',
    status: 200,
    body: updateWorkspaceBody,
    response: workspace,
    run: (ctx, { body }) => updateWorkspace(ctx, body),
  }),
];
