import { deliveryIdFor } from '@posthorn/ledger/delivery-id';

/** One endpoint that an event goes to, as the matching query found it. */
export type Match = {
  eventId: string;
  endpointId: string;
  workspaceId: string;
  environmentId: string;
  eventType: string;
};

/** An event that waits for its deliveries; its type is null when retention has taken the event. */
export type WaitingEvent = {
  eventId: string;
  workspaceId: string;
  environmentId: string;
  /** Set when the event is for one application's endpoints only. */
  applicationId: string | null;
  eventType: string | null;
};

/** An active endpoint that subscribes to a type which is published in its environment. */
export type Subscriber = {
  environmentId: string;
  eventType: string;
  endpointId: string;
  applicationId: string | null;
};

/** Which endpoints each event goes to: those of its environment and type, and of its application when it names one. */
export function matchEndpoints(events: readonly WaitingEvent[], subscribers: readonly Subscriber[]): Match[] {
  const byType = new Map<string, Subscriber[]>();
  for (const subscriber of subscribers) {
    const type = `${subscriber.environmentId} ${subscriber.eventType}`;
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [subscriber]);
    else known.push(subscriber);
  }
  return events.flatMap(({ eventId, workspaceId, environmentId, applicationId, eventType }) => {
    if (eventType === null) return [];
    const candidates = byType.get(`${environmentId} ${eventType}`) ?? [];
    return candidates
      .filter((candidate) => applicationId === null || candidate.applicationId === applicationId)
      .map(({ endpointId }) => ({ eventId, endpointId, workspaceId, environmentId, eventType }));
  });
}

/** A delivery to be inserted. */
export type NewDelivery = Match & { deliveryId: string };

/** Deliveries to insert together, and the events that are fanned out once they are in. */
export type FanOutChunk = { deliveries: NewDelivery[]; doneEventIds: string[] };

/** Rows of one chunk at most, and how many an event must have for the others not to wait for it. */
export type ChunkLimits = { mostRows: number; wide: number };

/**
 * Cuts the matches of several events into chunks, those of wide events last. An event counts as done only in the chunk
 * that holds its last delivery; events without a match are done in the first. Rows are sorted by key, so that two
 * dispatchers insert in the same order.
 */
export function planFanOut(
  eventIds: readonly string[],
  matches: readonly Match[],
  { mostRows, wide }: ChunkLimits,
): FanOutChunk[] {
  const widths = new Map<string, number>();
  for (const { eventId } of matches) widths.set(eventId, (widths.get(eventId) ?? 0) + 1);
  const isWide = ({ eventId }: Match) => (widths.get(eventId) ?? 0) >= wide;
  const [first = { deliveries: [], doneEventIds: [] }, ...others] = [
    ...cut(
      matches.filter((match) => !isWide(match)),
      mostRows,
    ),
    ...cut(matches.filter(isWide), mostRows),
  ];
  const unmatched = eventIds.filter((id) => !widths.has(id));
  return [{ ...first, doneEventIds: [...unmatched, ...first.doneEventIds] }, ...others];
}

function cut(matches: readonly Match[], mostRows: number): FanOutChunk[] {
  const deliveries = matches
    .map((match) => ({ ...match, deliveryId: deliveryIdFor(match.eventId, match.endpointId) }))
    .sort((a, b) => (a.eventId === b.eventId ? compare(a.deliveryId, b.deliveryId) : compare(a.eventId, b.eventId)));
  const chunks: FanOutChunk[] = [];
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
