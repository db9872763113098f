import type { Endpoint } from '../../../client/resources.ts';

const SOON_MS = 1_000;

/** Whether events arrive at the endpoint while one watches: a playground that succeeds soon, within its own schedule. */
export function isWorkingPlayground({
  type,
  isActive,
  config,
}: Pick<Endpoint, 'type' | 'isActive' | 'config'>): boolean {
  const { status = 200, failFirst = 0, delayMs = 0 } = config.playground ?? {};
  const isSuccess = status >= 200 && status < 300;
  return type === 'playground' && isActive && isSuccess && delayMs <= SOON_MS && failFirst <= retriesOf(config);
}

/** The default schedule is one of minutes, so only a schedule of the endpoint's own counts. */
function retriesOf({ retrySchedule = [] }: Endpoint['config']): number {
  return retrySchedule.length;
}
