import { SCOPES } from '@posthorn/contract/access';
import {
  createdManagementToken,
  createManagementTokenBody,
  deleteManagementTokensQuery,
  managementToken,
  ownManagementToken,
  updateManagementTokenBody,
} from '@posthorn/contract/credentials';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import {
  createManagementToken,
  deleteManagementToken,
  deleteManagementTokensOf,
  getManagementToken,
  getOwnManagementToken,
  listManagementTokens,
  updateManagementToken,
} from './management-tokens.ts';

/** The rows of the management interface outside a workspace's path. */
export const ownTokenRoutes = [
  route({
    operationId: 'getOwnManagementToken',
    method: 'get',
    path: '/me',
    tag: 'Management tokens',
    summary: 'Get your management token',
    description: 'Returns the workspace of the token, its scopes and expiry, and the environments.',
    scopes: SCOPES,
    role: 'viewer',
    status: 200,
    response: ownManagementToken,
    run: (ctx) => getOwnManagementToken(ctx),
  }),
];

// Not for management tokens: a token could create another with more scopes, or without an end.
const shared = { tag: 'Management tokens', dashboardOnly: true } as const;

export const managementTokenRoutes = [
  route({
    ...shared,
    operationId: 'listManagementTokens',
    method: 'get',
    path: '/management-tokens',
    summary: 'List management tokens',
    description: 'Returns tokens oldest first. Token values are not included.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(managementToken),
    run: (ctx, { query }) => listManagementTokens(ctx, query),
  }),
  route({
    ...shared,
    operationId: 'createManagementToken',
    method: 'post',
    path: '/management-tokens',
    summary: 'Create a management token',
    description:
      'Without `scopes`, the token has all scopes. It can be limited to environments and networks. The token is shown only in this response.',
    scopes: ['write'],
    role: 'admin',
    status: 201,
    errors: ['limit_reached', 'not_found'],
    body: createManagementTokenBody,
    response: createdManagementToken,
    secrets: ['token'],
    run: (ctx, { body }) => createManagementToken(ctx, body),
  }),
  route({
    ...shared,
    operationId: 'updateManagementToken',
    method: 'patch',
    path: '/management-tokens/{id}',
    summary: 'Update a management token',
    description:
      'Disables or enables a token. A disabled token is refused with `token_disabled` from the next request on.',
    scopes: ['write'],
    role: 'admin',
    status: 200,
    errors: ['not_found'],
    body: updateManagementTokenBody,
    response: managementToken,
    immutable: ['name', 'scopes', 'environmentIds', 'allowedNetworks', 'expiresAt'],
    present: (ctx, params) => getManagementToken(ctx, params.id),
    run: (ctx, { params, body }) => updateManagementToken(ctx, params.id, body),
  }),
  route({
    ...shared,
    operationId: 'deleteManagementTokens',
    method: 'delete',
    path: '/management-tokens',
    summary: "Delete a user's management tokens",
    description:
      'Deletes every token that the user created, even if the user is no longer a member. The tokens are refused from the next request on.',
    scopes: ['write'],
    role: 'admin',
    status: 204,
    errors: ['not_found'],
    query: deleteManagementTokensQuery,
    run: (ctx, { query }) => deleteManagementTokensOf(ctx, query.created_by),
  }),
  route({
    ...shared,
    operationId: 'deleteManagementToken',
    method: 'delete',
    path: '/management-tokens/{id}',
    summary: 'Delete a management token',
    description: 'The token is refused from the next request on.',
    scopes: ['write'],
    role: 'admin',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => deleteManagementToken(ctx, params.id),
  }),
];
