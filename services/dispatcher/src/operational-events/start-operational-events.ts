import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import type { Watch } from '../watch.ts';
import { raiseExpiringKeys } from './expiring-keys.ts';
import { createSendOn, type SendOnDeps } from './send-on.ts';

const WAIT_AFTER_ERROR_MS = 1_000;
const KEYS_EVERY_MS = 5 * 60_000;

/** Starts the rounds that send on raised operational events, and those that look for API keys that end soon. */
export function startOperationalEvents({
  watch,
  lifecycle,
  ...deps
}: SendOnDeps & { watch: Watch; lifecycle: Pick<Lifecycle, 'onStop'> }): void {
  const sendOn = watch.repeat('operationalEvents', {
    round: createSendOn(deps),
    waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
    onError: (error) => deps.logger.warn('operational events could not be sent on', errorFields(error)),
  });
  const keys = repeat({
    async round() {
      await raiseExpiringKeys(deps.db);
      return KEYS_EVERY_MS;
    },
    waitAfterErrorMs: 60 * WAIT_AFTER_ERROR_MS,
    onError: (error) => deps.logger.warn('API keys that end soon could not be looked for', errorFields(error)),
  });
  lifecycle.onStop('operational events', async () => {
    await Promise.all([sendOn.stop(), keys.stop()]);
  });
}
