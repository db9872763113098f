import { setTimeout as delay } from 'node:timers/promises';
import type { PullListener, PullListenerOptions, PullWaker } from '../pull-wake.ts';
import {
  openListener,
  openProducerConnection,
  type QueueOptions,
  type RedisConnection,
  subscribe,
} from './connection.ts';

/** How long ids are gathered for one message. */
const GATHERS_FOR_MS = 5;
/** The most endpoints in a message of a process. Consumers of further ones are woken when the API looks by itself. */
const MOST_GATHERED = 10_000;
const CLOSES_WITHIN_MS = 1_000;
const PING_EVERY_MS = 10_000;

const channelOf = (prefix: string) => `${prefix}:pull`;

/** Opens its own connection when it is first needed. While Redis is away, nobody is woken. */
export function createPullWaker(options: QueueOptions): PullWaker {
  let connection: RedisConnection | undefined;
  let gathered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const send = async () => {
    timer = undefined;
    const endpointIds = [...gathered];
    gathered = new Set();
    if (endpointIds.length === 0) return;
    // The connection reports its own errors.
    await connection?.publish(channelOf(options.prefix), endpointIds.join(' ')).catch(() => undefined);
  };
  return {
    wake(endpointIds) {
      for (const endpointId of endpointIds) {
        if (gathered.size >= MOST_GATHERED) break;
        connection ??= openProducerConnection(options);
        gathered.add(endpointId);
        timer ??= setTimeout(send, GATHERS_FOR_MS);
      }
    },
    async close() {
      clearTimeout(timer);
      await Promise.race([send(), delay(CLOSES_WITHIN_MS, undefined, { ref: false })]);
      connection?.disconnect();
    },
  };
}

/** Opens its own connection when it first listens. */
export function createPullListener({
  onWake,
  onConnected,
  ...options
}: QueueOptions & PullListenerOptions): PullListener {
  const channel = channelOf(options.prefix);
  let close: (() => void) | undefined;
  return {
    listen() {
      if (close !== undefined) return;
      const listener = openListener(options);
      listener.on('message', (_channel: string, text: string) => onWake(text.split(' ')));
      listener.on('ready', () => void subscribe(listener, channel).then(onConnected, options.onError));
      // Without messages, an answer to a ping is the only sign that the connection is alive.
      const pinging = setInterval(() => void listener.ping().catch(options.onError), PING_EVERY_MS);
      pinging.unref();
      close = () => {
        clearInterval(pinging);
        listener.disconnect();
      };
    },
    close: () => close?.(),
  };
}
