import { createGate } from '@posthorn/runtime/gate';

/** The memory for large payloads of attempts in progress. The workspaces share it. */
export type PayloadMemory = {
  /**
   * Reserves memory for a payload until the returned function is called. May wait up to 250 ms. Undefined if there is
   * no memory.
   */
  reserve(request: MemoryRequest): Promise<(() => void) | undefined>;
};

export type MemoryRequest = { workspaceId: string; bytes: number };

/**
 * 256 payloads of the largest default size. A dispatcher with small payloads takes about 211 MiB, so both fit into a
 * container of 384 MiB, with the copies that exist while payloads are read and formatted.
 */
const MAX_BYTES = 64 * 1_048_576;

/** The same wait as for a slot. A deferral takes longer, and is a write. */
const WAIT_MS = 250;

const NOTHING = () => {};

class NoMemory extends Error {}

/**
 * All workspaces of an owner together hold at most as much memory as they leave free, so that each further owner finds
 * some. By default, each workspace is its own owner.
 */
export function createPayloadMemory({
  maxBytes = MAX_BYTES,
  ownerOf = (workspaceId: string) => workspaceId,
} = {}): PayloadMemory {
  const gate = createGate({
    atOnce: maxBytes,
    share: 1,
    waiting: Number.POSITIVE_INFINITY,
    forMs: WAIT_MS,
    refusal: () => new NoMemory(),
  });
  return {
    async reserve({ workspaceId, bytes }) {
      if (bytes === 0) return NOTHING;
      const claimant = { ownerId: ownerOf(workspaceId), workspaceId };
      try {
        await gate.enter(claimant, bytes);
      } catch (error) {
        if (error instanceof NoMemory) return undefined;
        throw error;
      }
      return () => gate.leave(claimant, bytes);
    },
  };
}
