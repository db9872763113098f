import { apiKey, createApiKeyBody, createdApiKey, rotateApiKeyBody } from '@posthorn/contract/credentials';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { createApiKey, deleteApiKey, listApiKeys, rotateApiKey } from './api-keys.ts';

const writes = { tag: 'API keys', scopes: ['keys'], role: 'admin' } as const;

export const apiKeyRoutes = [
  route({
    operationId: 'listApiKeys',
    method: 'get',
    path: '/environments/{environmentId}/api-keys',
    tag: 'API keys',
    summary: "List an environment's API keys",
    description:
      'Returns keys oldest first. A revoked key is listed for 7 days after it ends. Key values are not included.',
    scopes: ['read', 'keys'],
    role: 'viewer',
    status: 200,
    errors: ['invalid_cursor', 'not_found'],
    links: true,
    query: pageQuery,
    response: z.array(apiKey),
    run: (ctx, { params, query }) => listApiKeys(ctx, params.environmentId, query),
  }),
  route({
    ...writes,
    operationId: 'createApiKey',
    method: 'post',
    inEnvironment: true,
    path: '/environments/{environmentId}/api-keys',
    summary: 'Create an API key',
    description: 'An environment has at most 20 active keys. The key is shown only in this response.',
    status: 201,
    errors: ['not_found', 'limit_reached'],
    body: createApiKeyBody,
    response: createdApiKey,
    secrets: ['key'],
    run: (ctx, { params, body }) => createApiKey(ctx, params.environmentId, body),
  }),
  route({
    ...writes,
    operationId: 'rotateApiKey',
    method: 'post',
    inEnvironment: true,
    path: '/environments/{environmentId}/api-keys/{id}/rotate',
    summary: 'Rotate an API key',
    description:
      'Returns a new key. The old key works until its grace period ends. Rotation is also allowed at the key limit.',
    status: 201,
    errors: ['not_found', 'limit_reached'],
    body: rotateApiKeyBody,
    response: createdApiKey,
    secrets: ['key'],
    run: (ctx, { params, body }) => rotateApiKey(ctx, params, body),
  }),
  route({
    ...writes,
    operationId: 'deleteApiKey',
    method: 'delete',
    inEnvironment: true,
    path: '/environments/{environmentId}/api-keys/{id}',
    summary: 'Delete an API key',
    description: 'The key stops working within a second and is no longer listed.',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => deleteApiKey(ctx, params),
  }),
];
