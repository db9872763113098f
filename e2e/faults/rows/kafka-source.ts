import { Admin, ProduceAcks, Producer } from '@platformatic/kafka';
import { toId } from '@posthorn/contract/ids';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { hasKafka, KAFKA_USER, type KafkaBroker, startKafkaCluster } from '@posthorn/testkit/kafka';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { readTopic } from '../brokers/kafka.ts';
import { hashOf } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { type Position, violations } from './order.ts';
import { readyAgain } from './restarts.ts';

const RECORDS = 300_000;
const PARTITIONS = 6;
const KEYS = 600;
const BATCH = 300;
const TOPIC = 'orders';
const BROKERS = 3;
/** Settings of the topic with which an acknowledged record survives the loss of any one broker. */
const KEPT_BY = { replicas: BROKERS, configs: [{ name: 'min.insync.replicas', value: '2' }] };
/** The number of faults of each kind. More records get no more faults: `--scale 3.34` has a million records. */
const FAULTS = { dispatchers: 20, brokers: 5, leases: 10 };
/** The limit for reading and delivering after the last fault. */
const ENDS_WITHIN_MS = 60 * 60_000;

export const kafkaSource: Row = {
  name: 'kafka-source',
  fault:
    '300,000 records of 6 partitions are read while a dispatcher is killed 20 times, one of three brokers 5 times, the reader loses its lease 10 times and Postgres is away for 10 s',
  pass: 'records lost 0, records read twice 0, order of each key kept at a fifo endpoint, duplicates ≤ in flight at each kill',
  rig: { endpoints: 1, apis: 1, dispatchers: 3, config: { ordering: 'fifo', timeoutSeconds: 5 } },
  withinMinutes: 150,
  async run(rig, tools) {
    if (!hasKafka()) throw new Error('Kafka is not installed: sh e2e/brokers/install-kafka.sh installs it');
    const brokers = await startKafkaCluster(BROKERS);
    try {
      return await readThroughFaults({ rig, brokers }, tools);
    } finally {
      await Promise.all(brokers.map((broker) => broker.stop()));
    }
  },
};

type Scene = { rig: Rig; brokers: readonly KafkaBroker[] };

async function readThroughFaults({ rig, brokers }: Scene, { random, scaled, say }: Tools): Promise<Outcome> {
  const [endpoint] = rig.endpoints;
  if (endpoint === undefined) throw new Error('the rig has no endpoint');
  rig.receivers.respond(endpoint.name, () => ({}));
  const bootstrapBrokers = brokers.map(({ open }) => open);
  const admin = new Admin({ clientId: 'faults', bootstrapBrokers });
  await admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, ...KEPT_BY });
  await admin.close();
  await createSource(rig, brokers, endpoint.eventType);

  const inFlight: number[] = [];
  const total = Math.max(KEYS, scaled(RECORDS));
  const strikes: Record<string, () => Promise<void>> = {
    async dispatchers() {
      const victim = random.pick(rig.dispatchers);
      await victim.kill();
      inFlight.push(await rig.inFlight());
      await readyAgain(victim);
    },
    async brokers() {
      const broker = random.pick(brokers);
      await broker.kill();
      await rig.elapsed(random.whole(200, 2_000));
      await broker.start();
    },
    /** Makes another dispatcher begin while the previous one still reads. */
    async leases() {
      await rig.db.$executeRaw`update source set read_until = null, reader = null`;
    },
    async postgres() {
      const underWay = await rig.inFlight();
      await rig.postgres.stop();
      await rig.elapsed(Math.min(10, scaled(10)) * 1_000);
      await rig.postgres.start();
      inFlight.push(underWay);
    },
  };
  const kinds = Object.entries(FAULTS).flatMap(([kind, count]) =>
    Array<string>(Math.min(count, scaled(count))).fill(kind),
  );
  const faults = random.sample([...kinds, 'postgres'], kinds.length + 1);
  for (const [n, kind] of faults.entries()) {
    const [from, to] = [n, n + 1].map((part) => Math.floor((total * part) / faults.length)) as [number, number];
    const before = await positions(rig);
    // Each fault strikes while a part of the records is written and read.
    const producing = produce({ rig, bootstrapBrokers }, from, to);
    await reads(rig, before + (to - from) / 4);
    await strikes[kind]?.();
    await producing;
    say(`${kind}: fault ${n + 1} of ${faults.length}, ${await positions(rig)} records read`);
  }
  const records = await readTopic(bootstrapBrokers, TOPIC, ({ partition, offset, key, value }) => ({
    ...{ place: `${partition}/${offset}`, n: Number(offset), key: key.toString(), hash: hashOf(value) },
  }));
  await waitFor(async () => (await positions(rig)) >= records.length, {
    ...{ what: 'all records to be read', timeoutMs: ENDS_WITHIN_MS },
  });
  const recoveryMs = await rig.drain(ENDS_WITHIN_MS);

  const events = await readEvents(rig);
  const byPlace = new Map(events.map(({ id, place }) => [place, toId('msg', id)]));
  const order = new Map<string, Position>();
  const endpoints = [endpoint.name];
  let lost = 0;
  for (const { place, n, key, hash } of records) {
    const eventId = byPlace.get(place);
    if (eventId === undefined) {
      lost += 1;
      continue;
    }
    rig.load.sent.push({ hash, endpoints, eventId, acceptedAtMs: Date.now() });
    order.set(eventId, { key, n });
  }
  // A producer that got no response has written some records again, so the same bytes may have two places.
  const receipts = rig.receivers.receipts.map((receipt) => ({ ...receipt, hash: receipt.eventId }));
  return {
    duplicatesAtMost: inFlight.reduce((sum, count) => sum + count, 0),
    retriesLateAtMostMs: 30_000,
    recoveryMs,
    marks: [
      { what: 'records', value: records.length, atLeast: total },
      { what: 'faults', value: faults.length },
      { what: 'records lost', value: lost, atMost: 0 },
      { what: 'records read twice', value: events.length - byPlace.size, atMost: 0 },
      { what: 'events without a record', value: byPlace.size - (records.length - lost), atMost: 0 },
      { what: 'order violations', value: violations(receipts, order), atMost: 0 },
    ],
  };
}

async function createSource(
  { client, environmentId }: Rig,
  brokers: readonly KafkaBroker[],
  eventType: string,
): Promise<void> {
  const { caPem: ca } = await receiverCertificate('good');
  const { status, body } = await client.call('POST', '/sources', {
    ...{ name: 'Orders', environmentId, credentials: KAFKA_USER },
    config: {
      ...{ brokers: brokers.map(({ secure }) => secure), saslMechanism: 'scram-sha-512', ca },
      ...{ topics: [TOPIC], start: 'earliest', eventType: { fixed: eventType }, orderingKey: 'key' },
    },
  });
  if (status !== 201) throw new Error(`the source was refused: ${JSON.stringify(body)}`);
}

/** Writes the records from one number to another. Writes each batch again until it is acknowledged. */
async function produce(
  { rig, bootstrapBrokers }: { rig: Rig; bootstrapBrokers: string[] },
  first: number,
  end: number,
): Promise<void> {
  for (let from = first; from < end; ) {
    const producer = new Producer({
      clientId: 'faults',
      bootstrapBrokers,
      autocreateTopics: false,
      retries: 0,
    });
    try {
      for (; from < end; from += BATCH) {
        const numbers = Array.from({ length: Math.min(BATCH, end - from) }, (_, n) => from + n);
        const messages = numbers.map((n) => ({
          ...{ topic: TOPIC, partition: n % PARTITIONS, key: Buffer.from(`key-${n % KEYS}`) },
          value: Buffer.from(JSON.stringify({ n, pad: 'x'.repeat(n % 400) })),
        }));
        await producer.send({ messages, acks: ProduceAcks.ALL });
      }
    } catch {
      // A broker is away.
      await rig.elapsed(500);
    } finally {
      await producer.close().catch(() => undefined);
    }
  }
}

const EVENTS_AT_ONCE = 50_000;

type EventOfRecord = { id: string; place: string };

/** The events of the source, with the places of their records. */
async function readEvents({ db }: Rig): Promise<EventOfRecord[]> {
  const events: EventOfRecord[] = [];
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    const page: EventOfRecord[] = await db.$queryRaw<EventOfRecord[]>`
      select id, (source->>'partition') || '/' || (source->>'offset') as place from event
      where source is not null and id > ${after}::uuid order by id limit ${EVENTS_AT_ONCE}::int`;
    events.push(...page);
    after = page.length < EVENTS_AT_ONCE ? undefined : page.at(-1)?.id;
  }
  return events;
}

/** The number of records that the source has read. */
async function positions({ db }: Rig): Promise<number> {
  const [row] = await db.$queryRaw<{ sum: number }[]>`
    select coalesce(sum(next_offset), 0)::float8 as sum from source_place`;
  return row?.sum ?? 0;
}

async function reads(rig: Rig, wanted: number): Promise<void> {
  await waitFor(async () => (await positions(rig)) >= wanted, {
    ...{ what: `${wanted} records to be read`, timeoutMs: ENDS_WITHIN_MS },
  });
}
