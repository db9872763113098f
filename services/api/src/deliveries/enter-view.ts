import { createHash } from 'node:crypto';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { uniqueViolation } from '@posthorn/db/violations';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';

const HOUR_MS = 3_600_000;

/**
 * Writes an audit entry before an actor is shown the payload of a delivery or an event, once an hour for each actor and
 * resource. The entry's id is derived from these and the hour, so that two processes do not enter the same view twice.
 */
export async function enterView(ctx: WorkspaceContext, resourceId: string): Promise<void> {
  const nowMs = ctx.clock.now().getTime();
  const id = viewId(ctx, resourceId, nowMs);
  const entered = await ctx.db.auditEntry.count({
    where: { id: { in: [id, viewId(ctx, resourceId, nowMs - HOUR_MS)] }, createdAt: { gt: new Date(nowMs - HOUR_MS) } },
  });
  if (entered > 0) return;
  const entry = { id, resourceId, ...portalOf(ctx.bounds) };
  try {
    await ctx.change('payload.viewed', async () => ({ result: undefined, entry }));
  } catch (error) {
    // Another request has entered this view meanwhile.
    if (!['id', 'audit_entry_pkey'].includes(uniqueViolation(error) ?? '')) throw error;
  }
}

/** A UUIDv7 of the beginning of the hour, with a digest instead of the random bits. */
function viewId({ workspace, actor }: WorkspaceContext, resourceId: string, atMs: number): string {
  const hour = lowestKeyAt(new Date(atMs - (atMs % HOUR_MS))).slice(0, 14);
  const facts = JSON.stringify(['payload.viewed', workspace.id, actor.type, actor.id, resourceId, hour]);
  const digest = createHash('sha256').update(facts).digest('hex');
  return `${hour}7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
