import type { DbTransaction } from '@posthorn/db/client';
import type { ProbeJob } from './jobs.ts';

/**
 * The queues of rows: events that wait for their fan-out, and due deliveries. Messages use their indexes, so keep the
 * order.
 */
export const ROW_QUEUES = ['fan-out', 'deliver'] as const;
export type RowQueue = (typeof ROW_QUEUES)[number];

/** The part of the rows that a process takes first. Parts are numbered from 0. */
export type Share = { place: number; of: number };

/** Set if Postgres' rows are the queue, so that no job says that a row is due. */
export type Rows = {
  /**
   * Calls the listener when any process, including this one, says that rows are due, until the returned function is
   * called.
   */
  onDue(listener: (queue: RowQueue) => void): () => void;
  /** The part of this process among all dispatchers that are seen. */
  share(): Share;
  /** Whether an operator has paused the queue. */
  isPaused(queue: RowQueue): boolean;
  /**
   * The processes' reports on themselves, the paused queues, and the tests that have not ended. The number of each is
   * limited.
   */
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
  /** Whether messages reach the process. */
  hasBus: boolean;
  slotCount: number;
  freeSlots: number;
  /** The number of endpoints that answer slowly and have no free slot in the process. */
  slowEndpoints: number;
  startedAt: Date;
  silentSeconds: number;
};

/** A test or an examination. They are listed in the order in which they are taken. */
export type ShownProbe = {
  id: string;
  kind: ProbeJob['kind'];
  workspaceId: string;
  /** Null if it is not about an endpoint. */
  endpointId: string | null;
  /** The probe must begin by this time. If no process has taken it by then, its request is answered with 503. */
  beginsBy: Date;
  /** The process that has taken the probe. */
  takenBy: string | null;
};
