import type { NewDelivery } from '@posthorn/ledger/create';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import type { EventGroup } from '@posthorn/queue/jobs';

/** An event with the endpoints that it goes to. */
export type MatchedEvent = { eventId: string; group: EventGroup; endpointIds: readonly string[] };

/** An event that waits for its fan-out. */
export type WaitingEvent = Pick<MatchedEvent, 'eventId' | 'group'>;

/** For each environment, the routing revision under which events were matched. */
export type Revisions = ReadonlyMap<string, string>;

/** Whole events, with all their deliveries. */
export type FanOutChunk = {
  events: MatchedEvent[];
  deliveries: NewDelivery[];
  /** The deliveries that may be attempted at once; all by default. */
  claimable?: NewDelivery[];
};

/**
 * Groups events into chunks of about `maxRows()` deliveries. A chunk is made when it is needed, and only then calls
 * `maxRows`. Events to few endpoints come first. An event is never split, so a chunk exceeds `maxRows()` only if it has
 * a single event. The rows of a chunk are sorted by key, so that all dispatchers insert in the same order.
 */
export function* planFanOut(
  events: readonly MatchedEvent[],
  maxRows: () => number,
): Generator<FanOutChunk, undefined, undefined> {
  let chunk: FanOutChunk = { events: [], deliveries: [] };
  let most = maxRows();
  for (const event of [...events].sort((a, b) => a.endpointIds.length - b.endpointIds.length)) {
    if (chunk.events.length > 0 && chunk.deliveries.length + event.endpointIds.length > most) {
      yield sorted(chunk);
      chunk = { events: [], deliveries: [] };
      most = maxRows();
    }
    chunk.events.push(event);
    for (const endpointId of event.endpointIds) chunk.deliveries.push(toDelivery(event, endpointId));
  }
  if (chunk.events.length > 0) yield sorted(chunk);
}

export function toDelivery({ eventId, group }: Omit<MatchedEvent, 'endpointIds'>, endpointId: string): NewDelivery {
  const { workspaceId, environmentId, eventType } = group;
  const deliveryId = deliveryIdFor(eventId, endpointId);
  return { deliveryId, eventId, endpointId, workspaceId, environmentId, eventType };
}

function sorted({ events, deliveries }: FanOutChunk): FanOutChunk {
  return { events, deliveries: deliveries.sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1)) };
}
