import type { Queues } from '@posthorn/queue/queues';

/** What the tests of the contract use of the queues of a process. */
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

/** One way to keep the queues. */
export type Maker = {
  /** The server where all is kept, empty. */
  open(): Promise<Place>;
};

export type Place = {
  /** The address of the server. */
  url: string;
  /** The queues of one more process, which reaches the server by the address. */
  process(options?: { url?: string; onError?: (error: Error) => void }): Parts;
  /** The number of probes that no process has taken. */
  waitingProbes(): Promise<number>;
  /** Closes what the processes share. Each part is closed by its user. */
  close(): Promise<void>;
};

/** Addresses at which nothing listens. */
export const NOWHERE = { redis: 'redis://127.0.0.1:9', postgres: 'postgres://posthorn@127.0.0.1:9/posthorn' };

/** The address of the same kind at which nothing listens. */
export const nowhere = (url: string): string => (url.startsWith('redis') ? NOWHERE.redis : NOWHERE.postgres);
