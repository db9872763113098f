import { createGate } from '@posthorn/runtime/gate';

/** Between two parts, the work may await `endTurn`, which resolves when its turn comes again. */
type Work = (endTurn: () => Promise<void>) => Promise<void>;

/** Runs work in its turn. Resolves once the work has run or was left out. */
export type Isolation = (workspaceId: string, work: Work) => Promise<void>;

class LeftOut extends Error {}

/**
 * Runs one suspect piece of work of this process at a time, because each may block or end the process. The owners of
 * workspaces take turns, and so do each owner's workspaces. At most `waiting` pieces wait. If there are more, the
 * latest piece of the owner with the most is left out. Then the reconciler enqueues it again, or a later turn of its
 * line begins again.
 */
export function createIsolation(waiting: number, ownerOf: (workspaceId: string) => string): Isolation {
  const gate = createGate({ atOnce: 1, waiting, refusal: () => new LeftOut() });
  return async (workspaceId, work) => {
    const claimant = { ownerId: ownerOf(workspaceId), workspaceId };
    try {
      await gate.run(claimant, () => work(() => gate.pass(claimant)));
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
    }
  };
}
