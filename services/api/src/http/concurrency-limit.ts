import { createTurnsByKey } from '@posthorn/runtime/turns';
import type { Principal } from '../auth/principal.ts';
import { ApiError } from './error.ts';

/** Runs `work` in its turn; throws `rate_limited` when the limit of work for `key` is reached. */
type ConcurrencyLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

type LimitOptions = {
  /** The most works of a key that run or wait. */
  most: number;
  /** Those that run at once. The others wait in order. */
  atOnce: number;
  /** Names the works in the message, in plural. */
  what: string;
};

/** Limits the works of each key in this process. */
export function createConcurrencyLimit({ most, atOnce, what }: LimitOptions): ConcurrencyLimit {
  const refusal = () => new ApiError('rate_limited', `At most ${most} ${what} may run or wait`, { 'Retry-After': '1' });
  return createTurnsByKey({ atOnce, mostWaiting: most - atOnce, refusal }).run;
}

/** Runs `work` in its turn; throws `rate_limited` when the limit of the caller's workspace or application is reached. */
export type WorkLimit = <Result>(principal: Principal, work: () => Promise<Result>) => Promise<Result>;

/** The portal of one application must not use the whole limit of its workspace. */
function createWorkLimit(limits: { workspace: LimitOptions; portal: LimitOptions }): WorkLimit {
  const ofWorkspace = createConcurrencyLimit(limits.workspace);
  const ofPortal = createConcurrencyLimit(limits.portal);
  return ({ workspace, grant }, work) => {
    const run = () => ofWorkspace(workspace.id, work);
    return grant.kind === 'capabilities' ? ofPortal(grant.applicationId, run) : run();
  };
}

/** The limits of a process that each workspace has for itself, over all interfaces together. */
export type WorkLimits = {
  /** Of large reads. A process has four connections for them, and a statement may take 5 s. */
  list: WorkLimit;
  /**
   * Of the pages of lists with counts, schemas or examples, and of attempts. They use a third connection of large reads: a
   * list that has begun its answer must not be refused because of those.
   */
  pages: WorkLimit;
  /** Of the look-ups of names when endpoints are saved. A process has 200, and a name server may keep each for 2 s. */
  lookup: WorkLimit;
  /** Of the tests of filters. One at a time computes, so that those of a workspace take at most half of a process. */
  filter: WorkLimit;
};

export function createWorkLimits(): WorkLimits {
  return {
    list: createWorkLimit({
      workspace: { most: 8, atOnce: 2, what: 'large reads of a workspace' },
      portal: { most: 6, atOnce: 1, what: 'large reads of a portal' },
    }),
    pages: createWorkLimit({
      workspace: { most: 100, atOnce: 1, what: 'lists with counts, schemas or attempts of a workspace' },
      portal: { most: 50, atOnce: 1, what: 'lists with counts, schemas or attempts of a portal' },
    }),
    lookup: createWorkLimit({
      workspace: { most: 120, atOnce: 20, what: 'look-ups of names of a workspace' },
      portal: { most: 60, atOnce: 10, what: 'look-ups of names of a portal' },
    }),
    filter: createWorkLimit({
      workspace: { most: 20, atOnce: 1, what: 'tests of filters of a workspace' },
      portal: { most: 10, atOnce: 1, what: 'tests of filters of a portal' },
    }),
  };
}
