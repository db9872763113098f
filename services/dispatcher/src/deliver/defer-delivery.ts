import type { Defer, Deferred } from '@posthorn/ledger/defer';
import type { DeliverJob, DeliverRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import type { DispatcherMetrics } from '../metrics.ts';

export type DeferDeps = {
  defer: (delivery: Defer & Pick<DeliverJob, 'endpointId'>) => Promise<Deferred | undefined>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  metrics: Pick<DispatcherMetrics, 'deferred'>;
};

/** When a deferred delivery is due, and why. Reasons are labels of a metric. */
export type Later = { delaySeconds: number; reason: string; reservedAtMs?: number };

/** Defers the delivery or releases its lease, and enqueues it for its new due time. */
export async function defer(deps: DeferDeps, job: DeliverJob, later: Later, leaseToken?: string): Promise<void> {
  const { delaySeconds, reason, reservedAtMs } = later;
  deps.metrics.deferred.inc({ reason });
  const lease = leaseToken === undefined ? {} : { leaseToken };
  const { deliveryId, endpointId } = job;
  const deferred = await deps.defer({ deliveryId, endpointId, ...lease, delaySeconds });
  if (deferred === undefined) return;
  deps.live.deliveryChanged(job);
  enqueueLater(deps, job, { ...deferred, delayMs: Math.ceil(1_000 * delaySeconds), reservedAtMs });
}

type NewTime = { generation: number; delayMs: number; reservedAtMs?: number | undefined };

/** Enqueues a delivery for a later time. The new job keeps the mode `isolated`, and no other part of the old job. */
export function enqueueLater(
  deps: Pick<DeferDeps, 'enqueue'>,
  job: DeliverJob,
  { generation, delayMs, reservedAtMs }: NewTime,
): void {
  const { reservedAtMs: _past, mode, ...ids } = job;
  const isolated = mode === 'isolated' ? { mode } : {};
  const reserved = reservedAtMs === undefined ? {} : { reservedAtMs };
  deps.enqueue([{ ...ids, ...isolated, ...reserved, generation, delayMs }]);
}
