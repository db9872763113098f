import type { Endpoint } from '../../../client/resources.ts';

const SOON_MS = 1_000;
const RETRIED_WITHIN_SECONDS = 30;

/**
 * True if events reach the endpoint while the reader watches: a playground that succeeds soon, by its own retry
 * schedule.
 */
export function isWorkingPlayground({
  type,
  isActive,
  config,
}: Pick<Endpoint, 'type' | 'isActive' | 'config'>): boolean {
  const { status = 200, failFirst = 0, delayMs = 0 } = config.playground ?? {};
  const isSuccess = status >= 200 && status < 300;
  return type === 'playground' && isActive && isSuccess && delayMs <= SOON_MS && isRetriedSoon(config, failFirst);
}

/** The default schedule waits for minutes, so only the endpoint's own schedule counts. */
function isRetriedSoon({ retrySchedule = [] }: Endpoint['config'], times: number): boolean {
  const seconds = retrySchedule.slice(0, times).reduce((sum, delay) => sum + delay, 0);
  return times <= retrySchedule.length && seconds <= RETRIED_WITHIN_SECONDS;
}
