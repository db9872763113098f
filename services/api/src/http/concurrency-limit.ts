import type { Principal } from '../auth/principal.ts';
import { ApiError } from './error.ts';

/** Runs `work`; throws `rate_limited` when the limit of running work for `key` is reached. */
type ConcurrencyLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Runs at most `most` works of each key at once in this process. `what` names the works in the message, in plural. */
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

/** Runs a large read; throws `rate_limited` when the limit of the caller's workspace or application is reached. */
export type ListLimit = <Result>(principal: Principal, work: () => Promise<Result>) => Promise<Result>;

/** The large reads of a workspace that run at once in this process, and those of the portal of one application. */
const MOST_LISTS = 8;
const MOST_LISTS_OF_PORTAL = 6;

/** The portal of one application must not use the whole limit of its workspace. */
export function createListLimit(): ListLimit {
  const ofWorkspace = createConcurrencyLimit({ most: MOST_LISTS, what: 'large reads of a workspace' });
  const ofPortal = createConcurrencyLimit({ most: MOST_LISTS_OF_PORTAL, what: 'large reads of a portal' });
  return ({ workspace, grant }, work) => {
    const run = () => ofWorkspace(workspace.id, work);
    return grant.kind === 'capabilities' ? ofPortal(grant.applicationId, run) : run();
  };
}
