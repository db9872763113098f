/** The place of a batch among all batches of one publisher for one workspace. */
export type Place = {
  publisherId: string;
  /** Consecutive: each batch has the number after the one before it. */
  number: number;
  /** The publisher ends with this batch. */
  isLast: boolean;
};

/** Detects batches that did not arrive. */
export type BatchNumbers = {
  /** Takes the number of a batch. Returns whether earlier batches are missing. */
  take(workspaceId: string, place: Place): boolean;
  /** Whether this publisher has sent a batch and has not ended. */
  knows(workspaceId: string, publisherId: string): boolean;
  /**
   * Call it at the longest interval at which a publisher sends. Returns the workspaces for which a publisher has sent
   * nothing during `SILENT_SWEEPS` calls, because it ended without its last batch. Counting calls instead of time means
   * that a pause of this process makes no publisher look silent.
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
      // The connection may resend a batch if it does not know whether the first one arrived.
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
