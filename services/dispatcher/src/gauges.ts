import type { Db } from '@posthorn/db/client';
import type { Producer } from '@posthorn/queue/producer';
import type { DispatcherMetrics } from './metrics.ts';

type GaugesDeps = { db: Db; producer: Pick<Producer, 'depths'>; metrics: DispatcherMetrics };

/** Reads what the gauges show from the stores. */
export async function readGauges({ db, producer, metrics }: GaugesDeps): Promise<void> {
  await readPostgres(db, metrics);
  const depths = await producer.depths();
  metrics.queueDepth.set({ queue: 'fan-out', state: 'waiting' }, depths.fanOut);
  metrics.queueDepth.set({ queue: 'deliver', state: 'waiting' }, depths.deliverWaiting);
  metrics.queueDepth.set({ queue: 'deliver', state: 'delayed' }, depths.deliver - depths.deliverWaiting);
}

/**
 * Work waits first as an event to be fanned out, then as a delivery that is due and that nobody holds: the older of both
 * counts. Event ids are sorted by time, so that the oldest event is found by its key and not by a look at all that wait.
 */
async function readPostgres(db: Db, metrics: DispatcherMetrics): Promise<void> {
  const [row] = await db.$queryRaw<{ oldest: number; held: number; probing: number }[]>`
    select greatest(0,
        (select extract(epoch from now() - due_at) from delivery
          where due_at <= now() and (status <> 'delivering' or coalesce(leased_until, due_at) <= now()) order by due_at limit 1),
        (select extract(epoch from now() - enqueued_at) from pending_fan_out order by event_id limit 1))::float8 as oldest,
      (count(*) filter (where open_until > now()))::int as held,
      (count(*) filter (where open_until <= now()))::int as probing
    from endpoint_health where open_until is not null`;
  metrics.oldestDueSeconds.set(row?.oldest ?? 0);
  metrics.breakers.set({ state: 'open' }, row?.held ?? 0);
  metrics.breakers.set({ state: 'probe_due' }, row?.probing ?? 0);
}
