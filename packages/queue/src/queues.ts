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
 * All that processes share besides the rows of events and deliveries: by jobs in Redis, or in Postgres alone. Each part is
 * closed by itself, and what they share at last by `close`.
 */
export type Queues = {
  kind: 'redis' | 'postgres';
  /** Set in Postgres alone: there are no jobs of events and deliveries then, and the consumers of these take none. */
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
   * Consumes hand-over jobs, and tells the APIs so, and which endpoints are slow here. A job whose worker died is run again
   * once. That is harmless: an offer that has become a lease is not taken again. The reconciler finds the other deliveries.
   */
  consumeHandOver(options: HandOverConsumerOptions): Consumer;
  /**
   * Consumes fan-out jobs. A job whose worker died is run again once. After a second death it is dropped, because its
   * events may be the cause. The reconciler then enqueues the events again, and counts how often.
   */
  consumeFanOut(options: ConsumerOptions<FanOutJob>): Consumer;
  /**
   * Consumes the deliver jobs of one shard; of the first one by default. The claim makes repeated runs of a job harmless
   * and counts lost leases.
   */
  consumeDeliver(options: ConsumerOptions<DeliverJob> & { shard?: number }): Consumer;
  /** Consumes probe jobs. A job whose worker died is dropped: its request may have been sent, and is never sent again. */
  consumeProbes(options: ConsumerOptions<ProbeJob>): Consumer;
  /**
   * Keeps the claim of this installation on the queues. Two installations in one place would take each other's jobs, and
   * drop them. Rejects when another one has the claim; resolves when this one has it, or when a store does not answer
   * within 2 s, and then looks again. `stop` leaves the claim to the other processes.
   */
  holdInstallation(options: InstallationOptions): Promise<{ stop: () => Promise<void> }>;
  close(): Promise<void>;
};

export type HandOverConsumerOptions = ConsumerOptions<HandOverJob> & {
  slowEndpoints: () => SlowEndpoints;
  /** The number of attempts that could begin now, of so many in all. */
  room: () => number;
  slotCount: number;
};

/** The messages that were sent to other processes, and whether messages arrive. */
export type BusFigures = { isUp: boolean; lagSeconds: number; sent: Readonly<Record<string, number>>; dropped: number };

export type RedisSettings = {
  REDIS_URL: string;
  REDIS_CA?: string | undefined;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
  QUEUE_PREFIX: string;
  DELIVER_QUEUE_SHARDS: number;
};

export type QueueSettings = Omit<RedisSettings, 'REDIS_URL'> & {
  /** Unset: in Postgres alone. */
  REDIS_URL?: string | undefined;
  /** Replies of tests are sealed where they are stored. */
  SEALING_KEYS: SealingKeys;
  DATABASE_URL: string;
  /** Postgres itself, where `DATABASE_URL` leads to a pooler: no message arrives through one. */
  DATABASE_DIRECT_URL?: string | undefined;
};

export type OpenQueuesDeps = {
  /** For what is kept in Postgres. With Redis, only which processes there are. */
  db: Db;
  /** For the statement by which processes know of each other: long transactions must not fill this pool. `db` by default. */
  presenceDb?: Db;
  role: 'api' | 'dispatcher' | 'admin';
  monotonicMs: () => number;
  /** Called for every connection error, and for every failed look. Each connection keeps reconnecting. */
  onError: (error: Error) => void;
};
