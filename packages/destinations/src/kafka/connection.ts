import { ProduceAcks } from '@platformatic/kafka';
import type { Lookup } from '@posthorn/egress/lookup';
import { vetServer } from '../broker/dial.ts';
import { FoundError } from '../broker/failures.ts';
import type { BrokerConnection, BrokerPlace } from '../broker/open-broker.ts';
import { createClient, faultOfMetadata } from './client.ts';
import type { KafkaSettings } from './describe.ts';
import { isLost, isStale } from './fault.ts';

export type KafkaMessage = { topic: string; key: Buffer; value: Buffer; headers: Map<Buffer, Buffer> };

/** Where the broker stored the message. */
export type Produced = { partition: number; offset: number | string };

export type Kafka = BrokerConnection & {
  /** Resolves when all in-sync replicas have the message. Otherwise rejects with an error of the library. */
  produce(message: KafkaMessage): Promise<Produced>;
  /** The number of partitions of the topic. Also checks the addresses that the brokers announce. */
  describe(topic: string): Promise<number>;
};

/** The attempt ends before this, by its own time limit. */
const REQUEST_TIMEOUT_MS = 60_000;
/** After this time, new partitions and leaders are known. A changed leader is noticed at once. */
const METADATA_MS = 60_000;
/** Parsing a description costs CPU, so a broker cannot make us do it with every message. */
const LEAST_METADATA_MS = 1_000;

/** Connects to the first broker that answers, and signs in. */
export async function connectKafka(
  place: BrokerPlace<KafkaSettings>,
  { lookup, timeoutMs }: { lookup: Lookup; timeoutMs: number },
): Promise<Kafka> {
  const { topic } = place.settings;
  const { producer, isBroken, whyEnded } = createClient(place, {
    lookup,
    ...{ connectTimeoutMs: timeoutMs, requestTimeoutMs: REQUEST_TIMEOUT_MS },
  });
  let isClosed = false;
  const close = () => {
    isClosed = true;
    // Destroy the sockets: a half-open connection never takes the rest.
    for (const [, connection] of producer.connections) connection.socket?.destroy();
    producer.close().catch(() => undefined);
  };

  const ask = async () => {
    const metadata = await producer.metadata({ topics: [topic], forceUpdate: true });
    const fault = faultOfMetadata(producer.currentMetadata ?? metadata, topic);
    if (fault !== undefined) {
      producer.clearMetadata();
      throw new FoundError({ errorCode: 'broker_error', message: fault });
    }
    return { metadata, atMs: performance.now() };
  };
  let asked: ReturnType<typeof ask> | undefined;
  const refresh = () => {
    const asking = ask();
    asked = asking;
    asking.catch(() => {
      if (asked === asking) asked = undefined;
    });
    return asking;
  };
  /** The metadata of the topic, read again if it is too old. */
  const current = async () => {
    const asking = asked ?? refresh();
    const known = await asking;
    if (performance.now() - known.atMs < METADATA_MS) return known;
    // Only the first waiting message asks again.
    return asked === asking || asked === undefined ? refresh() : asked;
  };
  /** Makes the next message ask for the leaders again. */
  const forget = async () => {
    const asking = asked;
    const known = await asking?.catch(() => undefined);
    const isNew = known !== undefined && performance.now() - known.atMs <= LEAST_METADATA_MS;
    if (asked === asking && !isNew) asked = undefined;
  };
  const send = async (message: KafkaMessage): Promise<Produced> => {
    await current();
    // Wait until all in-sync replicas have the message. The library ignores `acks` in the producer's options.
    const { offsets = [] } = await producer.send({ messages: [message], acks: ProduceAcks.ALL });
    const [at, ...more] = offsets;
    if (at === undefined || at.topic !== topic || at.offset < 0n || more.length > 0) {
      throw new FoundError({ errorCode: 'protocol_error', message: 'The answer has no offset' });
    }
    const offset = Number(at.offset);
    return { partition: at.partition, offset: Number.isSafeInteger(offset) ? offset : String(at.offset) };
  };

  const deadline = setTimeout(close, timeoutMs);
  try {
    await refresh();
  } catch (error) {
    close();
    throw whyEnded() ?? error;
  } finally {
    clearTimeout(deadline);
  }
  return {
    isOpen: () => !isClosed && !isBroken(),
    close,
    remoteAddress: () => onlyOne([...producer.connections].map(([, { socket }]) => socket?.remoteAddress)),
    whyLate: () => undefined,
    produce: (message) =>
      send(message).catch((error: unknown) => {
        // A broker that is no longer the leader has not stored the message, so it can be sent again.
        if (isStale(error)) return forget().then(() => send(message));
        // A lost broker may have stored the message. Another broker soon becomes the leader.
        if (isLost(error)) void forget();
        throw error;
      }),
    async describe() {
      asked = undefined;
      const { metadata } = await current();
      await Promise.all([...metadata.brokers.values()].map(({ host, port }) => vetServer({ host, port }, lookup)));
      return metadata.topics.get(topic)?.partitionsCount ?? 0;
    },
  };
}

/**
 * The only address; null if there is none or more than one, because a topic may have its partitions at several brokers.
 */
function onlyOne(addresses: readonly (string | undefined)[]): string | null {
  const [address, ...others] = new Set(addresses.filter((one) => one !== undefined));
  return others.length > 0 ? null : (address ?? null);
}
