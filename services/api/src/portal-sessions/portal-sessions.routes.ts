import { createdPortalSession, createPortalSessionBody, portalSession } from '@posthorn/contract/portal-sessions';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { createPortalSession, deletePortalSession, getPortalSession, listPortalSessions } from './portal-sessions.ts';

const shared = { tag: 'Portal sessions', paid: true, errors: ['not_found', 'plan_required'] } as const;

export const portalSessionRoutes = [
  route({
    ...shared,
    operationId: 'listPortalSessions',
    method: 'get',
    path: '/applications/{applicationId}/portal-sessions',
    summary: "List an application's portal sessions",
    description: 'Returns sessions that have not expired, oldest first.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: [...shared.errors, 'invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(portalSession),
    run: (ctx, { params, query }) => listPortalSessions(ctx, params.applicationId, query),
  }),
  route({
    ...shared,
    operationId: 'createPortalSession',
    method: 'post',
    inEnvironment: true,
    path: '/applications/{applicationId}/portal-sessions',
    summary: 'Create a portal session',
    description:
      'Redirect the customer to the `url`, or open it in a frame. The session gives access to one application in one environment. Its `capabilities` cannot exceed your own rights.',
    scopes: ['write'],
    role: 'member',
    status: 201,
    body: createPortalSessionBody,
    response: createdPortalSession,
    secrets: ['url', 'token'],
    run: (ctx, { params, body }) => createPortalSession(ctx, params.applicationId, body),
  }),
  route({
    ...shared,
    operationId: 'getPortalSession',
    method: 'get',
    path: '/applications/{applicationId}/portal-sessions/{id}',
    summary: 'Get a portal session',
    description: 'Returns a portal session. The token is shown only at creation.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    response: portalSession,
    run: (ctx, { params }) => getPortalSession(ctx, params.applicationId, params.id),
  }),
  route({
    ...shared,
    operationId: 'deletePortalSession',
    method: 'delete',
    inEnvironment: true,
    path: '/applications/{applicationId}/portal-sessions/{id}',
    summary: 'End a portal session',
    description: 'The token is refused from the next request on.',
    scopes: ['write'],
    role: 'member',
    status: 204,
    run: (ctx, { params }) => deletePortalSession(ctx, params.applicationId, params.id),
  }),
];
