import type { eventDetailQuery } from '@posthorn/contract/events';
import { fromId, toId } from '@posthorn/contract/ids';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import type { z } from 'zod';
import { reachedEnvironments } from '../auth/bounds.ts';
import { enterView } from '../deliveries/enter-view.ts';
import { readPayload } from '../deliveries/payload.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { notFound } from '../transport/error.ts';
import { type EventRow, eventColumns } from './present-accepted.ts';
import { presentEvents } from './present-event.ts';

export async function getEvent(ctx: WorkspaceContext, id: string, query: z.output<typeof eventDetailQuery>) {
  const row = await requireEvent(ctx, id);
  const [[event], payload] = await Promise.all([
    presentEvents(ctx, ctx.db, [row]),
    query.include === 'payload' ? readPayload(ctx, row.id) : undefined,
  ]);
  if (event === undefined) throw notFound('Event');
  if (payload?.status === 'available') await enterView(ctx, toId('msg', row.id));
  return { ...event, ...(payload === undefined ? {} : { payload }) };
}

/** The event by its public id. A missing one and another workspace's have deliberately the same answer. */
export async function requireEvent(ctx: WorkspaceContext, id: string): Promise<EventRow> {
  const uuid = fromId('msg', id);
  const row =
    uuid === undefined
      ? null
      : await ctx.db.event.findUnique({ where: { id: uuid, workspaceId: ctx.workspace.id }, select: eventColumns });
  if (row === null || !(await isWithinBounds(ctx, row))) throw notFound('Event');
  return row;
}

/**
 * A bound token reads the events of its environments. A portal reads an event that was sent to its application, or that was
 * delivered to one of its endpoints.
 */
async function isWithinBounds({ db, bounds }: WorkspaceContext, row: EventRow): Promise<boolean> {
  if (reachedEnvironments(bounds)?.includes(row.environmentId) === false) return false;
  const { applicationId } = bounds;
  if (applicationId === undefined) return true;
  if (row.applicationId === applicationId) return true;
  const { lowest, highest } = deliveryIdsOf(row.id);
  const found = await db.$queryRaw<unknown[]>`
    select 1 from endpoint p cross join lateral (
      select 1 from delivery where endpoint_id = p.id and id between ${lowest}::uuid and ${highest}::uuid
        and event_id = ${row.id}::uuid limit 1) d
    where p.application_id = ${applicationId}::uuid and p.environment_id = ${row.environmentId}::uuid
      and p.deleted_at is null limit 1`;
  return found.length > 0;
}
