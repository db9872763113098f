import type { Principal } from '../auth/principal.ts';
import { ApiError } from './error.ts';

/** Runs `work`; throws `rate_limited` when the limit of running work for `key` is reached. */
type ConcurrencyLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets at most `most` works of each key run at once in this process. `what` is their name in the message, in the
 * plural.
 */
function createConcurrencyLimit({ most, what }: { most: number; what: string }): ConcurrencyLimit {
  const running = new Map<string, number>();
  return async (key, work) => {
    const before = running.get(key) ?? 0;
    if (before >= most) {
      throw new ApiError('rate_limited', `At most ${most} ${what} may run at once`, { 'Retry-After': '1' });
    }
    running.set(key, before + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    }
  };
}

/** Runs a list of history; throws `rate_limited` when the limit of the caller's workspace or application is reached. */
export type ListLimit = <Result>(principal: Principal, work: () => Promise<Result>) => Promise<Result>;

/** The lists of a workspace that run at once in this process, and those of the portal of one of its applications. */
const MOST_LISTS = 8;
const MOST_LISTS_OF_PORTAL = 6;

/** The portal of one application does not take all lists of its workspace. */
export function createListLimit(): ListLimit {
  const ofWorkspace = createConcurrencyLimit({ most: MOST_LISTS, what: 'lists of deliveries of a workspace' });
  const ofPortal = createConcurrencyLimit({
    most: MOST_LISTS_OF_PORTAL,
    what: 'lists of deliveries of an application',
  });
  return ({ workspace, grant }, work) => {
    const run = () => ofWorkspace(workspace.id, work);
    return grant.kind === 'capabilities' ? ofPortal(grant.applicationId, run) : run();
  };
}
