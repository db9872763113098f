import { openPayload } from '@posthorn/crypto/open-payload';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import { passes } from '@posthorn/filter/match-filter';
import { type Payload, payloadOf } from '@posthorn/filter/payload';
import type { EndpointFilters } from '@posthorn/routing/routes';
import { createGiveWay } from '@posthorn/runtime/give-way';

export type FilterDeps = { db: Pick<Db, '$queryRaw'>; keys: SealingKeys };

type Candidates = { eventId: string; endpointIds: readonly string[]; filters: EndpointFilters };

type MatchLimits<Event> = {
  maxMs: number;
  isSkipped(event: Event): boolean;
  isolate(event: Event): void;
  /** Counts the time to parse an event and to match its filters. */
  spend(event: Event, ms: number): void;
  /** How the matching pauses. By default, other work of the process runs once. */
  pause?: ((heldMs: number) => Promise<unknown>) | undefined;
};

const NO_LIMITS: MatchLimits<unknown> = {
  maxMs: Number.POSITIVE_INFINITY,
  isSkipped: () => false,
  isolate: () => {},
  spend: () => {},
};

/** The number of payloads to read at once. A payload has at most 1 MiB. */
const PAYLOADS_AT_ONCE = 16;
/**
 * The most time that an event's slowest filter counts for. So a pause of the process, as for garbage collection, does
 * not make an event look slow.
 */
const MAX_MS_OF_SLOWEST = 5;

/**
 * Removes endpoints whose filter an event does not match. A payload is read only if a candidate has a filter, and is
 * parsed once. An event whose payload cannot be decrypted keeps all its endpoints, so that its deliveries show why
 * nothing was sent. Large payloads and many filters take seconds, so other work of the process runs in between. An
 * event that the limits leave out is not returned.
 */
export async function applyFilters<Event extends Candidates>(
  deps: FilterDeps,
  events: readonly Event[],
  limits: MatchLimits<NoInfer<Event>> = NO_LIMITS,
): Promise<Event[]> {
  const filtered = events.filter((event) => event.filters.size > 0);
  if (filtered.length === 0) return [...events];
  const remaining = new Map<string, readonly string[]>();
  for (let start = 0; start < filtered.length; start += PAYLOADS_AT_ONCE) {
    const some = filtered.slice(start, start + PAYLOADS_AT_ONCE).filter((event) => !limits.isSkipped(event));
    const rows = await readRows(deps, [...new Set(some.map((event) => event.eventId))]);
    // Created after the read, because the length of a pause depends on the time of the matching, not of the read.
    const giveWay = createGiveWay(limits.pause);
    for (const event of some) {
      if (limits.isSkipped(event)) continue;
      const spend = (ms: number) => limits.spend(event, ms);
      const startedAtMs = performance.now();
      const payload = toPayload(deps.keys, rows.get(event.eventId));
      spend(performance.now() - startedAtMs);
      await giveWay();
      const matching = await matchingEndpoints(event, payload, { maxMs: limits.maxMs, spend, giveWay });
      if (matching === undefined) limits.isolate(event);
      else remaining.set(event.eventId, matching);
    }
  }
  return events.flatMap((event) => {
    const endpointIds = event.filters.size === 0 ? event.endpointIds : remaining.get(event.eventId);
    return endpointIds === undefined ? [] : [{ ...event, endpointIds }];
  });
}

/** Undefined if matching took longer than `maxMs`, not counting the other work in between. */
async function matchingEndpoints(
  { endpointIds, filters }: Candidates,
  payload: Payload,
  { maxMs, spend, giveWay }: { maxMs: number; spend: (ms: number) => void; giveWay: () => Promise<void> },
): Promise<string[] | undefined> {
  const matching: string[] = [];
  let [spentMs, slowestMs] = [0, 0];
  for (const endpointId of endpointIds) {
    if (spentMs - slowestMs + Math.min(slowestMs, MAX_MS_OF_SLOWEST) > maxMs) return undefined;
    const startedAtMs = performance.now();
    if (passes(filters.get(endpointId), payload)) matching.push(endpointId);
    const tookMs = performance.now() - startedAtMs;
    spentMs += tookMs;
    slowestMs = Math.max(slowestMs, tookMs);
    await giveWay();
  }
  spend(spentMs);
  return matching;
}

type PayloadRow = { id: string; content_type: string | null; payload: Uint8Array | null };

async function readRows({ db }: FilterDeps, eventIds: string[]): Promise<Map<string, PayloadRow>> {
  const rows = await db.$queryRaw<PayloadRow[]>`
    select id, content_type, payload from event where ${among('id', eventIds)}`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Parse one at a time: parsing 1 MiB takes tens of milliseconds, and its value takes tens of megabytes. */
function toPayload(keys: SealingKeys, row: PayloadRow | undefined): Payload {
  if (row === undefined) return { kind: 'unreadable' };
  return payloadOf(row.content_type, openPayload(keys, row.id, row.payload));
}
