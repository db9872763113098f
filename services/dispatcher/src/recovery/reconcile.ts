import type { Db } from '@posthorn/db/client';
import type { DeliverMode } from '@posthorn/queue/jobs';
import type { OverdueDelivery, Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import type { DispatcherMetrics } from '../metrics.ts';
import { type After, type OverdueRow, overdueDeliveries, overdueRetries } from './overdue-deliveries.ts';
import { takeOverdueEvents } from './overdue-events.ts';

export type ReconcileDeps = {
  db: Db;
  producer: Pick<
    Producer,
    'enqueueFanOut' | 'enqueueOverdue' | 'depths' | 'takeReconcilerTurn' | 'shortenReconcilerTurn'
  >;
  clock: Pick<Clock, 'monotonicMs'>;
  metrics: Pick<DispatcherMetrics, 'reconciled'>;
  /** Only the dispatcher that has the turn shows the figures of the stores. */
  readGauges: () => Promise<void>;
  forgetGauges: () => void;
  intervalMs: number;
};

/** What a round enqueued, and when the next one should follow. */
export type Reconciled = { events: number; deliveries: number; againInMs: number };

/** After a full page, or while the queue is too full for one: as soon as it may have room. */
const SOON_MS = 200;
/** Rows that one round enqueues at most. A page must fit into the queue together with what waits. */
const PAGE = 5_000;
/** While so many jobs wait, dispatchers have work enough, and most overdue rows have a job among them. */
const BUSY_DEPTH = 2_500;
/** The same for fan-out, whose jobs are of up to 100 events. */
const BUSY_FAN_OUT_DEPTH = 50;
/** Behind a flood, so many of the overdue rows are looked at once a second: jobs may have been lost among them. */
const BUSY_PAGE = 500;
const BUSY_EVERY_MS = 1_000;
const JOBS_AT_ONCE = 500;
const EVENTS_A_JOB = 100;
/** After more refused turns in a row, another dispatcher has taken over. */
const MAX_REFUSALS = 2;

/**
 * Makes a round that enqueues again for rows that stand overdue in Postgres: events not fanned out, deliveries due without
 * a live job, leases that have expired. A job too many is harmless: the claim finds nothing to do. Dispatchers take
 * turns of half an interval, because jobs that all of them enqueue at once are also processed by all at once.
 */
export function createReconcile(deps: ReconcileDeps): () => Promise<Reconciled> {
  const { db, producer, metrics, readGauges, forgetGauges, intervalMs } = deps;
  const behindFlood = createBusyReader(deps);
  const turnMs = Math.ceil(intervalMs / 2);
  let refusals = 0;
  return async () => {
    if (!(await producer.takeReconcilerTurn(turnMs))) {
      refusals += 1;
      if (refusals > MAX_REFUSALS) forgetGauges();
      return { events: 0, deliveries: 0, againInMs: turnMs };
    }
    refusals = 0;
    const depths = await producer.depths();
    const events = depths.fanOut.waiting < BUSY_FAN_OUT_DEPTH ? await takeOverdueEvents(db, PAGE) : [];
    for (const page of pagesOf(events, EVENTS_A_JOB)) await producer.enqueueFanOut(page);
    const isBusy = depths.deliver.waiting >= BUSY_DEPTH;
    const rows = isBusy ? await behindFlood() : await overdueDeliveries(db, { limit: PAGE });
    let deliveries = 0;
    for (const page of pagesOf(rows.map(toRequest), JOBS_AT_ONCE)) deliveries += await producer.enqueueOverdue(page);
    metrics.reconciled.inc({ queue: 'fan-out' }, events.length);
    metrics.reconciled.inc({ queue: 'deliver' }, deliveries);
    await readGauges();
    if (!isBusy && events.length < PAGE && rows.length < PAGE)
      return { events: events.length, deliveries, againInMs: intervalMs };
    const againInMs = Math.min(SOON_MS, intervalMs);
    // Half, so that this dispatcher finds the turn free when it comes again.
    await producer.shortenReconcilerTurn(againInMs / 2);
    return { events: events.length, deliveries, againInMs };
  };
}

/**
 * Reads a part of the overdue rows while a flood fills the queue: retries of each workspace in turn, and a page of all
 * rows that moves on from round to round. So no workspace's deliveries wait for the flood of another to end.
 */
function createBusyReader({ db, clock }: Pick<ReconcileDeps, 'db' | 'clock'>): () => Promise<OverdueRow[]> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let after: After | undefined;
  let afterWorkspaceId: string | undefined;
  return async () => {
    if (clock.monotonicMs() - readAtMs < BUSY_EVERY_MS) return [];
    readAtMs = clock.monotonicMs();
    const page = await overdueDeliveries(db, { limit: BUSY_PAGE, after });
    after = page.length === BUSY_PAGE ? page.at(-1) : undefined;
    const retries = await overdueRetries(db, afterWorkspaceId);
    afterWorkspaceId = retries.nextWorkspaceId;
    return [...retries.rows, ...page];
  };
}

function toRequest({ expired, isolated, dueAt: _dueAt, ...row }: OverdueRow): OverdueDelivery {
  const mode: DeliverMode | undefined = isolated ? 'isolated' : expired ? 'expired_lease' : undefined;
  return { ...row, ...(mode === undefined ? {} : { mode }), delayMs: 0 };
}

function* pagesOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
