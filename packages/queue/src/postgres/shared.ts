import type { Db } from '@posthorn/db/client';
import type { Bus } from './bus.ts';
import type { Presence } from './presence.ts';

/** Shared by the parts of the queues on Postgres. */
export type Shared = {
  db: Db;
  bus: Bus;
  presence: Presence;
  /** The id of this process: the name of its channel on the bus, and the holder of its rows. */
  processId: string;
  monotonicMs: () => number;
  onError: (error: Error) => void;
};
