/** The queues of rows: events that wait for their fan-out, and due deliveries. */
export type RowQueue = 'fan-out' | 'deliver';

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
};
