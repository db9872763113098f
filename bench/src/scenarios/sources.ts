import { setTimeout as pause } from 'node:timers/promises';
import { Admin, ProduceAcks, Producer } from '@platformatic/kafka';
import { hasKafka, KAFKA_USER, type KafkaBroker, startKafka } from '@posthorn/testkit/kafka';
import { type Figure, timeFigures } from '../figures.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from '../flat-out.ts';
import { now, postFlatOut } from '../load.ts';
import { BODY, ingestAt, ingestPath, type Management, managementOf, subscribe } from '../management.ts';
import { cpuSeconds, type Measured } from '../processes.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
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
/** Nobody gets the one, and a receiver the other. */
const TYPES = { accepted: 'bench.accepted', delivered: 'bench.delivered' };
const BATCH = 500;

type Scene = { stack: Stack; broker: KafkaBroker; receivers: Receivers };

async function measure({ seconds, say }: Context, { stack, broker, receivers }: Scene): Promise<Outcome> {
  const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
  const manage = managementOf(api, stack);
  await subscribe(manage, { stack, eventType: TYPES.accepted, endpoints: [] });
  const endpoints = receivers.origins.map((origin) => ({ url: `${origin}/hook` }));
  await subscribe(manage, { stack, eventType: TYPES.delivered, endpoints });
  const topic = await openTopic(broker);
  try {
    const source = await createSource(manage, stack, broker);
    const processes = [api, dispatcher, ...stack.stores];
    const http = ingestAt(stack, [api], [ingestPath(TYPES.accepted)]);
    await postFlatOut(http, CONNECTIONS, WARM_UP_SECONDS);
    const taken: Record<'http' | 'topic', Taken[]> = { http: [], topic: [] };
    let wanted = 0;
    for (const turn of ['http', 'topic', 'topic', 'http'] as const) {
      say(turn);
      if (turn === 'http') {
        taken.http.push(await measured(processes, async () => postFlatOut(http, CONNECTIONS, seconds / 2)));
        wanted = taken.http[0]?.accepted ?? 0;
      } else {
        // Kafka writes first, so that only reading is measured.
        await topic.write(wanted);
        const start = () => manage('PATCH', `/sources/${source}`, { isActive: true });
        taken.topic.push(await readAll({ dispatcher, processes, wanted, start }));
        await manage('PATCH', `/sources/${source}`, { isActive: false });
      }
    }
    say('50 a second');
    await manage('PATCH', `/sources/${source}`, { isActive: true });
    const times = await recordToReceiver({ manage, topic, receivers, seconds });
    return answer(taken, times);
  } finally {
    await topic.close();
  }
}

type Taken = { accepted: number; seconds: number; cpu: number };

/** The CPU seconds of all processes, without the threads that are counted twice. */
function cpuOf(processes: readonly Measured[]): number {
  const used = [...cpuSeconds(processes)].filter(([name]) => !name.includes(','));
  return used.reduce((sum, [, one]) => sum + one, 0);
}

async function measured(
  processes: readonly Measured[],
  work: () => Promise<Pick<Taken, 'accepted' | 'seconds'>>,
): Promise<Taken> {
  const before = cpuOf(processes);
  const { accepted, seconds } = await work();
  return { accepted, seconds, cpu: cpuOf(processes) - before };
}

type Reading = {
  dispatcher: ServiceProcess;
  processes: readonly Measured[];
  wanted: number;
  start: () => Promise<unknown>;
};

const ASK_EVERY_MS = 100;

/** From the first event that is accepted: a dispatcher takes a source within seconds. */
async function readAll({ dispatcher, processes, wanted, start }: Reading): Promise<Taken> {
  const before = await acceptedBy(dispatcher);
  await start();
  let first = before;
  for (; first === before; first = await acceptedBy(dispatcher)) await pause(ASK_EVERY_MS);
  const [startedAt, cpu] = [now(), cpuOf(processes)];
  let last = first;
  for (; last < before + wanted; last = await acceptedBy(dispatcher)) await pause(ASK_EVERY_MS);
  return { accepted: last - first, seconds: (now() - startedAt) / 1_000, cpu: cpuOf(processes) - cpu };
}

async function acceptedBy({ url }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^posthorn_events_ingested_total\{[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
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
    /** Writes one record; returns its place. */
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

/** Open loop: times count from the scheduled write of the record. */
async function recordToReceiver({ manage, topic, receivers, seconds }: Steady) {
  // The source begins, and processes get warm.
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
    return { perSecond: accepted / sum((part) => part.seconds), cpu: (1e6 * sum((part) => part.cpu)) / accepted };
  };
  const [http, topic] = [together(taken.http), together(taken.topic)];
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
  return { figures, plot: { kind: 'bars', title: 'Events accepted per second, without consumers', unit: '/s', bars } };
}
