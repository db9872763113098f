import { isJsonType } from '@posthorn/contract/ingest';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import { type ClauseResult, firstObstacle, matches } from '@posthorn/filter/match-filter';
import type { Filter } from '@posthorn/filter/parse-filter';
import { type Payload, parsePayload } from '@posthorn/filter/payload';
import type { WorkspaceContext } from '../http/context.ts';

/**
 * The payload of an event as fan-out gives it to filters. Undefined when it cannot be opened: fan-out then applies no
 * filter.
 */
export async function readFilterPayload(
  { listDb, sealingKeys }: Pick<WorkspaceContext, 'listDb' | 'sealingKeys'>,
  eventId: string,
): Promise<Payload | undefined> {
  const event = await listDb.event.findUnique({
    where: { id: eventId },
    select: { payload: true, contentType: true },
  });
  if (event === null) return undefined;
  if (event.payload === null || !isJsonType(event.contentType ?? undefined)) return { isJson: false };
  const opened = open(sealingKeys, event.payload, sealContext.payload(eventId));
  return opened.kind === 'opened' ? parsePayload(opened.plaintext) : undefined;
}

/** Whether fan-out lets an event with this payload pass the filter. */
export function passes(filter: Filter, payload: Payload | undefined): boolean {
  return payload === undefined || (payload.isJson && matches(filter, payload.value));
}

/** The clause at which a payload failed; undefined when it is no JSON. */
export function obstacleOf(filter: Filter | null, payload: Payload | undefined): ClauseResult | undefined {
  return filter !== null && payload?.isJson === true ? firstObstacle(filter, payload.value) : undefined;
}
