import type { Db } from '@posthorn/db/client';
import type { Producer } from '@posthorn/queue/producer';
import type { DispatcherMetrics } from './metrics.ts';

type GaugesDeps = { db: Db; producer: Pick<Producer, 'depths'>; metrics: DispatcherMetrics };

/** Reads what the gauges show from the stores. */
export async function readGauges({ db, producer, metrics }: GaugesDeps): Promise<void> {
  const [row] = await db.$queryRaw<{ oldest: number; held: number; probing: number }[]>`
    select greatest(0, coalesce((select extract(epoch from now() - min(due_at)) from delivery), 0))::float8 as oldest,
      (count(*) filter (where open_until > now()))::int as held,
      (count(*) filter (where open_until <= now()))::int as probing
    from endpoint_health where open_until is not null`;
  metrics.oldestDueSeconds.set(row?.oldest ?? 0);
  metrics.breakers.set({ state: 'open' }, row?.held ?? 0);
  metrics.breakers.set({ state: 'probe_due' }, row?.probing ?? 0);
  const depths = await producer.depths();
  metrics.queueDepth.set({ queue: 'fan-out' }, depths.fanOut);
  metrics.queueDepth.set({ queue: 'deliver' }, depths.deliver);
}
