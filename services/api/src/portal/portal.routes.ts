import { auditLogsPage, listAuditLogsQuery } from '@posthorn/contract/audit-logs';
import { catalogDocument, eventType } from '@posthorn/contract/event-types';
import { ownPortalSession } from '@posthorn/contract/portal-sessions';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { listPortalAuditLogs } from '../audit-logs/audit-logs.ts';
import { describeCatalog, getCatalogEventType, listCatalog } from '../catalog/catalog.ts';
import { route } from '../operation/route.ts';
import { boundEnvironmentId, getOwnSession, listPublishedEventTypes } from './portal.ts';

// Only the portal offers these rows: their scopes and role are never used.
const shared = { tag: 'Portal', method: 'get', scopes: [], role: 'owner', status: 200 } as const;
/** If the creator of a session had no right to read, the session may not read these either. */
const reads = { ...shared, capability: 'endpoints:read' } as const;

export const portalRoutes = [
  route({
    ...shared,
    capability: 'any',
    operationId: 'getPortalSelf',
    path: '/session',
    summary: 'Get your portal session',
    description: 'Returns the session, with its application, environment, theme and expiry.',
    response: ownPortalSession,
    run: (ctx) => getOwnSession(ctx),
  }),
  route({
    ...reads,
    operationId: 'listPublishedEventTypes',
    path: '/event-types',
    summary: 'List the available event types',
    description: "Returns the event types that are published in the session's environment, oldest first.",
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(eventType),
    run: (ctx, { query }) => listPublishedEventTypes(ctx, query),
  }),
  route({
    ...reads,
    operationId: 'listPortalCatalog',
    path: '/catalog',
    summary: 'List the event types of the catalogue',
    description: "Returns the event types that are published in the session's environment, with schema and example.",
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(eventType),
    run: (ctx, { query }) => listCatalog(ctx, boundEnvironmentId(ctx), query),
  }),
  route({
    ...reads,
    operationId: 'getPortalCatalogEventType',
    path: '/catalog/{eventTypeId}',
    summary: 'Get an event type of the catalogue',
    description:
      "Returns an event type that is published in the session's environment. Any other event type is `not_found`.",
    errors: ['not_found'],
    response: eventType,
    run: (ctx, { params }) => getCatalogEventType(ctx, boundEnvironmentId(ctx), params.eventTypeId),
  }),
  route({
    ...reads,
    operationId: 'getPortalCatalogDocument',
    path: '/catalog/openapi.json',
    summary: 'Get the catalogue as an OpenAPI document',
    description: 'Returns an OpenAPI 3.1 document with a webhook for each published event type.',
    isLargeRead: true,
    errors: ['limit_reached'],
    response: catalogDocument,
    run: (ctx) => describeCatalog(ctx, boundEnvironmentId(ctx)),
  }),
  route({
    ...reads,
    operationId: 'listPortalAuditLogs',
    path: '/audit-logs',
    summary: 'List audit log entries',
    description: "Returns changes of the application's endpoints in the session's environment, newest first.",
    isLargeRead: true,
    mayLag: true,
    query: listAuditLogsQuery,
    response: auditLogsPage,
    run: (ctx, { query }) => listPortalAuditLogs(ctx, query),
  }),
];
