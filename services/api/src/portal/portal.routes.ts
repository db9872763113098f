import { auditLogsPage, listAuditLogsQuery } from '@posthorn/contract/audit-logs';
import { eventType } from '@posthorn/contract/event-types';
import { ownPortalSession } from '@posthorn/contract/portal-sessions';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { listPortalAuditLogs } from '../audit-logs/audit-logs.ts';
import { route } from '../http/route.ts';
import { getOwnSession, listPublishedEventTypes } from './portal.ts';

// Only the portal offers these rows: their scopes and role are never used.
const shared = { tag: 'Portal', method: 'get', capability: 'any', scopes: [], role: 'owner', status: 200 } as const;

export const portalRoutes = [
  route({
    ...shared,
    operationId: 'getPortalSelf',
    path: '/session',
    summary: 'Get your portal session',
    description: 'Its application and environment, its theme, and its end.',
    response: ownPortalSession,
    run: (ctx) => getOwnSession(ctx),
  }),
  route({
    ...shared,
    operationId: 'listPublishedEventTypes',
    path: '/event-types',
    summary: 'List the available event types',
    description: "The event types that are published in the session's environment, oldest first.",
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(eventType),
    run: (ctx, { query }) => listPublishedEventTypes(ctx, query),
  }),
  route({
    ...shared,
    operationId: 'listPortalAuditLogs',
    path: '/audit-logs',
    summary: 'List the audit log',
    description: "Changes of the application's endpoints in the session's environment, newest first.",
    query: listAuditLogsQuery,
    response: auditLogsPage,
    run: (ctx, { query }) => listPortalAuditLogs(ctx, query),
  }),
];
