import type { Consumer, ConsumerOptions } from './consumer.ts';
import type { InstallationOptions } from './installation.ts';
import type { DeliverJob, FanOutJob, HandOverJob, ProbeJob } from './jobs.ts';
import type { LivePublisher, LiveSubscriber, LiveSubscriberOptions } from './live.ts';
import type { ProbeReplies } from './probe-replies.ts';
import type { Probes } from './probes.ts';
import type { Producer } from './producer.ts';
import type { PullListener, PullListenerOptions, PullWaker } from './pull-wake.ts';
import type { SlowEndpoints } from './takers.ts';
import type { Throttle } from './throttle.ts';

/** All that processes share besides the rows of Postgres. Each part has connections of its own, and is closed by itself. */
export type Queues = {
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
  consumeHandOver(options: ConsumerOptions<HandOverJob> & { slowEndpoints: () => SlowEndpoints }): Consumer;
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
};

export type QueueSettings = {
  REDIS_URL: string;
  REDIS_CA?: string | undefined;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
  QUEUE_PREFIX: string;
  DELIVER_QUEUE_SHARDS: number;
};

export type OpenQueuesDeps = {
  monotonicMs: () => number;
  /** Called for every connection error. Each connection keeps reconnecting. */
  onError: (error: Error) => void;
};
