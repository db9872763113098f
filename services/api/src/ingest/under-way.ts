import { ApiError } from '../http/error.ts';

/** Runs `work` for one event; throws `unavailable` when too many events are under way. */
export type UnderWay = <Result>(workspaceId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * While Postgres does not answer, events wait in memory for their look-ups and their insert. A producer with 64
 * connections that each send a full batch has 6,400 under way.
 */
const MAX_OF_WORKSPACE = 10_000;
const MAX_IN_ALL = 40_000;

/**
 * Bounds the number of events between their arrival and their answer, in this process. It counts no bytes: each event is
 * of a request under way, whose body is bounded when it is read.
 */
export function createUnderWay({ maxOfWorkspace = MAX_OF_WORKSPACE, maxInAll = MAX_IN_ALL } = {}): UnderWay {
  const byWorkspace = new Map<string, number>();
  let inAll = 0;
  return async (workspaceId, work) => {
    const ofWorkspace = byWorkspace.get(workspaceId) ?? 0;
    if (ofWorkspace >= maxOfWorkspace) throw busy('This workspace has');
    if (inAll >= maxInAll) throw busy('The service has');
    byWorkspace.set(workspaceId, ofWorkspace + 1);
    inAll += 1;
    try {
      return await work();
    } finally {
      inAll -= 1;
      const left = (byWorkspace.get(workspaceId) ?? 0) - 1;
      if (left > 0) byWorkspace.set(workspaceId, left);
      else byWorkspace.delete(workspaceId);
    }
  };
}

function busy(owner: string): ApiError {
  return new ApiError('unavailable', `${owner} too many events that are not stored yet; try again`, {
    'Retry-After': '1',
  });
}
