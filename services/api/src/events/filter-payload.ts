import { openPayload } from '@posthorn/crypto/open-payload';
import { type ClauseResult, firstObstacle } from '@posthorn/filter/match-filter';
import type { Filter } from '@posthorn/filter/parse-filter';
import { type Payload, payloadOf } from '@posthorn/filter/payload';
import { isExpired } from '../deliveries/payload.ts';
import type { WorkspaceContext } from '../http/context.ts';

/** The payload of an event as fan-out gives it to filters; undefined when it is gone or the retention has ended. */
export async function readFilterPayload(
  { listDb, sealingKeys, clock, settings }: Pick<WorkspaceContext, 'listDb' | 'sealingKeys' | 'clock' | 'settings'>,
  eventId: string,
): Promise<Payload | undefined> {
  if (isExpired({ clock, settings }, eventId)) return undefined;
  const event = await listDb.event.findUnique({
    where: { id: eventId },
    select: { payload: true, contentType: true },
  });
  if (event === null) return undefined;
  return payloadOf(event.contentType, openPayload(sealingKeys, eventId, event.payload));
}

/** The clause at which a payload failed; undefined when it is no JSON. */
export function obstacleOf(filter: Filter | null, payload: Payload): ClauseResult | undefined {
  return filter !== null && payload.kind === 'json' ? firstObstacle(filter, payload.value) : undefined;
}
