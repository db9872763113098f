import { ApiError } from '@posthorn/contract/api-error';
import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import type { Limits } from './quota-limits.ts';
import { createTally } from './quota-tally.ts';
import { addUsage, dayOf, NO_USAGE, readUsage, type Usage } from './quota-usage.ts';

const EVERY_MS = 1_000;
/**
 * The greatest age, since their read, of other processes' counts in a decision. Together with the second until a count
 * is written, this is the bound in docs/interface.md, Quotas.
 */
const MAX_AGE_MS = 4_000;

/** Room for one event. Count it once the event is stored, or else release it. */
export type Room = { count: (acceptedAt: Date) => void; release: () => void };

export type Quotas = {
  /**
   * Takes room for an event with a payload of `bytes`, or throws `rate_limited`. A workspace without limits never
   * waits. A workspace with limits waits for a read of its usage only if the last read is too old. All events that wait
   * share that read.
   */
  take(event: { workspaceId: string; limits: Limits; bytes: number }): Promise<Room>;
  /** Writes the last counts. */
  stop(): Promise<void>;
};

export type QuotasOptions = {
  db: Db;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  retentionDays: number;
  /** Called for each event that a limit refuses. */
  onRefused: (quota: Quota) => void;
};

type Entry = {
  known: { usage: Usage; day: string; readAtMs: number } | undefined;
  /** Events that are being stored, and their bytes. */
  open: { events: number; bytes: number };
  /** Whether the next round should read the usage of this workspace. */
  isAsked: boolean;
};

/**
 * Counts the accepted events of each workspace in memory, and writes the counts once a second. It also reads what all
 * processes have written for workspaces with limits that have sent events since. No insert of an event touches a shared
 * row.
 */
export function startQuotas(options: QuotasOptions): Quotas {
  const { db, clock, logger, retentionDays, onRefused } = options;
  const tally = createTally();
  const entries = new Map<string, Entry>();
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const onError = (error: unknown) =>
    logger.warn('the usage of workspaces could not be updated yet', errorFields(error));

  const rounds = repeat({
    async round() {
      const served = waiting;
      waiting = [];
      try {
        await update();
      } catch (error) {
        for (const one of served) one.reject(error);
        throw error;
      }
      for (const one of served) one.resolve();
      return EVERY_MS;
    },
    waitAfterErrorMs: EVERY_MS,
    onError,
  });

  /** Writes the counts and reads the usage. Every count is in the tally or in the usage that was read. */
  async function update(): Promise<void> {
    // Before the write: the read of this round does not include what is counted meanwhile, so the next round reads again.
    const asked = [...entries].filter(([, entry]) => entry.isAsked);
    for (const [, entry] of asked) entry.isAsked = false;
    const { unwritten, failed } = await addUsage(db, tally.beginWrite());
    const readAtMs = clock.monotonicMs();
    const now = clock.now();
    try {
      const workspaceIds = asked.map(([workspaceId]) => workspaceId);
      const usage = await readUsage(db, workspaceIds, { now, retentionDays });
      for (const [id, entry] of asked) {
        const read = usage.get(id);
        entry.known = read && { usage: read, day: dayOf(now), readAtMs };
      }
    } catch (error) {
      // The written counts leave the tally now, so usage that was read before is too low.
      for (const entry of entries.values()) entry.known = undefined;
      throw error;
    } finally {
      tally.endWrite(unwritten);
    }
    forgetIdle(entries, readAtMs);
    if (failed !== undefined) onError(failed);
  }

  const nextRound = () =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ resolve, reject });
      rounds.hurry();
    });

  async function freshEntry(workspaceId: string): Promise<Entry> {
    const entry = entries.get(workspaceId) ?? { known: undefined, open: { events: 0, bytes: 0 }, isAsked: true };
    entries.set(workspaceId, entry);
    entry.isAsked = true;
    if (!isFresh(entry, clock)) await nextRound();
    return entry;
  }

  function usageOf(workspaceId: string, { known, open }: Entry, now: Date): Usage {
    const own = tally.of(workspaceId, dayOf(now));
    const { eventsToday, bytesKept, attemptBytesKept } = known?.usage ?? NO_USAGE;
    return {
      eventsToday: eventsToday + own.events + open.events,
      bytesKept: bytesKept + own.bytes + open.bytes,
      attemptBytesKept,
    };
  }

  return {
    async take({ workspaceId, limits, bytes }) {
      const count = (acceptedAt: Date) => tally.add(workspaceId, dayOf(acceptedAt), bytes);
      if (Object.values(limits).every((limit) => limit === null)) return { count, release: () => {} };
      const entry = await freshEntry(workspaceId);
      // Do not await anything between the decision and taking the room.
      const now = clock.now();
      const full = fullQuota(limits, usageOf(workspaceId, entry, now), bytes);
      if (full !== null) {
        onRefused(full);
        throw refusalOf(full, limits, now);
      }
      return openRoom(entry, bytes, count);
    },
    async stop() {
      await rounds.stop();
      const { unwritten, failed } = await addUsage(db, tally.beginWrite());
      tally.endWrite(unwritten);
      if (failed !== undefined) onError(failed);
      for (const one of waiting) one.reject(new Error('this process is stopping'));
    },
  };
}

function isFresh({ known }: Entry, clock: Clock): boolean {
  return known !== undefined && clock.monotonicMs() - known.readAtMs < MAX_AGE_MS && known.day === dayOf(clock.now());
}

function openRoom(entry: Entry, bytes: number, count: Room['count']): Room {
  entry.open.events += 1;
  entry.open.bytes += bytes;
  let isOpen = true;
  const release = () => {
    if (!isOpen) return;
    isOpen = false;
    entry.open.events -= 1;
    entry.open.bytes -= bytes;
  };
  return {
    count(acceptedAt) {
      release();
      count(acceptedAt);
      entry.isAsked = true;
    },
    release,
  };
}

/** Forgets entries that are too old for a decision and have no event being stored. */
function forgetIdle(entries: Map<string, Entry>, nowMs: number): void {
  for (const [workspaceId, { known, open, isAsked }] of entries) {
    const isOld = known === undefined || nowMs - known.readAtMs >= MAX_AGE_MS;
    if (isOld && !isAsked && open.events === 0) entries.delete(workspaceId);
  }
}

/** The metric labels of a workspace's limits. */
type Quota = 'events_per_day' | 'bytes_kept' | 'attempt_bytes_kept';

const DAY_MS = 86_400_000;
/** Room appears when a day of the retention ends, or the operator raises the limit. */
const BYTES_RETRY_SECONDS = 3_600;

/** The limit that has no room for one more event with a payload of `bytes`; null if there is room. */
function fullQuota(limits: Limits, usage: Usage, bytes: number): Quota | null {
  if (limits.eventsPerDay !== null && usage.eventsToday + 1 > limits.eventsPerDay) return 'events_per_day';
  if (limits.bytesKept !== null && bytes > 0 && usage.bytesKept + bytes > limits.bytesKept) return 'bytes_kept';
  // Nobody knows yet how much an event's attempts will store.
  if (limits.attemptBytesKept !== null && usage.attemptBytesKept >= limits.attemptBytesKept)
    return 'attempt_bytes_kept';
  return null;
}

/** The error beyond a limit (docs/interface.md, Quotas). `Retry-After` points to the next UTC day, or is an hour. */
function refusalOf(quota: Quota, limits: Limits, now: Date): ApiError {
  if (quota === 'events_per_day') {
    const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
    const message = `This workspace may send ${limits.eventsPerDay} events a day (UTC)`;
    return new ApiError('rate_limited', message, { 'Retry-After': String(seconds) });
  }
  const message =
    quota === 'bytes_kept'
      ? `This workspace may keep ${limits.bytesKept} bytes of payloads; they are kept for the retention`
      : `This workspace may keep ${limits.attemptBytesKept} bytes of attempts; they are kept for the retention`;
  return new ApiError('rate_limited', message, { 'Retry-After': String(BYTES_RETRY_SECONDS) });
}
