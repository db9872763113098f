import { type Db, isHanging } from '@posthorn/db/client';
import { isTimedOut } from '@posthorn/db/violations';
import { ApiError } from '../transport/error.ts';

/** The database that a list has read. */
export type ReadFrom = 'replica' | 'primary';

/**
 * Runs a large read. What it reads may be older than the last commit, by the lag of a replica (docs/interface.md, When
 * a change takes hold). `read` may run twice, so it must only read.
 */
export type ReadLists = <Result>(
  read: (listDb: Db, from: ReadFrom) => Promise<Result>,
) => Promise<{ from: ReadFrom; result: Result }>;

/**
 * Thrown by a read on the replica that must be made on the primary, because its page follows a page of the primary. A
 * lagging replica could lack rows between the two.
 */
export class FollowsPrimary extends Error {}

export type ReplicaOptions = {
  replica: Db;
  primary: Db;
  monotonicMs: () => number;
  /** Called each time that a read on the replica fails. */
  onAway: (error: unknown) => void;
  /** Counts the reads by their database. */
  onRead: (from: ReadFrom) => void;
};

/** After a failure the replica is not used for this time, so that a replica that is away delays few requests. */
export const AWAY_FOR_MS = 10_000;

/**
 * Reads from the replica. A read that fails there is repeated on the primary, and all reads of the next ten seconds are
 * made on the primary. A read that is refused, or that takes too long, would end the same on the primary, so it is not
 * repeated.
 */
export function createReadLists({ replica, primary, monotonicMs, onAway, onRead }: ReplicaOptions): ReadLists {
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  return async (read) => {
    if (monotonicMs() >= awayUntilMs && !isHanging(replica)) {
      try {
        const result = await read(replica, 'replica');
        onRead('replica');
        return { from: 'replica', result };
      } catch (error) {
        if (error instanceof ApiError || isTimedOut(error)) throw error;
        if (!(error instanceof FollowsPrimary)) {
          awayUntilMs = monotonicMs() + AWAY_FOR_MS;
          onAway(error);
        }
      }
    }
    const result = await read(primary, 'primary');
    onRead('primary');
    return { from: 'primary', result };
  };
}
