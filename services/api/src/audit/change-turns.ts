import { ApiError } from '../http/error.ts';

/**
 * Runs `work` when fewer of the workspace's changes run than the limit allows; throws `unavailable` after the longest
 * wait.
 */
export type ChangeTurns = <Result>(workspaceId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * The changes of a workspace wait for one another in any case, at the head of its audit chain. With two of them on
 * connections at a time, a row that another session has locked blocks two connections of this process, not all.
 */
const AT_ONCE = 2;
/** As long as the longest wait for a connection. */
const WAIT_MS = 5_000;
const MAX_WAITING = 100;

type Turns = { running: number; waiting: (() => void)[] };

/** Limits each workspace's concurrent changes in this process; further changes wait in order. */
export function createChangeTurns(): ChangeTurns {
  const byWorkspace = new Map<string, Turns>();
  return async (workspaceId, work) => {
    const turns = byWorkspace.get(workspaceId) ?? { running: 0, waiting: [] };
    byWorkspace.set(workspaceId, turns);
    if (turns.running < AT_ONCE) turns.running += 1;
    else await nextTurn(turns);
    try {
      return await work();
    } finally {
      const next = turns.waiting.shift();
      if (next !== undefined) next();
      else turns.running -= 1;
      if (turns.running === 0) byWorkspace.delete(workspaceId);
    }
  };
}

/** Resolves when a running change ends and this one is next. */
function nextTurn({ waiting }: Turns): Promise<void> {
  if (waiting.length >= MAX_WAITING) throw tooMany();
  return new Promise((resolve, reject) => {
    const take = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(tooMany());
    }, WAIT_MS);
    waiting.push(take);
  });
}

function tooMany(): ApiError {
  return new ApiError('unavailable', 'Earlier changes of this workspace are still under way; try again', {
    'Retry-After': '1',
  });
}
