import { setTimeout as pause } from 'node:timers/promises';
import { Admin, ProduceAcks, Producer } from '@platformatic/kafka';
import { createDb } from '@posthorn/db/client';
import { hasKafka, KAFKA_USER, type KafkaBroker, startKafka } from '@posthorn/testkit/kafka';
import { type Figure, timeFigures } from '../figures.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from '../flat-out.ts';
import { now, postFlatOut } from '../load.ts';
import { BODY, ingestAt, ingestPath, type Management, managementOf, subscribe } from '../management.ts';
import { cpuSeconds, type Measured } from '../processes.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario, Table } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

export const sources: Scenario = {
  name: 'sources',
  what: 'events from a topic of Kafka beside events over HTTP: CPU of an accepted one; from the record to the receiver at 50 a second',
  moreSeconds: 300,
  run: async (context) => {
    if (!hasKafka()) return { figures: [] };
    return withStack(context, async (stack) => {
      const broker = await startKafka({ certificate: stack.tls });
      const receivers = await startReceivers(1, stack.tls);
      try {
        return await measure(context, { stack, broker, receivers });
      } finally {
        await receivers.close();
        await broker.stop();
      }
    });
  },
};

const TOPIC = 'bench';
const PARTITIONS = 6;
/** Events of type `accepted` have no endpoint. Events of type `delivered` go to a receiver. */
const TYPES = { accepted: 'bench.accepted', delivered: 'bench.delivered' };
const BATCH = 500;

type Scene = { stack: Stack; broker: KafkaBroker; receivers: Receivers };

async function measure({ seconds, say }: Context, { stack, broker, receivers }: Scene): Promise<Outcome> {
  const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
  const manage = managementOf(api, stack);
  await subscribe(manage, { stack, eventType: TYPES.accepted, endpoints: [] });
  const endpoints = receivers.origins.map((origin) => ({ url: `${origin}/hook` }));
  await subscribe(manage, { stack, eventType: TYPES.delivered, endpoints });
  const [topic, places] = [await openTopic(broker), openPlaces(stack)];
  try {
    const source = await createSource(manage, stack, broker);
    const processes = [api, dispatcher, ...stack.stores];
    const http = ingestAt(stack, [api], [ingestPath(TYPES.accepted)]);
    const setActive = (isActive: boolean) => manage('PATCH', `/sources/${source}`, { isActive });
    const readTopic = async (records: number): Promise<Taken> => {
      // Kafka writes first, so that only reading is measured.
      await topic.write(records);
      const read = await readAll({ places, processes, records, start: () => setActive(true) });
      await setActive(false);
      return read;
    };
    const { accepted: warmUp } = await postFlatOut(http, CONNECTIONS, WARM_UP_SECONDS);
    await readTopic(warmUp);
    const taken: Record<'http' | 'topic', Taken[]> = { http: [], topic: [] };
    let wanted = 0;
    for (const turn of ['http', 'topic', 'topic', 'http'] as const) {
      say(turn);
      if (turn === 'http') {
        taken.http.push(await measured(processes, async () => postFlatOut(http, CONNECTIONS, seconds / 2)));
        wanted = taken.http[0]?.accepted ?? 0;
      } else {
        taken.topic.push(await readTopic(wanted));
      }
    }
    say('50 a second');
    await setActive(true);
    const times = await recordToReceiver({ manage, topic, receivers, seconds });
    return answer(taken, times);
  } finally {
    await places.close();
    await topic.close();
  }
}

/** `cpu`: in seconds, by process. */
type Taken = { accepted: number; seconds: number; cpu: ReadonlyMap<string, number> };

function cpuSince(before: ReadonlyMap<string, number>, processes: readonly Measured[]): Map<string, number> {
  return new Map([...cpuSeconds(processes)].map(([name, used]) => [name, used - (before.get(name) ?? 0)]));
}

async function measured(
  processes: readonly Measured[],
  work: () => Promise<Pick<Taken, 'accepted' | 'seconds'>>,
): Promise<Taken> {
  const before = cpuSeconds(processes);
  const { accepted, seconds } = await work();
  return { accepted, seconds, cpu: cpuSince(before, processes) };
}

type Reading = {
  places: Pick<Places, 'accepted'>;
  processes: readonly Measured[];
  records: number;
  start: () => Promise<unknown>;
};

const ASK_EVERY_MS = 100;

/** From the first event that is accepted: a dispatcher takes a source within seconds. */
async function readAll({ places, processes, records, start }: Reading): Promise<Taken> {
  const before = await places.accepted();
  await start();
  let first = before;
  for (; first === before; first = await places.accepted()) await pause(ASK_EVERY_MS);
  const [startedAt, cpu] = [now(), cpuSeconds(processes)];
  let last = first;
  for (; last < before + records; last = await places.accepted()) await pause(ASK_EVERY_MS);
  return { accepted: last - first, seconds: (now() - startedAt) / 1_000, cpu: cpuSince(cpu, processes) };
}

type Places = ReturnType<typeof openPlaces>;

/** Counts accepted records by their offsets, which move with the events: the dispatcher's metrics would cost it some of its CPU. */
function openPlaces({ databaseUrl }: Stack) {
  const db = createDb({ databaseUrl, maxConnections: 1, onIdleError: () => {} });
  return {
    async accepted(): Promise<number> {
      const [{ records, rejected }] = await db.$queryRaw<[{ records: number; rejected: number }]>`
        select coalesce(sum(next_offset), 0)::float8 as records,
          (select count(*)::int from source_rejection) as rejected from source_place`;
      if (rejected > 0) throw new Error('records were rejected');
      return records;
    },
    close: () => db.$disconnect(),
  };
}

async function createSource(manage: Management, { environmentId, tls }: Stack, { secure }: KafkaBroker) {
  const { id } = await manage<{ id: string }>('POST', '/sources', {
    ...{ name: 'Bench', environmentId, isActive: false, credentials: KAFKA_USER },
    config: {
      ...{ brokers: [secure], saslMechanism: 'scram-sha-512', ca: tls.caPem, topics: [TOPIC], start: 'earliest' },
      eventType: { header: 'type' },
    },
  });
  return id;
}

type Topic = Awaited<ReturnType<typeof openTopic>>;

async function openTopic({ open }: KafkaBroker) {
  const admin = new Admin({ clientId: 'bench', bootstrapBrokers: [open] });
  await admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: 1 });
  await admin.close();
  const producer = new Producer({ clientId: 'bench', bootstrapBrokers: [open], autocreateTopics: false });
  const message = (type: string, n: number) => ({
    ...{ topic: TOPIC, partition: n % PARTITIONS, value: Buffer.from(BODY) },
    headers: new Map([[Buffer.from('type'), Buffer.from(type)]]),
  });
  return {
    async write(count: number): Promise<void> {
      for (let from = 0; from < count; from += BATCH) {
        const messages = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) =>
          message(TYPES.accepted, from + n),
        );
        await producer.send({ messages, acks: ProduceAcks.ALL });
      }
    },
    /** Writes one record and returns its place, as `partition/offset`. */
    async writeOne(n: number): Promise<string> {
      const { offsets } = await producer.send({ messages: [message(TYPES.delivered, n)], acks: ProduceAcks.ALL });
      const [written] = offsets ?? [];
      return `${written?.partition}/${written?.offset}`;
    },
    close: () => producer.close(),
  };
}

const PER_SECOND = 50;
const ARRIVES_WITHIN_MS = 2_000;

type Steady = { manage: Management; topic: Topic; receivers: Receivers; seconds: number };

/** Writes records in an open loop: times count from the scheduled write of a record. */
async function recordToReceiver({ manage, topic, receivers, seconds }: Steady) {
  // Wait until the source has begun and the processes are warm.
  const before = receivers.count();
  for (let n = 0; receivers.count() < before + PER_SECOND; n += 1) {
    await topic.writeOne(n);
    await pause(1_000 / PER_SECOND);
  }
  receivers.record();
  const writtenAt = new Map<string, number>();
  const writing: Promise<void>[] = [];
  const startedAt = now();
  for (let n = 0; n < PER_SECOND * seconds; n += 1) {
    const scheduledAt = startedAt + (n * 1_000) / PER_SECOND;
    await pause(Math.max(0, scheduledAt - now()));
    writing.push(topic.writeOne(n).then((place) => void writtenAt.set(place, scheduledAt)));
  }
  await Promise.all(writing);
  await pause(ARRIVES_WITHIN_MS);
  const arrivals = await receivers.takeArrivals();
  const places = await placesOf(manage, arrivals.size + PER_SECOND);
  const times = [...writtenAt].flatMap(([place, at]) => {
    const arrivedAt = arrivals.get(places.get(place) ?? '');
    return arrivedAt === undefined ? [] : [arrivedAt - at];
  });
  return { times, missing: writtenAt.size - times.length };
}

type EventRow = { id: string; source: { partition: number; offset: string } | null };

/** The ids of the newest events, by the place of their record. */
async function placesOf(manage: Management, count: number): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (let cursor: string | null = ''; cursor !== null && places.size < count; ) {
    const query = `limit=100&event_type=${TYPES.delivered}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: { events: EventRow[]; nextCursor: string | null } = await manage('GET', `/events?${query}`);
    for (const { id, source } of page.events) if (source) places.set(`${source.partition}/${source.offset}`, id);
    cursor = page.nextCursor;
  }
  return places;
}

function answer(
  taken: Record<'http' | 'topic', readonly Taken[]>,
  { times, missing }: { times: number[]; missing: number },
): Outcome {
  const together = (parts: readonly Taken[]) => {
    const sum = (of: (part: Taken) => number) => parts.reduce((total, part) => total + of(part), 0);
    const accepted = sum((part) => part.accepted);
    const names = [...new Set(parts.flatMap((part) => [...part.cpu.keys()]))];
    const byProcess = new Map(
      names.map((name) => [name, (1e6 * sum((part) => part.cpu.get(name) ?? 0)) / accepted] as const),
    );
    // Without the threads that are counted twice.
    const processes = [...byProcess].filter(([name]) => !name.includes(','));
    const cpu = processes.reduce((total, [, one]) => total + one, 0);
    return { perSecond: accepted / sum((part) => part.seconds), cpu, byProcess };
  };
  const [http, topic] = [together(taken.http), together(taken.topic)];
  const table: Table = {
    title: 'CPU of an accepted event by process, µs',
    columns: ['process', 'from a topic', 'over HTTP'],
    rows: [...topic.byProcess].map(([name, used]) => [name, used, http.byProcess.get(name) ?? 0]),
  };
  const figures: Figure[] = [
    { figure: 'accepted from a topic', value: topic.perSecond, unit: '/s' },
    { figure: 'accepted over HTTP beside', value: http.perSecond, unit: '/s' },
    { figure: 'CPU of an event from a topic', value: topic.cpu, unit: 'µs' },
    { figure: 'CPU of an event over HTTP', value: http.cpu, unit: 'µs' },
    { figure: 'CPU against HTTP', value: topic.cpu / http.cpu, unit: '×' },
    ...timeFigures('record → receiver', times),
    { figure: 'not arrived', value: missing, unit: '' },
  ];
  const bars = [
    { name: 'from a topic', value: topic.perSecond },
    { name: 'over HTTP beside', value: http.perSecond, faint: true },
  ];
  const plot = { kind: 'bars' as const, title: 'Events accepted per second, without consumers', unit: '/s', bars };
  return { figures, plot, tables: [table] };
}
