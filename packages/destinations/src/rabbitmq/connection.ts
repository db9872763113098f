import { isIP, type Socket } from 'node:net';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { Lookup } from '@posthorn/egress/lookup';
import { type ChannelModel, type ConfirmChannel, connect, type SocketOptions } from 'amqplib';
import type { BrokerConnection, BrokerPlace } from '../broker/open-broker.ts';
import { egressError, pinTo } from '../webhook/egress-agent.ts';
import type { RabbitMqSettings } from './describe.ts';
import { BLOCKED, RefusedError, ReturnedError } from './fault.ts';

/** A connection with one channel, on which each message is confirmed. */
export type RabbitMqConnection = BrokerConnection & {
  /** Resolves when the broker has confirmed the message. Rejects with the error of the client. */
  publish(message: Outgoing): Promise<void>;
  /** Asks whether the exchange is there. A channel of its own, because the broker ends one for a wrong question. */
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
/** How long a broker may take to say goodbye. */
const CLOSING_MS = 2_000;

/** Connects only to addresses that `lookup` allows, and signs in. Rejects with an Error. */
export async function openConnection(
  { settings, credentials }: BrokerPlace<RabbitMqSettings>,
  { lookup, timeoutMs }: { lookup: Lookup; timeoutMs: number },
): Promise<RabbitMqConnection> {
  const { host: hostname, port, tls, vhost, ca } = settings;
  const { username = '', password = '' } = credentials;
  // Node looks up no literal address, so it is checked here.
  const vetted = await lookup(hostname);
  if (vetted.kind === 'blocked') throw egressError('blocked');
  if (vetted.kind === 'failed') throw egressError('unresolved', vetted.code);
  const stop = new AbortController();
  const deadline = setTimeout(() => stop.abort(), timeoutMs);
  try {
    const server = { protocol: tls ? 'amqps' : 'amqp', hostname, port, vhost: encodeURIComponent(vhost) };
    const options: SocketOptions & { signal: AbortSignal } = {
      lookup: pinTo(lookup),
      noDelay: true,
      // Node destroys the socket with it, in whatever state the connection is.
      signal: stop.signal,
      // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not disable the check.
      rejectUnauthorized: true,
      ciphers: CIPHERS,
      clientProperties: { connection_name: 'posthorn' },
      ...(ca === undefined ? {} : { ca }),
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    };
    const model = await connect({ ...server, username, password, heartbeat: HEARTBEAT_SECONDS }, options);
    // Each waiting message is told by its own callback. Without a listener, an error would end the process.
    model.on('error', () => undefined);
    return watch(model, await model.createConfirmChannel(), stop);
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

function watch(model: ChannelModel, channel: ConfirmChannel, stop: AbortController): RabbitMqConnection {
  let isOpen = true;
  let isBlocked = false;
  let fault: Error | undefined;
  const returned = new Set<string>();
  const end = (error?: Error) => {
    fault ??= error;
    if (!isOpen) return;
    isOpen = false;
    const timer = setTimeout(() => stop.abort(), CLOSING_MS).unref();
    // It rejects for a connection that is closed already.
    model.close().then(
      () => clearTimeout(timer),
      () => undefined,
    );
  };
  model.on('close', end);
  model.on('blocked', () => (isBlocked = true));
  model.on('unblocked', () => (isBlocked = false));
  channel.on('error', end);
  channel.on('close', () => end());
  // It comes before the confirmation of the same message.
  channel.on('return', ({ properties }) => returned.add(String(properties.correlationId)));

  return {
    publish: ({ exchange, routingKey, body, ...message }) =>
      new Promise((resolve, reject) => {
        const { messageId, deliveryId: correlationId, contentType, timestampSeconds: timestamp, headers } = message;
        const properties = { messageId, correlationId, contentType, timestamp, headers };
        const settle = (error: unknown) => {
          const wasReturned = returned.delete(correlationId);
          // The channel's own error says more than that it is closed.
          if (error) reject(isNack(error) ? new RefusedError() : (fault ?? error));
          else if (wasReturned) reject(new ReturnedError());
          else resolve();
        };
        channel.publish(exchange, routingKey, body, { ...properties, persistent: true, mandatory: true }, settle);
      }),
    async checkExchange(exchange) {
      const own = await model.createChannel();
      own.on('error', () => undefined);
      await own.checkExchange(exchange);
      await own.close();
    },
    remoteAddress: () => socketOf(model)?.remoteAddress ?? null,
    whyLate: () => (isBlocked ? BLOCKED : undefined),
    isOpen: () => isOpen,
    close: () => end(),
  };
}

/** The types of the client do not have it. */
function socketOf({ connection }: { connection: object & { stream?: Socket } }): Socket | undefined {
  return connection.stream;
}

/** The client has no class for it. */
function isNack(error: unknown): boolean {
  return error instanceof Error && error.message === 'message nacked';
}
