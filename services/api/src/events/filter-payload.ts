import { openPayload } from '@posthorn/crypto/open-payload';
import { type ClauseResult, firstObstacle } from '@posthorn/filter/match-filter';
import type { Filter } from '@posthorn/filter/parse-filter';
import { type Payload, payloadOf } from '@posthorn/filter/payload';
import { isExpired } from '../deliveries/payload.ts';
import type { WorkspaceContext } from '../operation/context.ts';

/** The payload of an event as fan-out gives it to filters; undefined when it is gone, was erased, or the retention has ended. */
export async function readFilterPayload(
  ctx: Pick<WorkspaceContext, 'listDb' | 'sealingKeys' | 'clock' | 'settings' | 'workspace'>,
  eventId: string,
): Promise<Payload | undefined> {
  if (isExpired(ctx, eventId)) return undefined;
  const event = await ctx.listDb.event.findUnique({
    where: { id: eventId },
    select: { payload: true, payloadSize: true, contentType: true },
  });
  if (event === null || (event.payload === null && event.payloadSize > 0)) return undefined;
  return payloadOf(event.contentType, openPayload(ctx.sealingKeys, eventId, event.payload));
}

/** The clause at which a payload failed; undefined when it is not JSON. */
export function obstacleOf(filter: Filter | null, payload: Payload): ClauseResult | undefined {
  return filter !== null && payload.kind === 'json' ? firstObstacle(filter, payload.value) : undefined;
}
