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
    description: 'The workspace to which the token belongs, its scopes and its end, and the environments.',
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
    description: 'Oldest first. The tokens themselves are not shown.',
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
      'Without `scopes` it has all. It may be bound to environments and to networks. The token is shown only in this answer.',
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
    summary: 'Disable or enable a management token',
    description: 'A disabled token is refused with `token_disabled` from the next request on.',
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
    summary: 'Delete the management tokens of a person',
    description:
      'Every token that this user created, even when the user is no longer a member. They are refused from the next request on.',
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
    description: 'It is refused from the next request on.',
    scopes: ['write'],
    role: 'admin',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => deleteManagementToken(ctx, params.id),
  }),
];
