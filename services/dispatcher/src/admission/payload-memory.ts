/** The memory for large payloads of attempts under way in this process. Workspaces share it. */
export type PayloadMemory = {
  /**
   * Reserves memory for a payload until the returned function is called. It may wait up to 250 ms for memory. Undefined
   * if there is none.
   */
  reserve(request: MemoryRequest): Promise<(() => void) | undefined>;
};

export type MemoryRequest = { workspaceId: string; bytes: number };

/**
 * 256 payloads of the largest default size. A dispatcher with small payloads takes about 211 MiB, so both fit into a
 * container of 384 MiB, beside the copies that exist while payloads are read and formatted.
 */
const MAX_BYTES = 64 * 1_048_576;

/** As for a slot: a deferral takes longer, and is a write. */
const WAIT_MS = 250;

const NOTHING = () => {};

/**
 * A workspace holds at most as much memory as it leaves free, so each further workspace finds some. The requests of one
 * workspace take memory in their order: its small payloads would otherwise take all that its large payloads wait for.
 */
export function createPayloadMemory(maxBytes = MAX_BYTES): PayloadMemory {
  let freeBytes = maxBytes;
  const heldBytes = new Map<string, number>();
  /** In the order of the requests. */
  const waiting = new Set<{ request: MemoryRequest; grant: () => void }>();

  const mayHold = ({ workspaceId, bytes }: MemoryRequest) =>
    (heldBytes.get(workspaceId) ?? 0) + bytes <= freeBytes - bytes;
  const count = (workspaceId: string, bytes: number) => {
    freeBytes -= bytes;
    const held = (heldBytes.get(workspaceId) ?? 0) + bytes;
    if (held === 0) heldBytes.delete(workspaceId);
    else heldBytes.set(workspaceId, held);
  };
  const isWaiting = (workspaceId: string) => [...waiting].some(({ request }) => request.workspaceId === workspaceId);
  const grantWaiting = () => {
    const blocked = new Set<string>();
    for (const { request, grant } of waiting) {
      if (!blocked.has(request.workspaceId) && mayHold(request)) grant();
      else blocked.add(request.workspaceId);
    }
  };
  const hold = ({ workspaceId, bytes }: MemoryRequest): (() => void) => {
    count(workspaceId, bytes);
    return () => {
      count(workspaceId, -bytes);
      grantWaiting();
    };
  };
  return {
    async reserve(request) {
      if (request.bytes === 0) return NOTHING;
      if (mayHold(request) && !isWaiting(request.workspaceId)) return hold(request);
      return new Promise((resolve) => {
        const end = (release?: () => void) => {
          clearTimeout(timer);
          waiting.delete(one);
          resolve(release);
        };
        const one = { request, grant: () => end(hold(request)) };
        const timer = setTimeout(() => {
          end();
          grantWaiting();
        }, WAIT_MS);
        waiting.add(one);
      });
    },
  };
}
