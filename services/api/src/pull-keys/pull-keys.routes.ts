import { pageQuery } from '@posthorn/contract/primitives';
import { createdPullKey, createPullKeyBody, pullKey } from '@posthorn/contract/pull';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { createPullKey, deletePullKey, listPullKeys } from './pull-keys.ts';

const shared = { tag: 'Pull keys', scopes: ['write'], role: 'member', capability: 'endpoints:write' } as const;

export const pullKeyRoutes = [
  route({
    ...shared,
    operationId: 'listPullKeys',
    method: 'get',
    path: '/endpoints/{id}/pull-keys',
    summary: "List an endpoint's pull keys",
    description: 'Returns pull keys oldest first, at most 10. Key values are not included.',
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(pullKey),
    run: (ctx, { params, query }) => listPullKeys(ctx, params.id, query),
  }),
  route({
    ...shared,
    operationId: 'createPullKey',
    method: 'post',
    inEnvironment: true,
    path: '/endpoints/{id}/pull-keys',
    summary: 'Create a pull key',
    description:
      'A pull endpoint has at most 10 pull keys. The key is shown only in this response. To rotate a key, create a new one, use it, and delete the old one.',
    status: 201,
    errors: ['not_found', 'limit_reached', 'validation_error'],
    body: createPullKeyBody,
    response: createdPullKey,
    secrets: ['pullKey'],
    run: (ctx, { params, body }) => createPullKey(ctx, params.id, body),
  }),
  route({
    ...shared,
    operationId: 'deletePullKey',
    method: 'delete',
    inEnvironment: true,
    path: '/endpoints/{id}/pull-keys/{keyId}',
    summary: 'Delete a pull key',
    description:
      'The key stops working within a second. Messages that a consumer has leased can be settled with another key.',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => deletePullKey(ctx, params),
  }),
];
