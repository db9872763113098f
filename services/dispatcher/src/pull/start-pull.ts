import { raiseIdlePulls } from '@posthorn/ledger/pull-state';
import { endUnfetchedTests } from '@posthorn/ledger/test-deliveries';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import type { Watch } from '../watch.ts';
import { type ExpireLeasesDeps, expireLeases } from './expire-leases.ts';

const EVERY_MS = 250;
const MINUTE_MS = 60_000;
const WAIT_AFTER_ERROR_MS = 1_000;

type StartPullDeps = ExpireLeasesDeps & {
  watch: Watch;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  logger: Pick<Logger, 'warn'>;
};

/**
 * Starts the rounds for endpoints whose deliveries are fetched: they end leases, and tell a workspace if nobody
 * fetches.
 */
export function startPull({ watch, lifecycle, logger, ...deps }: StartPullDeps): void {
  const leases = watch.repeat('consumerLeases', {
    round: async () => ((await expireLeases(deps)) ? 0 : EVERY_MS),
    waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
    onError: (error) => logger.warn('leases of consumers could not be ended', errorFields(error)),
  });
  const idle = repeat({
    async round() {
      // Run this before `raiseIdlePulls`, because a message that no consumer can lease does not wait for one.
      for (const ended of await endUnfetchedTests(deps.db)) deps.live.deliveryChanged(ended);
      await raiseIdlePulls(deps.db);
      return MINUTE_MS;
    },
    waitAfterErrorMs: MINUTE_MS,
    onError: (error) => logger.warn('endpoints from which nobody fetches could not be found', errorFields(error)),
  });
  lifecycle.onStop('leases of consumers', () => leases.stop());
  lifecycle.onStop('idle consumers', () => idle.stop());
}
