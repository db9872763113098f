import type { OpenQueuesDeps, Queues, RedisSettings } from '../queues.ts';
import { queueOptions } from './connection.ts';
import { consumeDeliver, consumeFanOut, consumeHandOver, consumeProbes } from './consumer.ts';
import { holdInstallation } from './installation.ts';
import { createLivePublisher, createLiveSubscriber } from './live.ts';
import { createProbeReplies } from './probe-replies.ts';
import { createProbes } from './probes.ts';
import { createProducer } from './producer.ts';
import { createPullListener, createPullWaker } from './pull-wake.ts';
import { createThrottle } from './throttle.ts';

/** The queues as BullMQ keeps them in Redis. They know nothing of processes that have theirs elsewhere. */
export function redisQueues(
  settings: RedisSettings,
  { monotonicMs, onError }: Pick<OpenQueuesDeps, 'monotonicMs' | 'onError'>,
): Omit<Queues, 'isMixed'> {
  const redis = queueOptions(settings, onError);
  const { DELIVER_QUEUE_SHARDS: shards } = settings;
  return {
    kind: 'redis',
    rows: undefined,
    bus: undefined,
    shards,
    openProducer: () => createProducer({ ...redis, shards, monotonicMs }),
    openThrottle: () => createThrottle(redis),
    openProbes: () => createProbes(redis),
    openProbeReplies: () => createProbeReplies(redis),
    openLivePublisher: () => createLivePublisher(redis),
    openLiveSubscriber: (options) => createLiveSubscriber({ ...redis, ...options }),
    openPullWaker: () => createPullWaker(redis),
    openPullListener: (options) => createPullListener({ ...redis, ...options }),
    consumeHandOver: (options) => consumeHandOver({ ...redis, ...options }),
    consumeFanOut: (options) => consumeFanOut({ ...redis, ...options }),
    consumeDeliver: (options) => consumeDeliver({ ...redis, ...options }),
    consumeProbes: (options) => consumeProbes({ ...redis, ...options }),
    holdInstallation: (options) => holdInstallation({ ...redis, ...options }),
    // Nothing to close: each part has closed its connections.
    close: async () => undefined,
  };
}
