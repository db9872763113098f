import { createTurnsByKey } from '@posthorn/runtime/turns';
import { ApiError } from '../http/error.ts';

/**
 * Runs `work` when fewer of the workspace's changes run than the limit allows; throws `unavailable` after the longest
 * wait.
 */
export type ChangeTurns = <Result>(workspaceId: string, work: () => Promise<Result>) => Promise<Result>;

const LIMITS = {
  /**
   * The changes of a workspace wait for one another in any case, at the head of its audit chain. With two of them on
   * connections at a time, a row that another session has locked blocks two connections of this process, not all.
   */
  atOnce: 2,
  /** As long as the longest wait for a connection. */
  longestWaitMs: 5_000,
  mostWaiting: 100,
};

/** Limits each workspace's concurrent changes in this process; further changes wait in order. */
export function createChangeTurns(): ChangeTurns {
  return createTurnsByKey({ ...LIMITS, refusal: tooMany });
}

function tooMany(): ApiError {
  return new ApiError('unavailable', 'Earlier changes of this workspace are still under way; try again', {
    'Retry-After': '1',
  });
}
