import type { LiveBatch, LivePublisher } from './live.ts';

/** The interval at which every process sends its batches. */
export const EVERY_MS = 200;
/**
 * After this many rounds without changes, about a second, a process sends an empty batch to each listened workspace.
 */
export const BEAT_ROUNDS = 5;
export const SWEEP_EVERY_MS = 1_000;
export const STREAM_LEASE_MS = 30_000;
/** The most changes of a workspace in a batch of one process. */
const MAX_CHANGES = 500;

/** The changes of a workspace that a process gathers for its next batch. */
export type Gathered = { deliveries: Map<string, string>; eventIds: string[]; dropped: number | null };

export const nothingGathered = (): Gathered => ({ deliveries: new Map(), eventIds: [], dropped: 0 });

/** Gathers the changes of a process until its next round. Changes of a workspace without listeners are not kept. */
export function createGathering(isListened: (workspaceId: string) => boolean) {
  let gathered = new Map<string, Gathered>();
  const of = (workspaceId: string): Gathered | undefined => {
    if (!isListened(workspaceId)) return undefined;
    const known = gathered.get(workspaceId) ?? nothingGathered();
    gathered.set(workspaceId, known);
    return known;
  };
  const taker: Pick<LivePublisher, 'deliveryChanged' | 'eventAccepted'> = {
    deliveryChanged({ workspaceId, ...delivery }) {
      const changes = of(workspaceId);
      if (changes !== undefined) addDelivery(changes, delivery);
    },
    eventAccepted({ workspaceId, eventId }) {
      const changes = of(workspaceId);
      if (changes !== undefined) addEvent(changes, eventId);
    },
  };
  return {
    taker,
    of,
    /** Returns the gathered changes, and starts over. */
    end(): ReadonlyMap<string, Gathered> {
      const ended = gathered;
      gathered = new Map();
      return ended;
    },
  };
}

/** A later change of the same delivery needs no more room. */
function addDelivery(gathered: Gathered, { deliveryId, endpointId }: { deliveryId: string; endpointId: string }): void {
  if (isFull(gathered) && !gathered.deliveries.has(deliveryId)) dropOne(gathered);
  else gathered.deliveries.set(deliveryId, endpointId);
}

function addEvent(gathered: Gathered, eventId: string): void {
  if (isFull(gathered)) dropOne(gathered);
  else gathered.eventIds.push(eventId);
}

function dropOne(gathered: Gathered): void {
  if (gathered.dropped !== null) gathered.dropped += 1;
}

function isFull({ deliveries, eventIds }: Gathered): boolean {
  return deliveries.size + eventIds.length >= MAX_CHANGES;
}

export function isEmpty({ deliveries, eventIds, dropped }: LiveBatch): boolean {
  return deliveries.length + eventIds.length === 0 && dropped === 0;
}
