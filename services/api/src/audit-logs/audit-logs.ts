import { auditEntry, type listAuditLogsQuery } from '@posthorn/contract/audit-logs';
import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { z } from 'zod';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';

type Query = z.output<typeof listAuditLogsQuery>;

const RETENTION_MS = 365 * 86_400_000;

/** The workspace's audit log, newest first: `from` inclusive, `to` exclusive, entries of the last 365 days. */
export async function listAuditLogs(ctx: WorkspaceContext, query: Query) {
  return pageOf(ctx, query, { visibility: { in: ['workspace', 'portal'] } });
}

/**
 * The part of the log for the portal's customer: entries on its own application and environment. It hides which person
 * of the operator made a change, and from where.
 */
export async function listPortalAuditLogs(ctx: WorkspaceContext, query: Query) {
  const portal = portalOf(ctx.bounds);
  if (portal === undefined) throw new Error('a portal session without bounds');
  const page = await pageOf(ctx, query, { ...portal, visibility: 'portal' });
  return { ...page, data: page.data.map((entry) => withoutOperator(ctx, entry)) };
}

type Reach =
  | { visibility: { in: ('workspace' | 'portal')[] } }
  | { visibility: 'portal'; applicationId: string; environmentId: string };

async function pageOf(ctx: WorkspaceContext, query: Query, reach: Reach) {
  const oldest = new Date(ctx.clock.now().getTime() - RETENTION_MS);
  const where = {
    ...reach,
    workspaceId: ctx.workspace.id,
    createdAt: {
      gte: laterOf(oldest, query.from),
      ...(query.to === undefined ? {} : { lt: laterOf(oldest, query.to) }),
    },
    ...(query.action === undefined ? {} : { action: query.action }),
    ...(query.resource_type === undefined ? {} : { resourceType: query.resource_type }),
    ...(query.actor_type === undefined ? {} : { actorType: query.actor_type }),
  };
  // One after the other: a large read uses one connection.
  const total = await ctx.listDb.auditEntry.count({ where });
  const rows = await ctx.listDb.auditEntry.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    // Beyond the size of any log; Postgres would refuse larger numbers.
    skip: Math.min((query.page - 1) * LIMITS.auditPage, 1_000_000_000),
    take: LIMITS.auditPage,
  });
  return { data: rows.map(presentEntry), total, page: query.page, pageSize: LIMITS.auditPage };
}

/** Never queries entries older than the retention. Postgres also has no year 0. */
function laterOf(oldest: Date, given: string | undefined): Date {
  const instant = given === undefined ? oldest : new Date(given);
  return instant > oldest ? instant : oldest;
}

type EntryRow = {
  id: string;
  actorType: string;
  actorId: string;
  actorLabel: string;
  visibility: string;
  action: string;
  resourceType: string;
  resourceId: string;
  metadata: unknown;
  createdAt: Date;
};

const { actorType, visibility, metadata } = auditEntry.shape;

function presentEntry(row: EntryRow) {
  return {
    id: row.id,
    actorType: actorType.parse(row.actorType),
    actorId: row.actorId,
    actorLabel: row.actorLabel,
    visibility: visibility.parse(row.visibility),
    action: row.action,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    metadata: metadata.parse(row.metadata),
    createdAt: row.createdAt.toISOString(),
  };
}

type Entry = ReturnType<typeof presentEntry>;

function withoutOperator({ workspace }: WorkspaceContext, entry: Entry): Entry {
  // An agent that has an entry here is the customer's own, as its keys in the portal are.
  if (['portal_session', 'agent_key', 'agent'].includes(entry.actorType)) return entry;
  const { changes, requestId } = entry.metadata;
  const metadata = { changes, requestId, ip: null, userAgent: null };
  // A member of the operator's staff may have followed the link of a mail.
  if (entry.actorType === 'system') return { ...entry, metadata };
  return { ...entry, actorId: toId('ws', workspace.id), actorLabel: workspace.name, metadata };
}
