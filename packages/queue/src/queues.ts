import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import type { Consumer, ConsumerOptions } from './consumer.ts';
import type { InstallationOptions } from './installation.ts';
import type { DeliverJob, FanOutJob, HandOverJob, ProbeJob } from './jobs.ts';
import type { LivePublisher, LiveSubscriber, LiveSubscriberOptions } from './live.ts';
import type { ProbeReplies } from './probe-replies.ts';
import type { Probes } from './probes.ts';
import type { Producer } from './producer.ts';
import type { PullListener, PullListenerOptions, PullWaker } from './pull-wake.ts';
import type { Rows } from './rows.ts';
import type { SlowEndpoints } from './takers.ts';
import type { Throttle } from './throttle.ts';

/**
 * All that processes share besides the rows of events and deliveries: jobs in Redis, or Postgres alone. Close each part
 * by itself, and then what they share with `close`.
 */
export type Queues = {
  kind: 'redis' | 'postgres';
  /** Set with Postgres alone. Then events and deliveries have no jobs, and their consumers take none. */
  rows: Rows | undefined;
  /** The figures of the messages between processes; undefined with Redis. */
  bus: (() => BusFigures) | undefined;
  /**
   * Whether services that share the database have their queues elsewhere, as while `REDIS_URL` is changed from process to process.
   * It is known a few seconds later, and not while Postgres is away.
   */
  isMixed(): boolean;
  /** The number of queues of deliver jobs. */
  shards: number;
  openProducer(): Producer;
  openThrottle(): Throttle;
  openProbes(): Probes;
  openProbeReplies(): ProbeReplies;
  openLivePublisher(): LivePublisher;
  openLiveSubscriber(options: LiveSubscriberOptions): LiveSubscriber;
  openPullWaker(): PullWaker;
  openPullListener(options: PullListenerOptions): PullListener;
  /**
   * Consumes hand-over jobs, and tells the APIs so, with the endpoints that are slow here. A job whose worker died is
   * run again once. That is harmless, because an offer that has become a lease is not taken again. The reconciler finds
   * the other deliveries.
   */
  consumeHandOver(options: HandOverConsumerOptions): Consumer;
  /**
   * Consumes fan-out jobs. A job whose worker died is run again once. After a second death it is dropped, because its
   * events may be the cause. The reconciler then enqueues the events again, and counts how often.
   */
  consumeFanOut(options: ConsumerOptions<FanOutJob>): Consumer;
  /**
   * Consumes the deliver jobs of one shard; the first one by default. The claim makes repeated runs of a job harmless,
   * and counts lost leases.
   */
  consumeDeliver(options: ConsumerOptions<DeliverJob> & { shard?: number }): Consumer;
  /**
   * Consumes probe jobs. A job whose worker died is dropped: its request may have been sent, and must never be sent
   * again.
   */
  consumeProbes(options: ConsumerOptions<ProbeJob>): Consumer;
  /**
   * Keeps this installation's claim on the queues. Two installations in one place would take each other's jobs and drop
   * them. Rejects if another one has the claim. Resolves when this one has it, or if a store does not answer within 2
   * s, and then checks again. `stop` leaves the claim to the other processes.
   */
  holdInstallation(options: InstallationOptions): Promise<{ stop: () => Promise<void> }>;
  close(): Promise<void>;
};

export type HandOverConsumerOptions = ConsumerOptions<HandOverJob> & {
  slowEndpoints: () => SlowEndpoints;
  /** The number of attempts that could begin now. `slotCount` is their total number. */
  room: () => number;
  slotCount: number;
};

/** The number of messages sent to other processes, and whether messages arrive. */
export type BusFigures = { isUp: boolean; lagSeconds: number; sent: Readonly<Record<string, number>>; dropped: number };

export type RedisSettings = {
  REDIS_URL: string;
  REDIS_CA?: string | undefined;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
  QUEUE_PREFIX: string;
  DELIVER_QUEUE_SHARDS: number;
};

export type QueueSettings = Omit<RedisSettings, 'REDIS_URL'> & {
  /** Not set with Postgres alone. */
  REDIS_URL?: string | undefined;
  /** Replies to tests are stored sealed with these keys. */
  SEALING_KEYS: SealingKeys;
  DATABASE_URL: string;
  /** The address of Postgres itself if `DATABASE_URL` leads to a pooler, through which no message arrives. */
  DATABASE_DIRECT_URL?: string | undefined;
};

export type OpenQueuesDeps = {
  /** For what is kept in Postgres. With Redis, only which processes there are. */
  db: Db;
  /**
   * For the statement by which processes know about each other. Long transactions must not fill this pool. Default:
   * `db`.
   */
  presenceDb?: Db;
  role: 'api' | 'dispatcher' | 'admin';
  monotonicMs: () => number;
  /** Called for every connection error, and for every failed look. Each connection keeps reconnecting. */
  onError: (error: Error) => void;
};
