import type { Db } from '@posthorn/db/client';
import type { Bus } from './bus.ts';
import type { Presence } from './presence.ts';

/** Every part of the queues on Postgres may need these. */
export type Shared = {
  db: Db;
  bus: Bus;
  presence: Presence;
  /** The id of this process: its channel on the bus, and the holder of its rows. */
  processId: string;
  monotonicMs: () => number;
  onError: (error: Error) => void;
};
