import { isIP } from 'node:net';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { Lookup } from '@posthorn/egress/lookup';
import { type ChannelModel, type ConfirmChannel, connect, type SocketOptions } from 'amqplib';
import { vetServer } from '../broker/dial.ts';
import type { BrokerConnection, BrokerPlace } from '../broker/open-broker.ts';
import { pinTo } from '../webhook/egress-agent.ts';
import { type Bounded, bound, MOST_FRAME_BYTES } from './bounded.ts';
import type { RabbitMqSettings } from './describe.ts';
import { BLOCKED, RefusedError, ReturnedError } from './fault.ts';

/** A connection with one channel, on which the broker confirms each message. */
export type RabbitMqConnection = BrokerConnection & {
  /** Resolves when the broker has confirmed the message. Rejects with an error of the client. */
  publish(message: Outgoing): Promise<void>;
  /**
   * Checks whether the exchange exists. It uses its own channel, because the broker closes a channel after a failed
   * check.
   */
  checkExchange(exchange: string): Promise<void>;
};

export type Outgoing = {
  exchange: string;
  routingKey: string;
  body: Buffer;
  messageId: string;
  deliveryId: string;
  contentType: string;
  timestampSeconds: number;
  headers: Record<string, string>;
};

const HEARTBEAT_SECONDS = 10;
/** The time that a broker has for its goodbye. */
const CLOSING_MS = 2_000;

/** Connects only to addresses that `lookup` allows, and signs in. Rejects with an Error. */
export async function openConnection(
  { settings, credentials }: BrokerPlace<RabbitMqSettings>,
  { lookup, timeoutMs }: { lookup: Lookup; timeoutMs: number },
): Promise<RabbitMqConnection> {
  const { host: hostname, port, tls, vhost, ca } = settings;
  const { username = '', password = '' } = credentials;
  // Node does not look up a literal address, so check it here.
  await vetServer({ host: hostname, port }, lookup);
  const stop = new AbortController();
  const deadline = setTimeout(() => stop.abort(), timeoutMs);
  try {
    const server = {
      ...{ protocol: tls ? 'amqps' : 'amqp', hostname, port, vhost: encodeURIComponent(vhost) },
      // Without this, the client would wait for up to 64 MiB, and copy all of it for each piece that arrives.
      maxFrameSize: MOST_FRAME_BYTES,
    };
    const options: SocketOptions & { signal: AbortSignal } = {
      lookup: pinTo(lookup),
      noDelay: true,
      // When this signal aborts, Node destroys the socket, whatever the state of the connection.
      signal: stop.signal,
      // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not disable the check.
      rejectUnauthorized: true,
      ciphers: CIPHERS,
      clientProperties: { connection_name: 'posthorn' },
      ...(ca === undefined ? {} : { ca }),
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    };
    const model = await connect({ ...server, username, password, heartbeat: HEARTBEAT_SECONDS }, options);
    // The callback of each waiting message gets the error. Without a listener, it would also end the process.
    model.on('error', () => undefined);
    const bounded = bound(model);
    return watch(model, await model.createConfirmChannel(), { stop, bounded });
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

type Watching = { stop: AbortController; bounded: Bounded };

function watch(model: ChannelModel, channel: ConfirmChannel, { stop, bounded }: Watching): RabbitMqConnection {
  let isOpen = true;
  let isBlocked = false;
  let fault: Error | undefined;
  /** The deliveries in flight, and whether the broker has returned their message. */
  const onWay = new Map<string, { isReturned: boolean }>();
  const end = (error?: Error) => {
    fault ??= error;
    if (!isOpen) return;
    isOpen = false;
    // A broker may say goodbye and leave its side open.
    setTimeout(() => stop.abort(), CLOSING_MS).unref();
    // Rejects if the connection is already closed.
    model.close().catch(() => undefined);
  };
  model.on('close', end);
  model.on('blocked', () => (isBlocked = true));
  model.on('unblocked', () => (isBlocked = false));
  channel.on('error', end);
  channel.on('close', () => end());
  // A return arrives before the confirmation of the same message.
  channel.on('return', ({ properties }) => {
    const one = onWay.get(String(properties.correlationId));
    if (one !== undefined) one.isReturned = true;
  });

  return {
    publish: ({ exchange, routingKey, body, ...message }) =>
      new Promise((resolve, reject) => {
        const { messageId, deliveryId: correlationId, contentType, timestampSeconds: timestamp, headers } = message;
        const properties = { messageId, correlationId, contentType, timestamp, headers };
        const one = { isReturned: false };
        const settle = (error: unknown) => {
          if (onWay.get(correlationId) === one) onWay.delete(correlationId);
          // The channel's own error says more than that the channel is closed.
          if (error) reject(isNack(error) ? new RefusedError() : (bounded.fault() ?? fault ?? error));
          else if (one.isReturned) reject(new ReturnedError());
          else resolve();
        };
        onWay.set(correlationId, one);
        bounded.sending(body.length);
        channel.publish(exchange, routingKey, body, { ...properties, persistent: true, mandatory: true }, settle);
      }),
    async checkExchange(exchange) {
      const own = await model.createChannel();
      own.on('error', () => undefined);
      await own.checkExchange(exchange);
      await own.close();
    },
    remoteAddress: () => bounded.socket.remoteAddress ?? null,
    whyLate: () => (isBlocked ? BLOCKED : undefined),
    isOpen: () => isOpen,
    close: () => end(),
  };
}

/** The client has no class for this error. */
function isNack(error: unknown): boolean {
  return error instanceof Error && error.message === 'message nacked';
}
