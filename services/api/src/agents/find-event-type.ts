import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { nearestName } from '@posthorn/runtime/nearest-name';
import { visibleTypes } from '../event-types/event-types.ts';
import { ApiError } from '../transport/error.ts';
import type { Caller } from './ask.ts';

/**
 * The id of an event type that the caller may know, by its name. The refusal of an unknown name shows a similar one to a
 * caller who may read event types.
 */
export async function findEventType(caller: Caller, name: string): Promise<string> {
  const ctx = caller.context();
  const known = { AND: [visibleTypes(ctx)], workspaceId: ctx.workspace.id };
  const row = await ctx.db.eventType.findFirst({ where: { ...known, name }, select: { id: true } });
  if (row !== null) return toId('evt', row.id);
  const unknown = `Event type not found: ${name}`;
  if (!caller.may(caller.isPortal ? 'getPortalCatalogEventType' : 'getEventType')) {
    throw new ApiError('not_found', unknown);
  }
  const others = await ctx.db.eventType.findMany({
    where: known,
    select: { name: true },
    orderBy: { id: 'asc' },
    take: LIMITS.eventTypesPerWorkspace,
  });
  const near = nearestName(
    name,
    others.map((one) => one.name),
  );
  const hint = near === undefined ? '' : `. Did you mean ${near}?`;
  throw new ApiError('not_found', `${unknown}${hint}`);
}
