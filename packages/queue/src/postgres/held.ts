/** The kinds of places in the table `held`. The numbers are stored: do not use one again for something else. */
export const HELD = {
  /** A slot of `maxConcurrency`; the subject is the endpoint. */
  slot: 1,
  /** A probe counts for its endpoint, its workspace, the owner of the workspace, its portal, all portals. */
  probe: 2,
  /** A process listens to the live changes of a workspace: the subject is the workspace, the holder the process. */
  listens: 3,
  /** A live stream; the subject is the workspace or application. */
  stream: 4,
  /** Consumers wait at a process: subject and holder are the process. */
  waits: 5,
} as const;
