/** The kinds of places in the table `held`. The numbers are stored, so never reuse one for something else. */
export const HELD = {
  /** A slot of `maxConcurrency`. The subject is the endpoint. */
  slot: 1,
  /** A probe counts for its endpoint, its workspace, the owner of the workspace, its portal, and all portals. */
  probe: 2,
  /** A process listens to a workspace's live changes. The subject is the workspace, and the holder is the process. */
  listens: 3,
  /** A live stream. The subject is the workspace or application. */
  stream: 4,
  /** Consumers wait at a process. Subject and holder are the process. */
  waits: 5,
} as const;
