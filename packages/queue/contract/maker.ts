import type { Queues } from '@posthorn/queue/queues';

/** The parts of a process's queues that the contract's tests use. */
export type Parts = Pick<
  Queues,
  | 'openThrottle'
  | 'openProbes'
  | 'openProbeReplies'
  | 'consumeProbes'
  | 'openLivePublisher'
  | 'openLiveSubscriber'
  | 'openPullWaker'
  | 'openPullListener'
>;

/** One of the ways to keep the queues. */
export type Maker = {
  /** Opens an empty place on the server. */
  open(): Promise<Place>;
};

export type Place = {
  /** The address of the server. */
  url: string;
  /** The queues of one more process, which reaches the server at this address. */
  process(options?: { url?: string; onError?: (error: Error) => void }): Parts;
  /** The number of probes that no process has taken. */
  waitingProbes(): Promise<number>;
  /** Closes what the processes share. The user of each part closes that part. */
  close(): Promise<void>;
};

/** Addresses at which nothing listens. */
export const NOWHERE = { redis: 'redis://127.0.0.1:9', postgres: 'postgres://posthorn@127.0.0.1:9/posthorn' };

/** An address of the same kind at which nothing listens. */
export const nowhere = (url: string): string => (url.startsWith('redis') ? NOWHERE.redis : NOWHERE.postgres);
