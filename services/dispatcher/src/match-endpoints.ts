import { deliveryIdFor } from '@posthorn/ledger/delivery-id';

/** One endpoint that an event goes to, as the matching query found it. */
export type Match = {
  eventId: string;
  endpointId: string;
  workspaceId: string;
  environmentId: string;
  eventType: string;
};

/** A delivery to be inserted. */
export type NewDelivery = Match & { deliveryId: string };

/** Deliveries to insert together, and the events that are fanned out once they are in. */
export type FanOutChunk = { deliveries: NewDelivery[]; doneEventIds: string[] };

/**
 * Cuts the matches of several events into chunks of at most `mostRows` rows. An event counts as done only in the chunk
 * that holds its last delivery; events without a match are done in the first. Rows are sorted by key, so that two
 * dispatchers insert in the same order.
 */
export function planFanOut(eventIds: readonly string[], matches: readonly Match[], mostRows: number): FanOutChunk[] {
  const deliveries = matches
    .map((match) => ({ ...match, deliveryId: deliveryIdFor(match.eventId, match.endpointId) }))
    .sort((a, b) => (a.eventId === b.eventId ? compare(a.deliveryId, b.deliveryId) : compare(a.eventId, b.eventId)));
  const matched = new Set(matches.map((match) => match.eventId));
  const chunks: FanOutChunk[] = [{ deliveries: [], doneEventIds: eventIds.filter((id) => !matched.has(id)) }];
  for (const [index, delivery] of deliveries.entries()) {
    let chunk = chunks.at(-1);
    if (chunk === undefined || chunk.deliveries.length >= mostRows) {
      chunk = { deliveries: [], doneEventIds: [] };
      chunks.push(chunk);
    }
    chunk.deliveries.push(delivery);
    if (deliveries[index + 1]?.eventId !== delivery.eventId) chunk.doneEventIds.push(delivery.eventId);
  }
  return chunks;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
