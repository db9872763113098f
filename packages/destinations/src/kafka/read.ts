import { type Broker, type ClusterMetadata, type Connection, listOffsetsV9, type Producer } from '@platformatic/kafka';
import type { AddressRules } from '@posthorn/egress/address-rules';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import type { Clock } from '@posthorn/runtime/clock';
import { FoundError, NO_PLAINTEXT, withoutSecrets } from '../broker/failures.ts';
import { unreadable } from './answers.ts';
import { createClient, faultOfMetadata } from './client.ts';
import type { ClusterSettings } from './describe.ts';
import { describeKafkaError } from './fault.ts';
import { type Fetched, type FetchedPartition, fetchPartitions, MOST_PARTITIONS } from './fetch.ts';
import { gatherAnswers } from './gather-answers.ts';
import { partOf, type ReadPart } from './read-part.ts';
import { createMemory, headOf, isTooLong, readBatches } from './records.ts';

// Reads topics at given offsets, outside any consumer group: Postgres holds the position of a source, and which process
// reads it (docs/adr/0022).

export type SourceReader = {
  /** The present topics: the id and the number of partitions of each. */
  describe(): Promise<Map<string, { id: string; partitions: number }>>;
  /** For each partition of the topic: the first offset at or after a time, the earliest offset, or the end. */
  offsetsAt(topic: string, at: Date | 'earliest' | 'latest'): Promise<bigint[]>;
  /**
   * Reads up to 1 MiB of each partition, and 4 MiB in all: of the first places, if there is more. Waits for half a second where
   * nothing is there. It takes what is there as soon as one broker has brought something. The answers of the others are taken by a
   * later call, which has to ask about their partitions again. A part says why its next batch cannot be read. The fetch has then
   * ended there: leave this partition out, so that a later call reads those behind it.
   */
  fetch(places: readonly Place[]): Promise<ReadPart[]>;
  /** Whether this reader cannot read any more, so that you must open another one. */
  isBroken(): boolean;
  /** Describes an error of this reader, in the broker's words if it sent some. */
  explain(error: unknown): { errorCode: string; message: string };
  close(): void;
};

type Place = { topic: string; partition: number; offset: bigint };
type FetchAnswer = { bytes: number; parts: { place: Place; fetched: FetchedPartition }[] };

export type OpenReader = (given: {
  settings: ClusterSettings;
  credentials: Readonly<Record<string, string>>;
  topics: readonly string[];
  rules: AddressRules;
  allowPlaintext: boolean;
  clock: Clock;
}) => SourceReader;

const LOOKUP_MS = 4_000;
const CONNECT_MS = 10_000;
const REQUEST_MS = 15_000;
const WAIT_MS = 500;
const PARTITION_BYTES = 1024 * 1024;
const ANSWER_BYTES = 4 * 1024 * 1024;
/**
 * A broker answers with a whole batch, even if the batch exceeds the limit. So an answer has what a batch may have, and room for
 * the rest. A longer batch holds up its partition, unless its answer exceeds what all answers may have together.
 */
const MOST_BYTES = { ofAnswer: 5 * ANSWER_BYTES, kept: 8 * ANSWER_BYTES };
const READ_COMMITTED = 1;
/** A request that begins a session takes a place in the broker's cache, and other consumers of the cluster lose theirs. */
const NO_SESSION = [0, -1] as const;
const [EARLIEST, LATEST] = [-2n, -1n];

export const openReader: OpenReader = ({ settings, credentials, topics, rules, allowPlaintext, clock }) => {
  if (!settings.tls && !allowPlaintext) throw new FoundError(NO_PLAINTEXT);
  const lookup = createLookup({ rules, resolve: createResolveName({ budgetMs: LOOKUP_MS }), clock });
  const place = { settings, credentials };
  const options = { lookup, connectTimeoutMs: CONNECT_MS, requestTimeoutMs: REQUEST_MS, mostBytes: MOST_BYTES.kept };
  const { producer, isBroken, whyEnded } = createClient(place, options);

  const read = async (forceUpdate: boolean) => {
    const metadata = await producer.metadata({ topics: [...topics], forceUpdate });
    // All that it was told, also of other topics.
    const all = producer.currentMetadata ?? metadata;
    const faults = topics.map((topic) => faultOfMetadata(all, topic, topics.length));
    const message = faults.find((fault) => fault !== undefined) ?? tooMany(metadata, topics);
    if (message !== undefined) {
      producer.clearMetadata();
      throw new FoundError({ errorCode: 'broker_error', message });
    }
    return metadata;
  };
  /** Groups partitions by their leader, with the ids of their topics. */
  const leadersOf = async <One extends { topic: string; partition: number }>(places: readonly One[]) => {
    const metadata = await read(false);
    const byLeader = groupBy(
      places,
      ({ topic, partition }) => metadata.topics.get(topic)?.partitions[partition]?.leader ?? -1,
    );
    return [...byLeader].map(([leader, led]) => ({
      ...{ leader, led, share: 1 / byLeader.size, idOf: (topic: string) => metadata.topics.get(topic)?.id ?? '' },
      connect: () => connect(producer, metadata.brokers.get(leader)),
    }));
  };
  type Leader = Awaited<ReturnType<typeof leadersOf<Place>>>[number];
  let keptBytes = 0;
  const fetchFrom = async ({ led, share, idOf, connect }: Leader): Promise<FetchAnswer> => {
    // A broker fills its answer in this order, so it must be that of the places, whatever their topics are.
    const request = led.map(({ topic, partition, offset: fetchOffset }) => {
      const place = { partition, fetchOffset, partitionMaxBytes: PARTITION_BYTES };
      return { topicId: idOf(topic), partitions: [{ ...place, currentLeaderEpoch: -1, lastFetchedEpoch: -1 }] };
    });
    const sizes = [WAIT_MS, 1, Math.floor(ANSWER_BYTES * share), READ_COMMITTED] as const;
    const answer = await fetchPartitions.async(await connect(), ...sizes, ...NO_SESSION, request, [], '');
    const { bytes, partitions } = withoutTooLong(answer);
    if (bytes > MOST_BYTES.ofAnswer || keptBytes + bytes > MOST_BYTES.kept) throw unreadable('it is too long');
    keptBytes += bytes;
    const asked = new Map(led.map((place) => [`${idOf(place.topic)}/${place.partition}`, place]));
    const parts = partitions.flatMap((fetched) => {
      const name = `${fetched.topicId}/${fetched.partition}`;
      const place = asked.get(name);
      asked.delete(name);
      return place === undefined ? [] : [{ place, fetched }];
    });
    return { bytes, parts };
  };
  const answers = gatherAnswers<number, FetchAnswer>(({ parts }) =>
    parts.some(({ fetched }) => fetched.records.length > 0),
  );
  /** After a fault, the leaders may have changed. */
  const withLeaders = <Answer>(work: Promise<Answer>): Promise<Answer> =>
    work.catch((error: unknown) => {
      producer.clearMetadata();
      throw error;
    });

  return {
    async describe() {
      const metadata = await read(true);
      return new Map(topics.map((topic) => [topic, describeTopic(metadata.topics.get(topic))]));
    },
    async offsetsAt(topic, at) {
      const metadata = await read(false);
      const partitions = metadata.topics.get(topic)?.partitionsCount ?? 0;
      const places = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
      const find = async (timestamp: bigint) => {
        const asking = (await leadersOf(places)).map(async ({ led, connect }) => {
          const asked = led.map(({ partition }) => ({ partitionIndex: partition, currentLeaderEpoch: -1, timestamp }));
          const request = [{ name: topic, partitions: asked }];
          const answer = await listOffsetsV9.api.async(await connect(), -1, READ_COMMITTED, request);
          return answer.topics.flatMap((one) => one.partitions);
        });
        return withLeaders(Promise.all(asking));
      };
      // Less than 0 has another meaning for brokers.
      const time = at === 'earliest' ? EARLIEST : at === 'latest' ? LATEST : BigInt(Math.max(0, at.getTime()));
      const found = new Map((await find(time)).flat().map((one) => [one.partitionIndex, one.offset]));
      // A partition without an offset has no record that new, so use its end.
      const isMissing = places.some(({ partition }) => (found.get(partition) ?? -1n) < 0n);
      const ends = isMissing
        ? new Map((await find(LATEST)).flat().map((one) => [one.partitionIndex, one.offset]))
        : found;
      return places.map(({ partition }) => {
        const offset = found.get(partition) ?? -1n;
        return offset < 0n ? (ends.get(partition) ?? 0n) : offset;
      });
    },
    async fetch(places) {
      const leaders = await leadersOf(places);
      const found = await withLeaders(answers.of(leaders.map((one) => [one.leader, () => fetchFrom(one)])));
      keptBytes -= found.reduce((sum, { bytes }) => sum + bytes, 0);
      // The records of one fetch share the memory. Of those that it has no room for, a later fetch brings some.
      const memory = createMemory();
      return found.flatMap(({ parts }) =>
        parts.map(({ place, fetched }) => partOf(place, { ...fetched, ...readBatches(fetched.records, memory) })),
      );
    },
    isBroken,
    explain: (error) => withoutSecrets(describeKafkaError(whyEnded() ?? error), credentials),
    close() {
      for (const [, connection] of producer.connections) connection.socket?.destroy();
      producer.close().catch(() => undefined);
    },
  };
};

/** Of an answer with a batch that is too long, keeps only the heads of the batches. */
function withoutTooLong(answer: Fetched): Fetched {
  if (!answer.partitions.some(({ records }) => isTooLong(records))) return answer;
  const headed = (one: FetchedPartition) => ({ ...one, abortedTransactions: [], records: headOf(one.records) });
  return { bytes: 0, partitions: answer.partitions.map(headed) };
}

function tooMany({ topics: known }: ClusterMetadata, topics: readonly string[]): string | undefined {
  const partitions = topics.reduce((sum, topic) => sum + (known.get(topic)?.partitionsCount ?? 0), 0);
  const most = MOST_PARTITIONS.toLocaleString('en');
  return partitions <= MOST_PARTITIONS
    ? undefined
    : `The topics have ${partitions.toLocaleString('en')} partitions together, and a source reads at most ${most}`;
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function connect({ connections }: Producer, broker: Broker | undefined): Promise<Connection> {
  if (broker === undefined) throw new FoundError({ errorCode: 'broker_error', message: 'A partition has no leader' });
  return new Promise((resolve, reject) => {
    connections.get(broker, (error, connection) => {
      if (connection === undefined) reject(error ?? new Error('no connection'));
      else resolve(connection);
    });
  });
}

function describeTopic(topic: { id: string; partitionsCount: number } | undefined) {
  return { id: topic?.id ?? '', partitions: topic?.partitionsCount ?? 0 };
}
