import type { Db } from '@posthorn/db/client';
import { keptByOutage } from '@posthorn/ledger/catch-up';
import { pullLag } from '@posthorn/ledger/pull-state';
import type { Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import type { DispatcherMetrics } from './metrics.ts';
import { createLowWaterMark, FROM_START, type LowWaterMark } from './recovery/low-water-mark.ts';

type Gauges = Pick<
  DispatcherMetrics,
  | 'queueDepth'
  | 'oldestDueSeconds'
  | 'oldestSnapshotSeconds'
  | 'busQueueUsage'
  | 'pullWaiting'
  | 'oldestPullSeconds'
  | 'lines'
  | 'catchUpWaiting'
  | 'breakers'
  | 'operations'
  | 'agentSubscriptions'
  | 'agentEnds'
>;
type GaugesDeps = { db: Db; producer: Pick<Producer, 'depths'>; metrics: Gauges; from?: LowWaterMark };

/** The number of first events to search for the oldest one that waits for its fan-out. */
const FIRST_EVENTS = 1_000;

/** Counting more would take longer than all other figures together. */
const MOST_COUNTED = 100_000;

/** Sets the gauges from the stores. Rejects if Redis is away, but then only the depths have no value. */
export async function readGauges({ db, producer, metrics, from = FROM_START }: GaugesDeps): Promise<void> {
  await readPostgres(db, metrics, from);
  const { fanOut, deliver } = await producer.depths().catch((error: unknown) => {
    // If only this dispatcher lost Redis, its old depth would hide the depths that others read.
    metrics.queueDepth.reset();
    throw error;
  });
  metrics.queueDepth.set({ queue: 'fan-out', state: 'waiting' }, fanOut.waiting);
  metrics.queueDepth.set({ queue: 'deliver', state: 'waiting' }, deliver.waiting);
  metrics.queueDepth.set({ queue: 'deliver', state: 'delayed' }, deliver.delayed);
}

type StartGaugesDeps = Required<Pick<GaugesDeps, 'db' | 'metrics'>> & {
  producer: Pick<Producer, 'depths' | 'takeReconcilerTurn' | 'shortenReconcilerTurn'>;
  clock: Clock;
  intervalMs: number;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  /** For recurring errors. */
  quiet: Pick<Logger, 'warn'>;
};

/** Sets the gauges at intervals, in one dispatcher at a time. With Redis, the reconciler does this. */
export function startGauges({ producer, clock, intervalMs, lifecycle, quiet, ...deps }: StartGaugesDeps): void {
  const lowWaterMark = createLowWaterMark({ db: deps.db, clock });
  // Each round prolongs the turn, so the others take none between two rounds.
  const turnMs = 2 * intervalMs;
  const endTurn = () => producer.shortenReconcilerTurn(0).catch(() => undefined);
  let refusals = 0;
  const rounds = repeat({
    async round() {
      if (!(await producer.takeReconcilerTurn(turnMs))) {
        refusals += 1;
        if (refusals > MAX_REFUSALS) forgetGauges(deps.metrics);
        return intervalMs;
      }
      refusals = 0;
      await readGauges({ ...deps, producer, from: await lowWaterMark.read() });
      return intervalMs;
    },
    waitAfterErrorMs: intervalMs,
    onError(error) {
      // Another dispatcher may be able to read them.
      forgetGauges(deps.metrics);
      void endTurn();
      quiet.warn('the gauges could not be read', errorFields(error));
    },
  });
  lifecycle.onStop('gauges', async () => {
    await rounds.stop();
    await endTurn();
  });
}

/** After more refused turns in a row than this, another dispatcher has taken over the turns. */
const MAX_REFUSALS = 2;

/** Resets the gauges: another dispatcher now sets its own, and an old value here would contradict them. */
export function forgetGauges(gauges: Gauges): void {
  const { queueDepth, oldestDueSeconds, oldestSnapshotSeconds, busQueueUsage, pullWaiting, oldestPullSeconds } = gauges;
  const { lines, catchUpWaiting, breakers, operations, agentSubscriptions, agentEnds } = gauges;
  const known = [queueDepth, oldestDueSeconds, oldestSnapshotSeconds, busQueueUsage, pullWaiting, oldestPullSeconds];
  const more = [lines, catchUpWaiting, breakers, operations, agentSubscriptions, agentEnds];
  for (const gauge of [...known, ...more]) gauge.reset();
}

/**
 * Work waits first as a scheduled event whose time has come, then as an event to fan out, then as a delivery that is
 * due and not leased. The gauge is the age of the oldest. Event ids sort by acceptance, so the oldest event is among
 * the first. A scheduled event has an old id, but waits for its fan-out only since its time. Also reads the oldest
 * snapshot: rows that it may still see cannot be cleaned up, and slow down queues of busy keys. Without
 * `pg_read_all_stats`, a role sees only the snapshots of its own sessions.
 */
async function readPostgres(db: Db, metrics: Gauges, { dueAt, beforeEventId }: LowWaterMark): Promise<void> {
  const [row] = await db.$queryRaw<
    {
      oldest: number;
      snapshot: number;
      notifications: number;
      lines: number;
      kept: number;
      held: number;
      probing: number;
      live: number;
      suspended: number;
    }[]
  >`
    select greatest(0,
        (select extract(epoch from now() - due_at) from delivery
          where due_at >= ${dueAt}::timestamptz and due_at <= now()
            and (status <> 'delivering' or coalesce(leased_until, due_at) <= now()) order by due_at limit 1),
        (select extract(epoch from now() - min(enqueued_at))
          from (select enqueued_at from pending_fan_out where event_id > ${beforeEventId}::uuid
            order by event_id limit ${FIRST_EVENTS}::int) f),
        (select extract(epoch from now() - deliver_at) from scheduled_event
          where deliver_at <= now() order by deliver_at limit 1))::float8 as oldest,
      greatest(0,
        (select max(extract(epoch from now() - xact_start)) from pg_stat_activity where backend_xmin is not null),
        (select max(extract(epoch from now() - prepared)) from pg_prepared_xacts))::float8 as snapshot,
      pg_notification_queue_usage() as notifications,
      (select count(*) from endpoint_line)::int as lines,
      (select count(*) from (${keptByOutage()} limit ${MOST_COUNTED}::int) k)::int as kept,
      (select count(*) from (select from agent_subscription where ended_at is null and expires_at > now()
        limit ${MOST_COUNTED}::int) a)::int as live,
      (count(*) filter (where p.is_temporary))::int as suspended,
      (count(*) filter (where h.open_until > now()))::int as held,
      (count(*) filter (where h.open_until <= now()))::int as probing
    from endpoint_health h join endpoint p on p.id = h.endpoint_id
    where h.open_until is not null and p.is_active and p.deleted_at is null`;
  metrics.oldestDueSeconds.set(row?.oldest ?? 0);
  metrics.oldestSnapshotSeconds.set(row?.snapshot ?? 0);
  metrics.busQueueUsage.set(row?.notifications ?? 0);
  metrics.lines.set(row?.lines ?? 0);
  metrics.catchUpWaiting.set(row?.kept ?? 0);
  metrics.breakers.set({ state: 'open' }, row?.held ?? 0);
  metrics.breakers.set({ state: 'probe_due' }, row?.probing ?? 0);
  metrics.agentSubscriptions.set({ state: 'live' }, row?.live ?? 0);
  metrics.agentSubscriptions.set({ state: 'suspended' }, row?.suspended ?? 0);
  const ends = await db.$queryRaw<{ reason: string; count: number }[]>`
    select end_reason as reason, count(*)::int as count from (
      select end_reason from agent_subscription where ended_at > now() - interval '1 hour' limit ${MOST_COUNTED}::int) a
    group by end_reason`;
  metrics.agentEnds.reset();
  for (const { reason, count } of ends) metrics.agentEnds.set({ reason }, count);
  const lag = await pullLag(db);
  metrics.pullWaiting.set(lag.waiting);
  metrics.oldestPullSeconds.set(lag.oldestAgeSeconds);
  const open = await db.operation.groupBy({
    by: ['type'],
    where: { finishedAt: null, nextTurnAt: { not: null } },
    _count: true,
  });
  for (const type of ['recovery', 'retry', 'cancel', 'erasure', 'search_index'] as const) {
    metrics.operations.set({ type }, open.find((row) => row.type === type)?._count ?? 0);
  }
}
