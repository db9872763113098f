import { ApiError } from '../http/error.ts';

/** The caller of a change; a portal names its application. */
export type ChangeCaller = { workspaceId: string; applicationId?: string | undefined };

/** Runs `work` when the limits of concurrent changes allow it; throws `unavailable` after the longest wait. */
export type ChangeTurns = <Result>(caller: ChangeCaller, work: () => Promise<Result>) => Promise<Result>;

/**
 * Two of the six connections for management stay free for credentials and reads, also while locks of other sessions
 * block every change.
 */
const MAX_IN_ALL = 4;
/**
 * The changes of a workspace wait for one another in any case, at the head of its audit chain. The second one runs only
 * beside few others, so that two workspaces with blocked changes leave a turn to the rest.
 */
const MAX_OF_WORKSPACE = 2;
const MAX_BESIDE_SECOND = 2;
const MAX_WAITING_OF_WORKSPACE = 100;
/** The portal of one application must not use the whole limit of its workspace. */
const MAX_OF_PORTAL = 1;
const MAX_WAITING_OF_PORTAL = 25;
/** As long as the longest wait for a connection. */
const LONGEST_WAIT_MS = 5_000;

type Waiting = { applicationId: string | undefined; begin: () => void };
type Line = { running: (string | undefined)[]; waiting: Set<Waiting> };

/**
 * Limits the concurrent changes of this process, of each workspace and of each portal. Further changes wait. Workspaces
 * take turns, and the changes of a workspace begin in their order.
 */
export function createChangeTurns(): ChangeTurns {
  /** The workspace at the front has the next turn. */
  const lines = new Map<string, Line>();
  let inAll = 0;

  const beginWaiting = () => {
    // A workspace that is put back at the end is visited again.
    for (const [workspaceId, line] of lines) {
      const next = nextOf(line, inAll);
      if (next === undefined) continue;
      lines.delete(workspaceId);
      lines.set(workspaceId, line);
      line.waiting.delete(next);
      line.running.push(next.applicationId);
      inAll += 1;
      next.begin();
    }
  };
  const forgetIdle = (workspaceId: string, { running, waiting }: Line) => {
    if (running.length === 0 && waiting.size === 0) lines.delete(workspaceId);
  };

  return async ({ workspaceId, applicationId }, work) => {
    const line = lines.get(workspaceId) ?? { running: [], waiting: new Set() };
    if (isFull(line, applicationId)) throw tooMany();
    lines.set(workspaceId, line);
    try {
      await turnIn(line, applicationId, beginWaiting);
    } catch (error) {
      forgetIdle(workspaceId, line);
      throw error;
    }
    try {
      return await work();
    } finally {
      line.running.splice(line.running.indexOf(applicationId), 1);
      inAll -= 1;
      forgetIdle(workspaceId, line);
      beginWaiting();
    }
  };
}

/** The change of this workspace that may begin beside so many others; undefined if there is none. */
function nextOf({ running, waiting }: Line, inAll: number): Waiting | undefined {
  const most = inAll <= MAX_BESIDE_SECOND ? MAX_OF_WORKSPACE : 1;
  if (inAll >= MAX_IN_ALL || running.length >= most) return undefined;
  return [...waiting].find((one) => countOf(one.applicationId, running) < MAX_OF_PORTAL);
}

/** Resolves when the change begins; rejects after the longest wait. */
function turnIn(line: Line, applicationId: string | undefined, beginWaiting: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting: Waiting = { applicationId, begin: resolve };
    line.waiting.add(waiting);
    beginWaiting();
    if (!line.waiting.has(waiting)) return;
    const timer = setTimeout(() => {
      line.waiting.delete(waiting);
      reject(tooMany());
    }, LONGEST_WAIT_MS);
    waiting.begin = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function isFull({ waiting }: Line, applicationId: string | undefined): boolean {
  if (waiting.size >= MAX_WAITING_OF_WORKSPACE) return true;
  const ofPortal = [...waiting].map((one) => one.applicationId);
  return countOf(applicationId, ofPortal) >= MAX_WAITING_OF_PORTAL;
}

/** How many of them are of the portal of this application; 0 without one. */
function countOf(applicationId: string | undefined, of: readonly (string | undefined)[]): number {
  return applicationId === undefined ? 0 : of.filter((one) => one === applicationId).length;
}

function tooMany(): ApiError {
  return new ApiError('unavailable', 'Earlier changes are still under way; try again', {
    'Retry-After': '1',
  });
}
