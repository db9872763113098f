import type { DeliverRequest, FanOutRequest, HandOverRequest } from './jobs.ts';
import type { RowQueue } from './rows.ts';
import type { Takers } from './takers.ts';

/**
 * With Redis, it enqueues jobs, and decides whether there is room and at which priority. A failed enqueue loses no
 * delivery: Postgres has the state, and the reconciler enqueues again. Every call rejects at once while Redis is away.
 * With Postgres alone, there are no such jobs, and it only announces that rows are due.
 */
export type Producer = {
  kind: 'redis' | 'postgres';
  /**
   * Adds one job for all events with the same priority and mode. Events of a flood get a lower priority than single
   * events.
   */
  enqueueFanOut(events: FanOutRequest[]): Promise<void>;
  enqueueDeliveries(deliveries: DeliverRequest[]): Promise<void>;
  /**
   * Hands new deliveries over to a dispatcher, at most 50 in a job. With a token, all are leased under it; without one,
   * all are due. Events of a flood get a lower priority than single events.
   */
  handOver(events: readonly HandOverRequest[], leaseToken: string | undefined): Promise<void>;
  /** How soon dispatchers take handed-over deliveries, as last known. */
  takers(): Takers;
  /**
   * The interval in milliseconds at which a slot becomes free at an endpoint that dispatchers report as slow; undefined
   * for any other.
   */
  slowMs(endpointId: string): number | undefined;
  /**
   * Enqueues the overdue deliveries without a live job, and returns their number. A delayed job that is due much later
   * is not live. While fewer than 100 jobs wait, no earlier job counts as live: it was lost, or its worker died.
   */
  enqueueOverdue(deliveries: OverdueDelivery[]): Promise<number>;
  /** The number of jobs in each queue now, over all shards. */
  depths(): Promise<{ fanOut: Depths; deliver: Depths }>;
  /**
   * True for one caller among all processes, and then false for all until the time has passed. With Postgres alone, the
   * caller may prolong its turn.
   */
  takeReconcilerTurn(forMs: number): Promise<boolean>;
  /** Ends the turn after this time, because there is more to enqueue. */
  shortenReconcilerTurn(toMs: number): Promise<void>;
  /** Resolves once Redis has accepted a small write. A full Redis or a replica accepts only reads. No time limit. */
  ping(): Promise<void>;
  /**
   * Calls the listener each time Redis becomes reachable, and now if it is, because overdue rows may then have no job.
   */
  onReachable(listener: () => void): void;
  /** Shards beyond the present number that still have jobs from when there were more shards. */
  formerShards(): Promise<number[]>;
  /** The number of jobs that wait in a queue now; in the first shard by default. */
  waiting(queue: QueueName, shard?: number): Promise<number>;
  /** Whether an operator has paused the queue. */
  isPaused(queue: QueueName, shard?: number): Promise<boolean>;
  /** Pauses the queue for all dispatchers, or ends the pause. Work in progress goes on. */
  setPaused(queue: RowQueue, isPaused: boolean): Promise<void>;
  close(): Promise<void>;
};

/**
 * How deliveries that were created on acceptance of their events get to a dispatcher: as jobs, or by a call within one
 * process.
 */
export type HandOff = Pick<Producer, 'handOver' | 'takers' | 'slowMs'> & {
  /** Set if it is a call, which takes what the attempts need. */
  takesContent?: boolean;
  /** Resolves once the attempts of this process leave room for others, or after a moment. */
  awaitRoom?(): Promise<void>;
};

export type QueueName = 'handOver' | 'fanOut' | 'deliver';

export type OverdueDelivery = Required<Pick<DeliverRequest, 'round'>> & DeliverRequest;

/** The number of jobs in a queue. */
export type Depths = { waiting: number; delayed: number };
