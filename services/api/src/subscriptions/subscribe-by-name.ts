import { toId } from '@posthorn/contract/ids';
import { isOperational } from '@posthorn/contract/operational-events';
import { type ChosenEventType, isEventTypePattern } from '@posthorn/contract/subscriptions';
import type { DbTransaction } from '@posthorn/db/client';
import { publishedWithin } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { requireFilter } from './filters.ts';
import { insertSubscriptions, requirePatterns, subscribeByPatterns } from './patterns.ts';

type Place = { id: string; applicationId: string | null };

/**
 * Subscribes a new endpoint to what its body names. An unknown name is `not_found`. A name goes before a pattern that it
 * fits, and the first pattern before a later one. Returns the ids of the named types, and the number of
 * subscriptions.
 */
export async function subscribeByName(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  endpoint: Place,
  chosen: readonly ChosenEventType[],
): Promise<{ eventTypeIds: string[]; subscribed: number }> {
  const named = chosen
    .map((one, index) => ({ ...one, field: `eventTypes[${index}]` }))
    .filter(({ name }) => !isEventTypePattern(name));
  const found = await transaction.eventType.findMany({
    where: { workspaceId: ctx.workspace.id, name: { in: named.map(({ name }) => name) }, ...publishedWithin(ctx) },
    select: { id: true, name: true },
  });
  const ids = new Map(found.map(({ id, name }) => [name, id]));
  const rows = named.map(({ name, filter, field }) => {
    const eventTypeId = ids.get(name);
    if (eventTypeId === undefined) throw new ApiError('not_found', `Event type not found: ${name}`);
    if (endpoint.applicationId !== null && isOperational(name)) {
      throw invalid(
        `eventTypes must not name ${name}: an endpoint of an application gets no operational events`,
        field,
      );
    }
    return { eventTypeId, filter: requireFilter(filter, `${field}.filter`), pattern: null };
  });
  const byName = await insertSubscriptions(ctx, transaction, endpoint.id, rows);
  const byPattern = await subscribeByPatterns(ctx, transaction, endpoint.id, requirePatterns(chosen, 'eventTypes'));
  const eventTypeIds = [...new Set(rows.map(({ eventTypeId }) => toId('evt', eventTypeId)))];
  return { eventTypeIds, subscribed: byName + byPattern };
}
