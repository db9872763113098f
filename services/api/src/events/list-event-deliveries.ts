import type { listEventDeliveriesQuery } from '@posthorn/contract/events';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import type { z } from 'zod';
import { presentDeliveries } from '../deliveries/present-delivery.ts';
import { ownEndpointIds } from '../endpoints/own-endpoint-ids.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { retentionMs } from '../workspaces/retention.ts';
import { requireEvent } from './get-event.ts';

/** The deliveries of an event in the order of their ids, within the retention; at a portal, those to its endpoints. */
export async function listEventDeliveries(
  ctx: WorkspaceContext,
  id: string,
  { limit, cursor }: z.output<typeof listEventDeliveriesQuery>,
) {
  const event = await requireEvent(ctx, id);
  const list = ['event deliveries', event.id];
  const after = cursor === undefined ? undefined : openPageCursor(ctx, cursor, list);
  const { lowest, highest } = deliveryIdsOf(event.id);
  const oldest = lowestKeyAt(new Date(ctx.clock.now().getTime() - retentionMs(ctx)));
  const own = await ownEndpointIds(ctx, ctx.listDb);
  const rows = await ctx.listDb.delivery.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      eventId: event.id,
      id: { gte: lowest, lte: highest, ...(after === undefined ? {} : { gt: after }) },
      AND: { id: { gte: oldest } },
      ...(own === undefined ? {} : { endpointId: { in: own } }),
    },
    orderBy: { id: 'asc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  return {
    deliveries: await presentDeliveries(ctx.listDb, page, () => event),
    nextCursor: rows.length > limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null,
  };
}
