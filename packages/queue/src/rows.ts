import type { DbTransaction } from '@posthorn/db/client';
import type { ProbeJob } from './jobs.ts';

/** The queues of rows: events that wait for their fan-out, and due deliveries. Messages have their numbers. */
export const ROW_QUEUES = ['fan-out', 'deliver'] as const;
export type RowQueue = (typeof ROW_QUEUES)[number];

/** Which part of the rows a process takes first: the parts are numbered from 0. */
export type Share = { place: number; of: number };

/** Where the rows of Postgres are the queue, and no job says that one is due. */
export type Rows = {
  /** Calls the listener when this process or another one says that rows are due, until the returned function is called. */
  onDue(listener: (queue: RowQueue) => void): () => void;
  /** The part of this process among all dispatchers that were seen. */
  share(): Share;
  /** Whether an operator has paused the queue. */
  isPaused(queue: RowQueue): boolean;
  /** What the processes show of themselves, which queues are paused, and the tests that have not ended; of each a bounded number. */
  look(db: Pick<DbTransaction, '$queryRaw'>): Promise<RowsLook>;
};

export type RowsLook = {
  workers: ShownWorker[];
  /** Whether some of them have their queues in Redis. */
  isMixed: boolean;
  paused: RowQueue[];
  probes: ShownProbe[];
};

/** A process that was seen within the last minute. */
export type ShownWorker = {
  id: string;
  role: string;
  queue: 'redis' | 'postgres';
  version: string;
  /** Whether messages reach it. */
  hasBus: boolean;
  slotCount: number;
  freeSlots: number;
  /** The number of endpoints that answer slowly, and have no free slot there. */
  slowEndpoints: number;
  startedAt: Date;
  silentSeconds: number;
};

/** A test or an examination, in the order in which they are taken. */
export type ShownProbe = {
  id: string;
  kind: ProbeJob['kind'];
  workspaceId: string;
  /** Null where it is not about an endpoint. */
  endpointId: string | null;
  /** It is never begun later. Where no process has taken it by then, its request is answered 503. */
  beginsBy: Date;
  /** The process that has taken it. */
  takenBy: string | null;
};
