import { deliveryIdFor } from '@posthorn/ledger/delivery-id';

/** An event that waits for its deliveries. */
export type WaitingEvent = {
  eventId: string;
  workspaceId: string;
  environmentId: string;
  /** Set when the event is for one application's endpoints only. */
  applicationId: string | null;
  /** Null when retention has taken the event. */
  eventType: string | null;
};

/** A delivery to be inserted. */
export type NewDelivery = {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  workspaceId: string;
  environmentId: string;
  eventType: string;
};

/** Deliveries to insert in one statement, and the events that are fanned out once they are in. */
export type FanOutChunk = { deliveries: NewDelivery[]; doneEventIds: string[] };

/** Events of one group go to the same endpoints. */
export function groupOf(event: Pick<WaitingEvent, 'environmentId' | 'eventType' | 'applicationId'>): string {
  return `${event.environmentId} ${event.eventType} ${event.applicationId ?? ''}`;
}

/**
 * Cuts the deliveries of the events into chunks of at most `maxRows`, made one by one as they are asked for, events to
 * few endpoints first. An event is done in the chunk that holds its last delivery; one without endpoints is done in the
 * first chunk. The rows of a chunk are sorted by key, so that two dispatchers insert in the same order.
 */
export function* planFanOut(
  events: readonly WaitingEvent[],
  endpointsOf: (event: WaitingEvent) => readonly string[],
  maxRows: number,
): Generator<FanOutChunk> {
  const matched = events.map((event) => ({ event, endpointIds: endpointsOf(event) }));
  let chunk: FanOutChunk = { deliveries: [], doneEventIds: [] };
  for (const { event, endpointIds } of matched.sort((a, b) => a.endpointIds.length - b.endpointIds.length)) {
    for (const endpointId of endpointIds) {
      if (chunk.deliveries.length === maxRows) {
        yield sorted(chunk);
        chunk = { deliveries: [], doneEventIds: [] };
      }
      chunk.deliveries.push(toDelivery(event, endpointId));
    }
    chunk.doneEventIds.push(event.eventId);
  }
  if (chunk.doneEventIds.length > 0) yield sorted(chunk);
}

/** The chunk's parts, one for each event in it. */
export function splitByEvent({ deliveries, doneEventIds }: FanOutChunk): FanOutChunk[] {
  const parts = new Map<string, FanOutChunk>(doneEventIds.map((id) => [id, { deliveries: [], doneEventIds: [id] }]));
  for (const delivery of deliveries) {
    const part = parts.get(delivery.eventId) ?? { deliveries: [], doneEventIds: [] };
    part.deliveries.push(delivery);
    parts.set(delivery.eventId, part);
  }
  return [...parts.values()];
}

function toDelivery({ eventId, workspaceId, environmentId, eventType }: WaitingEvent, endpointId: string): NewDelivery {
  const deliveryId = deliveryIdFor(eventId, endpointId);
  return { deliveryId, eventId, endpointId, workspaceId, environmentId, eventType: eventType ?? '' };
}

function sorted({ deliveries, doneEventIds }: FanOutChunk): FanOutChunk {
  return { deliveries: deliveries.sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1)), doneEventIds };
}
