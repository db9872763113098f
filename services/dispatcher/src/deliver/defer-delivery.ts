import type { Defer, Deferred } from '@posthorn/ledger/defer';
import type { DeliverJob, DeliverRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import { SOON_SECONDS } from '../admission/admit.ts';
import type { DispatcherMetrics } from '../metrics.ts';

export type DeferDeps = {
  defer: (delivery: Defer & Pick<DeliverJob, 'endpointId'>) => Promise<Deferred | undefined>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  /** Gives the line of an endpoint a turn now. */
  hurryLine: (endpointId: string) => void;
  /** Makes this process send nothing from the line of an endpoint for this time. */
  pauseLine: (endpointId: string, forMs: number) => void;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  metrics: Pick<DispatcherMetrics, 'deferred'>;
};

/**
 * When a deferred delivery is due, and why. Reasons are labels of a metric. With `entersLine`, it waits in the line of
 * its endpoint, at its earlier `place` if it has one, and the line's next turn comes after the delay. With a place,
 * this process pauses the line for the delay, because the delivery would be the first again.
 */
export type Later = { delaySeconds: number; reason: string; entersLine?: true; place?: string | undefined };

/** Defers the delivery or releases its lease, and enqueues it for its new due time. In a line, it needs no job. */
export async function defer(deps: DeferDeps, job: DeliverJob, later: Later, leaseToken?: string): Promise<void> {
  const { reason, ...when } = later;
  deps.metrics.deferred.inc({ reason });
  const lease = leaseToken === undefined ? {} : { leaseToken };
  const { deliveryId, endpointId } = job;
  const deferred = await deps.defer({ deliveryId, endpointId, ...lease, ...when });
  if (deferred === undefined) return;
  deps.live.deliveryChanged(job);
  if (!later.entersLine) enqueueLater(deps, job, { ...deferred, delayMs: Math.ceil(1_000 * later.delaySeconds) });
  else if (later.place !== undefined && later.delaySeconds > 0) deps.pauseLine(endpointId, 1_000 * later.delaySeconds);
  else if (later.delaySeconds < SOON_SECONDS) deps.hurryLine(endpointId);
}

type NewTime = { generation: number; delayMs: number };

/** Enqueues a delivery for a later time. The new job keeps only the mode `isolated` of the old job. */
function enqueueLater(deps: Pick<DeferDeps, 'enqueue'>, job: DeliverJob, { generation, delayMs }: NewTime): void {
  const { mode, ...ids } = job;
  const isolated = mode === 'isolated' ? { mode } : {};
  deps.enqueue([{ ...ids, ...isolated, generation, delayMs }]);
}
