import type { DeliverRequest, FanOutRequest, HandOverRequest } from './jobs.ts';
import type { RowQueue } from './rows.ts';
import type { Takers } from './takers.ts';

/**
 * With Redis, it enqueues jobs, and decides whether there is room and at which priority. A failed enqueue loses no delivery: Postgres
 * holds the state, and the reconciler enqueues again. Every call rejects at once while Redis is away. In Postgres alone there are
 * no such jobs: it says that rows are due.
 */
export type Producer = {
  kind: 'redis' | 'postgres';
  /** Adds one job for all events of a priority and mode. Events of a flood get a lower priority than single ones. */
  enqueueFanOut(events: FanOutRequest[]): Promise<void>;
  enqueueDeliveries(deliveries: DeliverRequest[]): Promise<void>;
  /**
   * Hands new deliveries over to a dispatcher, at most 50 in a job. All are leased with the token, or without one all are
   * due. Events of a flood get a lower priority than single ones.
   */
  handOver(events: readonly HandOverRequest[], leaseToken: string | undefined): Promise<void>;
  /** How soon dispatchers take what is handed over, as it was known last. */
  takers(): Takers;
  /** The milliseconds in which a slot becomes free at an endpoint that dispatchers call slow; undefined for any other. */
  slowMs(endpointId: string): number | undefined;
  /**
   * Enqueues the overdue deliveries without a live job, and returns their number. A delayed job that is due much later
   * is not live. While fewer than 100 jobs wait, no earlier job counts as live: it was lost, or its worker died.
   */
  enqueueOverdue(deliveries: OverdueDelivery[]): Promise<number>;
  /** The number of jobs in each queue now, over all shards. */
  depths(): Promise<{ fanOut: Depths; deliver: Depths }>;
  /** True for one caller among all processes, and then false for all callers until the time has passed. */
  takeReconcilerTurn(forMs: number): Promise<boolean>;
  /** Ends the turn after this time, because there is more to enqueue. */
  shortenReconcilerTurn(toMs: number): Promise<void>;
  /** Resolves once Redis has accepted a small write. A full Redis or a replica answers reads only. No time limit. */
  ping(): Promise<void>;
  /** Calls the listener each time that Redis becomes reachable, and now if it is: overdue rows may then have no job. */
  onReachable(listener: () => void): void;
  /** The shards with jobs beyond the present number of shards, which was larger before. */
  formerShards(): Promise<number[]>;
  /** The number of jobs that wait in one queue now. The default is the first shard. */
  waiting(queue: QueueName, shard?: number): Promise<number>;
  /** Whether an operator has paused the queue. */
  isPaused(queue: QueueName, shard?: number): Promise<boolean>;
  /** Pauses the queue for all dispatchers, or ends the pause. Work under way goes on. */
  setPaused(queue: RowQueue, isPaused: boolean): Promise<void>;
  close(): Promise<void>;
};

/** How deliveries that are made where their events are accepted get to a dispatcher: as jobs, or by a call in one process. */
export type HandOff = Pick<Producer, 'handOver' | 'takers' | 'slowMs'> & {
  /** It is a call, which takes what the attempts need. */
  takesContent?: boolean;
  /** Resolves once the attempts of this process leave room for others, or after a moment. */
  awaitRoom?(): Promise<void>;
};

export type QueueName = 'handOver' | 'fanOut' | 'deliver';

export type OverdueDelivery = Required<Pick<DeliverRequest, 'round'>> & DeliverRequest;

/** The number of jobs in a queue. */
export type Depths = { waiting: number; delayed: number };
