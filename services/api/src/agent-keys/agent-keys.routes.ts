import { agentKeysPage, createAgentKeyBody, createdAgentKey, listAgentKeysQuery } from '@posthorn/contract/agents';
import { route } from '../operation/route.ts';
import { createAgentKey, deleteAgentKey, listAgentKeys } from './agent-keys.ts';

const tag = 'Agents';
const writes = { tag, scopes: ['keys'], role: 'admin', capability: 'endpoints:write', inEnvironment: true } as const;

export const agentKeyRoutes = [
  route({
    tag,
    operationId: 'listAgentKeys',
    method: 'get',
    path: '/agent-keys',
    summary: 'List agent keys',
    description: 'Returns agent keys oldest first. Key values are not included.',
    scopes: ['read', 'keys'],
    role: 'viewer',
    capability: 'endpoints:read',
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    query: listAgentKeysQuery,
    response: agentKeysPage,
    run: (ctx, { query }) => listAgentKeys(ctx, query),
  }),
  route({
    ...writes,
    operationId: 'createAgentKey',
    method: 'post',
    path: '/agent-keys',
    summary: 'Create an agent key',
    description:
      'Creates a key with which an agent subscribes to events of the environment over the Model Context Protocol. An application has at most 20 keys, and the workspace itself at most 100. The key is shown only in this response.',
    portalDescription:
      'Creates a key with which an agent subscribes to your events over the Model Context Protocol. The key is shown only in this response.',
    status: 201,
    errors: ['not_found', 'limit_reached', 'plan_required'],
    body: createAgentKeyBody,
    response: createdAgentKey,
    secrets: ['key'],
    run: (ctx, { body }) => createAgentKey(ctx, body),
  }),
  route({
    ...writes,
    operationId: 'deleteAgentKey',
    method: 'delete',
    path: '/agent-keys/{keyId}',
    summary: 'Delete an agent key',
    description: 'Also ends every subscription that was created with the key.',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => deleteAgentKey(ctx, params.keyId),
  }),
];
