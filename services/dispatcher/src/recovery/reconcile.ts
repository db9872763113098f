import type { Db } from '@posthorn/db/client';
import type { DeliverMode, FanOutRequest } from '@posthorn/queue/jobs';
import type { OverdueDelivery, Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import type { DispatcherMetrics } from '../metrics.ts';
import { createLowWaterMark, type LowWaterMark } from './low-water-mark.ts';
import { type After, firstAfter, type OverdueRow, overdueDeliveries, overdueRetries } from './overdue-deliveries.ts';
import { takeOverdueEvents, takeOverdueEventsOfEach } from './overdue-events.ts';

export type ReconcileDeps = {
  db: Db;
  producer: Pick<
    Producer,
    'enqueueFanOut' | 'enqueueOverdue' | 'depths' | 'takeReconcilerTurn' | 'shortenReconcilerTurn'
  >;
  clock: Clock;
  metrics: Pick<DispatcherMetrics, 'reconciled'>;
  /**
   * Sets the gauges. Only the dispatcher that has the turn sets them. Without Redis, all dispatchers set those from
   * Postgres.
   */
  readGauges: (from: LowWaterMark) => Promise<void>;
  forgetGauges: () => void;
  intervalMs: number;
};

/** The number of rows that a round enqueued, and the delay before the next round. */
export type Reconciled = { events: number; deliveries: number; againInMs: number };

/** The delay after a full page, or while the queue has no room for a page. */
const SOON_MS = 200;
/** The most rows that one round enqueues. A page must fit into the queue beside the waiting jobs. */
const PAGE = 5_000;
/**
 * Below this depth, an overdue row has no live job: the job was lost, or its worker died. Above it, most overdue rows
 * have a waiting job.
 */
const BUSY_DEPTH = 2_500;
/** The same depth for fan-out, whose jobs have up to 100 events. */
const BUSY_FAN_OUT_DEPTH = 50;
/** The number of overdue rows to read once a second during a flood, because their jobs may have been lost. */
const BUSY_PAGE = 500;
/** The number of overdue events to read once a second during a flood. Only a few of them are enqueued. */
const BUSY_EVENT_PAGE = 2_000;
/** The most of these events for each owner. Most events of the flood's owner have a waiting job. */
const BUSY_EVENTS_OF_OWNER = 5;
const BUSY_EVERY_MS = 1_000;
const JOBS_AT_ONCE = 500;
const EVENTS_A_JOB = 100;
/** After more refused turns in a row than this, another dispatcher has taken over the turns. */
const MAX_REFUSALS = 2;

/**
 * Creates a round that enqueues overdue rows of Postgres: events that are not fanned out, due deliveries without a live
 * job, and expired leases. An extra job is harmless, because its claim finds nothing to do. A turn lasts half an
 * interval, and only one dispatcher has it. Otherwise all dispatchers would enqueue, and then process, the same rows.
 */
export function createReconcile(deps: ReconcileDeps): () => Promise<Reconciled> {
  const { db, producer, metrics, readGauges, forgetGauges, intervalMs } = deps;
  const lowWaterMark = createLowWaterMark(deps);
  const deliveriesBehindFlood = onceASecond(deps, createBusyReader(deps));
  const eventsBehindFlood = onceASecond(deps, createBusyEventReader(deps));
  const turnMs = Math.ceil(intervalMs / 2);
  let refusals = 0;
  // Without Redis, deliveries are late, so the age of the waiting rows matters most. Then every dispatcher sets it.
  const showAge = async (error: unknown): Promise<never> => {
    await lowWaterMark
      .read()
      .then(readGauges)
      .catch(() => undefined);
    throw error;
  };
  return async () => {
    if (!(await producer.takeReconcilerTurn(turnMs).catch(showAge))) {
      refusals += 1;
      if (refusals > MAX_REFUSALS) forgetGauges();
      return { events: 0, deliveries: 0, againInMs: turnMs };
    }
    refusals = 0;
    const depths = await producer.depths();
    const from = await lowWaterMark.read();
    const isFanOutBusy = depths.fanOut.waiting >= BUSY_FAN_OUT_DEPTH;
    const events = isFanOutBusy
      ? await eventsBehindFlood(from)
      : await takeOverdueEvents(db, { limit: PAGE, after: from.beforeEventId });
    for (const page of pagesOf(events, EVENTS_A_JOB)) await producer.enqueueFanOut(page);
    const isBusy = depths.deliver.waiting >= BUSY_DEPTH;
    const rows = isBusy
      ? await deliveriesBehindFlood(from)
      : await overdueDeliveries(db, { limit: PAGE, after: firstAfter(from) });
    let deliveries = 0;
    for (const page of pagesOf(rows.map(toRequest), JOBS_AT_ONCE)) deliveries += await producer.enqueueOverdue(page);
    metrics.reconciled.inc({ queue: 'fan-out' }, events.length);
    metrics.reconciled.inc({ queue: 'deliver' }, deliveries);
    await readGauges(from);
    if (!isBusy && !isFanOutBusy && events.length < PAGE && rows.length < PAGE)
      return { events: events.length, deliveries, againInMs: intervalMs };
    const againInMs = Math.min(SOON_MS, intervalMs);
    // Half the time, so that the turn is free again at this dispatcher's next round.
    await producer.shortenReconcilerTurn(againInMs / 2);
    return { events: events.length, deliveries, againInMs };
  };
}

/** Makes the function read rows at most once a second, and return none in between. */
function onceASecond<Row>(
  { clock }: Pick<ReconcileDeps, 'clock'>,
  read: (from: LowWaterMark) => Promise<Row[]>,
): (from: LowWaterMark) => Promise<Row[]> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async (from) => {
    if (clock.monotonicMs() - readAtMs < BUSY_EVERY_MS) return [];
    readAtMs = clock.monotonicMs();
    return read(from);
  };
}

/**
 * Reads a part of the overdue deliveries while a flood fills the queue: retries of each workspace in turn, and a page
 * of all rows that moves on with each call. So one workspace's deliveries do not wait for the end of another's flood.
 */
function createBusyReader({ db }: Pick<ReconcileDeps, 'db'>): (from: LowWaterMark) => Promise<OverdueRow[]> {
  let after: After | undefined;
  let afterWorkspaceId: string | undefined;
  return async (from) => {
    const page = await overdueDeliveries(db, { limit: BUSY_PAGE, after: after ?? firstAfter(from) });
    after = page.length === BUSY_PAGE ? page.at(-1) : undefined;
    const retries = await overdueRetries(db, afterWorkspaceId);
    afterWorkspaceId = retries.nextWorkspaceId;
    return [...retries.rows, ...page];
  };
}

/** Takes a few overdue events of each owner of workspaces, from a page that moves on with each call. */
function createBusyEventReader({ db }: Pick<ReconcileDeps, 'db'>): (from: LowWaterMark) => Promise<FanOutRequest[]> {
  let after: string | undefined;
  return async ({ beforeEventId }) => {
    const page = { limit: BUSY_EVENT_PAGE, ofOwner: BUSY_EVENTS_OF_OWNER, after: after ?? beforeEventId };
    const taken = await takeOverdueEventsOfEach(db, page);
    after = taken.after;
    return taken.events;
  };
}

function toRequest({
  expired,
  isolated,
  recovered,
  dueAt: _dueAt,
  lateSeconds: _lateSeconds,
  ...row
}: OverdueRow): OverdueDelivery {
  const mode: DeliverMode | undefined = isolated ? 'isolated' : expired ? 'expired_lease' : undefined;
  const options = { ...(mode === undefined ? {} : { mode }), ...(recovered ? { recovered } : {}) };
  return { ...row, ...options, delayMs: 0 };
}

function* pagesOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
