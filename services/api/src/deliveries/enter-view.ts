import { createHash } from 'node:crypto';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { uniqueViolation } from '@posthorn/db/violations';
import type { AuditNote } from '../audit/change.ts';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';

const HOUR_MS = 3_600_000;

/** Writes an audit entry before an actor is shown the payload of a delivery or an event. */
export function enterView(ctx: WorkspaceContext, resourceId: string): Promise<void> {
  return enterOnceAnHour(ctx, 'payload.viewed', { resourceId });
}

/**
 * Writes an audit entry once an hour for each actor and resource. The entry's id is derived from these and the hour, so
 * that two processes do not write the same entry twice.
 */
export async function enterOnceAnHour(
  ctx: WorkspaceContext,
  action: string,
  note: Pick<AuditNote, 'resourceId' | 'resourceType' | 'countsAs'>,
): Promise<void> {
  const nowMs = ctx.clock.now().getTime();
  const idAt = (atMs: number) => entryId(ctx, [action, note.resourceId], atMs);
  const id = idAt(nowMs);
  const entered = await ctx.db.auditEntry.count({
    where: { id: { in: [id, idAt(nowMs - HOUR_MS)] }, createdAt: { gt: new Date(nowMs - HOUR_MS) } },
  });
  if (entered > 0) return;
  const entry = { id, ...note, ...portalOf(ctx.bounds) };
  try {
    await ctx.change(action, async () => ({ result: undefined, entry }));
  } catch (error) {
    // Another request has made this entry meanwhile.
    if (!['id', 'audit_entry_pkey'].includes(uniqueViolation(error) ?? '')) throw error;
  }
}

/** A UUIDv7 of the beginning of the hour, with a digest instead of the random bits. */
function entryId({ workspace, actor }: WorkspaceContext, [action, resourceId]: [string, string], atMs: number): string {
  const hour = lowestKeyAt(new Date(atMs - (atMs % HOUR_MS))).slice(0, 14);
  const facts = JSON.stringify([action, workspace.id, actor.type, actor.id, resourceId, hour]);
  const digest = createHash('sha256').update(facts).digest('hex');
  return `${hour}7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
