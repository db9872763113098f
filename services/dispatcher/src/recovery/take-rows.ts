import type { Db } from '@posthorn/db/client';
import { fanOutJobs } from '@posthorn/queue/fan-out-jobs';
import type { DeliverJob, FanOutJob, FanOutRequest } from '@posthorn/queue/jobs';
import type { Share } from '@posthorn/queue/rows';
import { atMost } from '@posthorn/runtime/at-most';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { LRUCache } from 'lru-cache';
import type { LowWaterMark } from './low-water-mark.ts';
import {
  type After,
  firstAfter,
  NO_GRACE,
  type OverdueRow,
  overdueDeliveries,
  overdueLeft,
  overdueOfEach,
  overdueRetries,
  placeOf,
} from './overdue-deliveries.ts';
import { takeOverdueEvents, takeOverdueEventsOfEach } from './overdue-events.ts';

// Takes events and deliveries from Postgres, in the way that the reconciler finds them, and gives them to the handlers
// of jobs. If rows are the queue, it always runs. With Redis, it runs only while Redis is away. The rows are
// authoritative and claims are exact, so other dispatchers may do the same.

export type TakeRowsDeps = {
  db: Db;
  clock: Clock;
  fanOut: (job: FanOutJob) => Promise<void>;
  deliver: (job: DeliverJob) => Promise<void>;
  /** The most deliveries at once. */
  slotCount: number;
  /** For recurring errors. */
  logger: Pick<Logger, 'warn'>;
  /**
   * The part of the rows that this process takes first. Absent with Redis, whose jobs come before any row is overdue.
   */
  share?: (() => Share) | undefined;
  /** Called when there is room again after there were more rows than room. */
  onRoom?: () => void;
};

/** Takes rows of one kind. */
export type TakeRows = {
  /**
   * Begins the work on some rows, and returns whether there may be more, or whether no row was due. If the process was
   * told of due rows, but finds none in its own part, it takes rows of another part, because nobody else was told.
   */
  round(from: LowWaterMark, options?: { isTold: boolean }): Promise<'more' | 'done' | 'none_due'>;
  /** Resolves once the work in progress has ended. */
  drain(): Promise<void>;
};

/**
 * The most events of a round with Redis, of a round if rows are the queue, and of those behind a flood that are
 * searched for the first of each owner.
 */
const EVENTS = 100;
const EVENTS_OF_QUEUE = 500;
const EVENTS_BEHIND = 500;
const EVENTS_OF_OWNER = 10;
const MOST_FAN_OUTS = 16;
const DELIVERIES = 500;
/** During a flood, the first deliveries of each workspace are taken among this many. */
const DELIVERIES_BEHIND = 10_000;
const DELIVERIES_OF_WORKSPACE = 10;
const BEHIND_EVERY_MS = 250;
/** The most rows to take at once that a page of a flood has already passed. */
const DELIVERIES_LEFT = 500;
/** How long a row may wait for a free place after its read has ended. After that, it is read again. */
const READ_FOR_MS = 500;
/** After this time, a process without rows of its own part takes a row of another's part. */
const LEFT_SECONDS = 0.5;
/** After this time, so does one with rows of its own: the other process may be busy with slow endpoints for long. */
const LEFT_BESIDE_OWN_SECONDS = 2;
/**
 * How long a delivery is left alone after a failure of our own. While Redis is away, a delivery with a limit fails in
 * this way.
 */
const FAILED_FOR_MS = 3_000;
const MOST_FAILED = 50_000;
/** More than begin while a read is kept. A row that is begun twice costs a claim that finds nothing. */
const MOST_BEGUN = 5_000;

export type TakeEvents = TakeRows & {
  /** Continues the fan-out of these events where it stopped, before other events are taken. */
  again(events: readonly FanOutRequest[]): void;
};

/** Fans out some events. An event that may be poisonous is isolated, as by the reconciler. */
export function createTakeEvents({ db, fanOut, logger, share }: TakeRowsDeps): TakeEvents {
  const isQueue = share !== undefined;
  const limit = isQueue ? EVENTS_OF_QUEUE : EVENTS;
  const underWay = new Set<Promise<void>>();
  let after: string | undefined;
  const begin = (job: FanOutJob) => {
    const ended = fanOut(job)
      .catch((error: unknown) => logger.warn('events could not be fanned out yet', errorFields(error)))
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  return {
    again(events) {
      for (const job of fanOutJobs(events)) begin(job);
    },
    async round({ beforeEventId }) {
      while (underWay.size >= MOST_FAN_OUTS) await Promise.race(underWay);
      const oldest = await takeOverdueEvents(db, { limit, after: beforeEventId, isQueue });
      const isFlood = oldest.length >= limit;
      const page = { limit: EVENTS_BEHIND, ofOwner: EVENTS_OF_OWNER, after: after ?? beforeEventId, isQueue };
      const behind = isFlood ? await takeOverdueEventsOfEach(db, page) : undefined;
      after = behind?.after;
      for (const job of fanOutJobs(behind?.events ?? [])) begin(job);
      for (const job of fanOutJobs(oldest)) begin(isFlood ? { ...job, isOfFlood: true } : job);
      if (isFlood) return 'more';
      return oldest.length > 0 ? 'done' : 'none_due';
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/**
 * Takes deliveries while there are free places: retries of the workspaces in turn, a few deliveries of each workspace
 * behind a flood, and a page of all rows, which moves on.
 */
export function createTakeDeliveries(deps: TakeRowsDeps): TakeRows {
  const { db, deliver, slotCount, clock, logger, share, onRoom } = deps;
  const grace = share === undefined ? {} : { graceSeconds: NO_GRACE };
  const underWay = new Map<string, Promise<void>>();
  const failed = new LRUCache<string, number>(atMost(MOST_FAILED));
  const begun = new LRUCache<string, number>(atMost(MOST_BEGUN));
  const every = (everyMs: number) => {
    let atMs = Number.NEGATIVE_INFINITY;
    return () => {
      if (clock.monotonicMs() - atMs < everyMs) return false;
      atMs = clock.monotonicMs();
      return true;
    };
  };
  const isTimeForOthers = every(BEHIND_EVERY_MS);
  let after: After | undefined;
  let afterWorkspaceId: string | undefined;
  let behind: After | undefined;
  let leftAfter: After | undefined;
  /**
   * Rows that were read but have not begun. They come first: rows that pages have passed, and rows of workspaces other
   * than the flood's.
   */
  let others: Read = { rows: [], atMs: 0, endedAtMs: 0 };
  let page: Read = { rows: [], atMs: 0, endedAtMs: 0 };
  let isFlood = false;
  const hasFailed = (deliveryId: string) =>
    clock.monotonicMs() - (failed.get(deliveryId) ?? Number.NEGATIVE_INFINITY) < FAILED_FOR_MS;
  const begin = (row: OverdueRow, readAtMs: number) => {
    const { deliveryId, eventId, endpointId, workspaceId, isolated, expired, recovered } = row;
    // The row may have been read twice, and have begun or even ended since.
    const hasBegun = (begun.get(deliveryId) ?? Number.NEGATIVE_INFINITY) >= readAtMs;
    if (underWay.has(deliveryId) || hasBegun || hasFailed(deliveryId)) return;
    begun.set(deliveryId, clock.monotonicMs());
    const mode = isolated ? 'isolated' : expired ? 'expired_lease' : undefined;
    const job: DeliverJob = {
      ...{ deliveryId, eventId, endpointId, workspaceId },
      ...(mode === undefined ? {} : { mode }),
      ...(recovered ? { recovered } : {}),
    };
    const ended = deliver(job)
      .catch((error: unknown) => {
        failed.set(deliveryId, clock.monotonicMs());
        logger.warn('a delivery that was taken from Postgres could not be attempted', errorFields(error));
      })
      .finally(() => {
        underWay.delete(deliveryId);
        beginRead();
        if (isFlood && page.rows.length === 0) onRoom?.();
      });
    underWay.set(deliveryId, ended);
  };
  const beginRead = () => {
    const nowMs = clock.monotonicMs();
    for (const read of [others, page]) if (nowMs - read.endedAtMs > READ_FOR_MS) read.rows = [];
    while (underWay.size < slotCount) {
      const read = others.rows.length > 0 ? others : page;
      const row = read.rows.shift();
      if (row === undefined) return;
      begin(row, read.atMs);
      if (read === page) after = row;
    }
  };
  /**
   * A page of a flood only moves on, but some rows behind it keep their due times: ended leases, failed deliveries, and
   * rows of another's part. They must not wait for the end of the flood.
   */
  const readLeft = async (from: LowWaterMark) => {
    if (after === undefined) return [];
    const places = { after: leftAfter ?? firstAfter(from), until: after, share: shareNow() };
    const left = await overdueLeft(db, { limit: DELIVERIES_LEFT, among: DELIVERIES_BEHIND, ...places, ...grace });
    leftAfter = left.next;
    return left.rows;
  };
  const readOthers = async (from: LowWaterMark) => {
    const atMs = clock.monotonicMs();
    const left = await readLeft(from);
    const retries = await overdueRetries(db, afterWorkspaceId, grace.graceSeconds);
    afterWorkspaceId = retries.nextWorkspaceId;
    const asked = { limit: DELIVERIES_BEHIND, ofWorkspace: DELIVERIES_OF_WORKSPACE, after: behind ?? after, ...grace };
    const ofEach = isFlood ? await overdueOfEach(db, asked) : undefined;
    behind = ofEach?.next;
    const rows = inTurns(left, mine([...retries.rows, ...(ofEach?.rows ?? [])]));
    others = { rows, atMs, endedAtMs: clock.monotonicMs() };
  };
  const shareNow = () => share?.() ?? ALONE;
  /**
   * The rows that this process takes: its own part, and then rows that the others have left. On a page of a flood, every
   * row is late, so it takes another's only where none is its own.
   */
  const mine = (rows: readonly OverdueRow[], { takesAny = false, isOfFlood = false } = {}) => {
    const { place, of } = shareNow();
    const isOwn = ({ deliveryId }: OverdueRow) => placeOf(deliveryId, of) === place;
    const own = rows.filter(isOwn);
    if (own.length === 0) return rows.filter(({ lateSeconds }) => takesAny || lateSeconds > LEFT_SECONDS);
    if (isOfFlood) return own;
    return [...own, ...rows.filter((row) => !isOwn(row) && row.lateSeconds > LEFT_BESIDE_OWN_SECONDS)];
  };
  return {
    async round(from, { isTold } = { isTold: false }) {
      // Do this even while every slot is taken, because these rows get the next ones.
      if (isTimeForOthers()) await readOthers(from);
      beginRead();
      if (underWay.size >= slotCount) return 'more';
      const atMs = clock.monotonicMs();
      const found = await overdueDeliveries(db, { limit: DELIVERIES, after: after ?? firstAfter(from), ...grace });
      isFlood = found.length === DELIVERIES;
      const rows = mine(found, { takesAny: isTold && !isFlood, isOfFlood: isFlood });
      page = { rows, atMs, endedAtMs: clock.monotonicMs() };
      // Pass a page that has no rows of this process. In a flood, its rows are read separately later. Otherwise start
      // over.
      if (page.rows.length === 0) after = isFlood ? found.at(-1) : undefined;
      beginRead();
      if (!isFlood && page.rows.length === 0) after = undefined;
      return isFlood || page.rows.length > 0 ? 'more' : 'done';
    },
    async drain() {
      for (const read of [others, page]) read.rows = [];
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

/** A read may take long itself, so its rows are kept from its end. What began before `atMs` was not seen by it. */
type Read = { rows: OverdueRow[]; atMs: number; endedAtMs: number };

const ALONE: Share = { place: 0, of: 1 };

/** Takes rows alternately from both, so that neither hides the other. */
function inTurns<T>(one: readonly T[], other: readonly T[]): T[] {
  const rows: T[] = [];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1)
    rows.push(...one.slice(at, at + 1), ...other.slice(at, at + 1));
  return rows;
}
