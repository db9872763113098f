import { toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { countUsage } from '@posthorn/ledger/count-usage';
import { eraseAgain } from '@posthorn/ledger/erase';
import { restoreLines } from '@posthorn/ledger/line';
import { eraseShortPayloads } from '@posthorn/ledger/short-payload';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import type { DispatcherMetrics } from '../metrics.ts';
import type { Watch } from '../watch.ts';
import { clearDeletedEndpoints } from './clear-deleted-endpoints.ts';
import { endExpiredSubscriptions } from './end-expired-subscriptions.ts';
import { eraseExpiredPayloads } from './erase-expired-payloads.ts';
import { deleteExpiredAnswers, deleteExpiredIdempotency } from './expire-idempotency.ts';
import { keepRetention, type RetentionDeps } from './retention.ts';
import { startOrders } from './start-orders.ts';

const MINUTE_MS = 60_000;
/** Until the next round, the fan-out of an event type still reads subscriptions of deleted endpoints. */
const CLEAR_EVERY_MS = 5_000;
/** An agent gets nothing after its subscription has expired, but the end is recorded up to this much later. */
const SUBSCRIPTIONS_EVERY_MS = 10_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How much later than possible the usage is known. */
const USAGE_EVERY_MS = 5 * MINUTE_MS;
/** How soon payloads are erased after the end of a workspace's own retention. */
const PAYLOADS_EVERY_MS = 10_000;
/** How soon payloads are erased once no delivery needs them any more. */
const SHORT_PAYLOADS_EVERY_MS = 1_000;

export type MaintenanceDeps = Omit<RetentionDeps, 'onError'> & {
  watch: Watch;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  metrics: Pick<DispatcherMetrics, 'linesRestored'>;
};

/**
 * Starts the repeated maintenance. Retention runs every hour, or a minute after a round in which a step failed. Expired
 * idempotency keys are deleted every minute, because the keys of an hour would be too many at once. Ordered deliveries
 * with nothing to wait for are released, and lines without a turn get one. Usage is counted. Payloads that have
 * expired, or that no delivery needs, are erased. Expired agent subscriptions are ended. The remains of deleted
 * endpoints are deleted within seconds, and what attempts stored after their event was erased is erased within minutes.
 */
export function startMaintenance({ watch, lifecycle, logger, ...deps }: MaintenanceDeps): void {
  const retention = repeat({
    async round(stopped) {
      const onError = (step: string, error: unknown) =>
        logger.warn('a step of retention failed', { step, ...errorFields(error) });
      const kept = await keepRetention({ ...deps, onError, stopped });
      for (const endpointId of kept.disabledEndpoints ?? []) {
        logger.warn('a failing endpoint was deactivated', { endpointId });
      }
      logger.info('retention kept', kept);
      return Object.values(kept).includes(null) ? MINUTE_MS : HOUR_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('a round of retention failed', errorFields(error)),
  });
  const idempotency = repeat({
    async round(stopped) {
      await deleteExpiredIdempotency(deps.db, stopped);
      await deleteExpiredAnswers(deps.db, stopped);
      return MINUTE_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('expired idempotency keys could not be deleted', errorFields(error)),
  });
  const cleared = repeat({
    async round(stopped) {
      await clearDeletedEndpoints(deps.db, stopped);
      await eraseLateAttempts(deps.db, stopped);
      return CLEAR_EVERY_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) =>
      logger.warn('what deleted endpoints or erased events have left could not be deleted', errorFields(error)),
  });
  const lines = repeat({
    async round(stopped) {
      const endpointIds = await restoreLines(deps.db, stopped);
      deps.metrics.linesRestored.inc(endpointIds.length);
      for (const id of endpointIds) {
        logger.warn('deliveries waited in a line that had no turn', { endpointId: toId('ep', id) });
      }
      return MINUTE_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('lines without a turn could not be found', errorFields(error)),
  });
  const onEnded = (ended: Parameters<Parameters<typeof eraseExpiredPayloads>[1]['onEnded']>[0]) => {
    for (const delivery of ended) {
      deps.live.deliveryChanged(delivery);
      if (!delivery.isTest) deps.stats.countEnded(delivery, 'failed');
    }
  };
  const shortPayloads = watch.repeat('shortPayloads', {
    async round(stopped) {
      for (;;) {
        const { isLast } = await eraseShortPayloads(deps.db, onEnded);
        if (isLast || stopped.aborted) return SHORT_PAYLOADS_EVERY_MS;
      }
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('payloads that nobody needs could not be erased', errorFields(error)),
  });
  const payloads = repeat({
    async round(stopped) {
      const { hasMore } = await eraseExpiredPayloads(deps.db, { clock: deps.clock, onEnded, stopped });
      return hasMore ? 0 : PAYLOADS_EVERY_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('expired payloads could not be erased', errorFields(error)),
  });
  const usage = repeat({
    async round(stopped) {
      await countUsage(deps.db, { stopped });
      return USAGE_EVERY_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('usage could not be counted', errorFields(error)),
  });
  const subscriptions = repeat({
    async round(stopped) {
      await endExpiredSubscriptions(deps.db, stopped);
      return SUBSCRIPTIONS_EVERY_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('expired subscriptions of agents could not be ended', errorFields(error)),
  });
  startOrders({ db: deps.db, live: deps.live, watch, lifecycle, logger });
  lifecycle.onStop('retention', () => retention.stop());
  lifecycle.onStop('payload retention', () => payloads.stop());
  lifecycle.onStop('short payloads', () => shortPayloads.stop());
  lifecycle.onStop('sweep of lines', () => lines.stop());
  lifecycle.onStop('clearing of deleted endpoints', () => cleared.stop());
  lifecycle.onStop('ends of subscriptions', () => subscriptions.stop());
  lifecycle.onStop('count of usage', () => usage.stop());
  lifecycle.onStop('idempotency expiry', () => idempotency.stop());
}

/**
 * Erases what attempts stored that were in progress when their events were erased. Continues until nothing is due or it
 * is stopped, and returns the number of events. Concurrent calls are safe: an event that another process has taken is
 * skipped.
 */
async function eraseLateAttempts(db: Db, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  while (!stopped?.aborted) {
    const { events, isLast } = await eraseAgain(db);
    total += events;
    if (isLast) break;
  }
  return total;
}
