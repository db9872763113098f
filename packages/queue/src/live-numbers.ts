/** A batch's place among all batches of one publisher for one workspace. */
export type Place = {
  publisherId: string;
  /** Each batch has the number after the one before it. */
  number: number;
  /** The publisher ends with this batch. */
  isLast: boolean;
};

/** Notices batches that did not arrive. */
export type BatchNumbers = {
  /** Takes the number of a batch. Returns whether batches before it are missing. */
  take(workspaceId: string, place: Place): boolean;
  /** Whether a batch of this publisher has been taken, and it has not ended. */
  knows(workspaceId: string, publisherId: string): boolean;
  /**
   * Call it as often as a publisher sends at least. Returns the workspaces for which a publisher has sent nothing in
   * `SILENT_SWEEPS` calls: it ended without its last batch. Calls count, not the time, so that a pause of this process
   * makes nobody silent.
   */
  sweep(): Set<string>;
  forget(workspaceId: string): void;
  forgetAll(): void;
};

const SILENT_SWEEPS = 5;

export function createBatchNumbers(): BatchNumbers {
  const workspaces = new Map<string, Map<string, { number: number; sweeps: number }>>();
  return {
    take(workspaceId, { publisherId, number, isLast }) {
      const publishers = workspaces.get(workspaceId) ?? new Map<string, { number: number; sweeps: number }>();
      workspaces.set(workspaceId, publishers);
      const before = publishers.get(publisherId)?.number;
      if (isLast) publishers.delete(publisherId);
      else publishers.set(publisherId, { number, sweeps: 0 });
      // The connection may send a batch again when it does not know whether the first one arrived.
      return before !== undefined && number !== before && number !== before + 1;
    },
    knows: (workspaceId, publisherId) => workspaces.get(workspaceId)?.has(publisherId) === true,
    sweep() {
      const silent = new Set<string>();
      for (const [workspaceId, publishers] of workspaces) {
        for (const [publisherId, publisher] of publishers) {
          publisher.sweeps += 1;
          if (publisher.sweeps < SILENT_SWEEPS) continue;
          publishers.delete(publisherId);
          silent.add(workspaceId);
        }
      }
      return silent;
    },
    forget: (workspaceId) => void workspaces.delete(workspaceId),
    forgetAll: () => workspaces.clear(),
  };
}
