import type { Producer } from '@posthorn/queue/producer';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import { forgetGauges, readGauges } from '../gauges.ts';
import type { DispatcherMetrics } from '../metrics.ts';
import { createReconcile, type ReconcileDeps } from './reconcile.ts';

export type StartReconcilerDeps = Omit<ReconcileDeps, 'readGauges' | 'forgetGauges' | 'metrics' | 'producer'> & {
  producer: Producer;
  metrics: DispatcherMetrics;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  logger: Pick<Logger, 'debug'>;
  /** For recurring errors. */
  quiet: Pick<Logger, 'warn'>;
};

/** Starts the rounds of the reconciler. */
export function startReconciler({ lifecycle, logger, quiet, ...deps }: StartReconcilerDeps): void {
  const { db, producer, metrics, intervalMs } = deps;
  const round = createReconcile({
    ...deps,
    readGauges: (from) => readGauges({ db, producer, metrics, from }),
    forgetGauges: () => forgetGauges(metrics),
  });
  // At the start, the connection is not open yet, so a round would fail although nothing is wrong.
  let wasReachable = false;
  const rounds = repeat({
    async round() {
      if (!wasReachable) return intervalMs;
      const { againInMs, ...enqueued } = await round();
      if (enqueued.events + enqueued.deliveries > 0) logger.debug('reconciled', enqueued);
      return againInMs;
    },
    waitAfterErrorMs: intervalMs,
    onError: (error) => quiet.warn('a reconciler round failed', errorFields(error)),
  });
  producer.onReachable(() => {
    wasReachable = true;
    rounds.hurry();
  });
  lifecycle.onStop('reconciler', () => rounds.stop());
}
