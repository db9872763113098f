import { setTimeout as pause } from 'node:timers/promises';
import { AWS, BROKERS, type Broker } from '../brokers.ts';
import { type Figure, format } from '../figures.ts';
import { type Burst, burst, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { type Ingest, postFlatOut } from '../load.ts';
import { ingestAt, ingestPath, managementOf, oneEndpointEach, subscribe } from '../management.ts';
import { residentMib } from '../processes.ts';
import { startReceivers } from '../receivers.ts';
import type { Context, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Stack, withStack } from '../stack.ts';

const ENDPOINTS = 10;

export const destinations: Scenario = {
  name: 'destinations',
  what: 'events to ten endpoints of a broker at full rate, beside webhooks; memory of the dispatcher with every kind in use',
  moreSeconds: 600,
  run: async (context) => {
    const figures: Figure[] = [];
    const bars: Bar[] = [];
    for (const [kind, start] of Object.entries(BROKERS)) {
      const found = await withStack({ ...context, note: () => undefined }, (stack) =>
        compare(context, stack, kind, start),
      );
      figures.push(...found.figures);
      bars.push(...found.bars);
    }
    figures.push(...(await withStack({ ...context, note: () => undefined }, (stack) => weigh(context, stack))));
    const title = 'Events per second, from the post until the broker or the receiver has them';
    return { figures, plot: { kind: 'bars', title, unit: '/s', bars } };
  },
};

type Bar = { name: string; value: number; faint?: boolean };
type Start = (typeof BROKERS)[string];

/** Webhooks and the kind take turns in the same processes, so drift affects both. */
async function compare({ seconds, say }: Context, stack: Stack, kind: string, start: Start) {
  const broker = await start(stack.tls);
  if (broker === undefined) return { figures: [], bars: [] };
  const receivers = await startReceivers(ENDPOINTS, stack.tls);
  const counted = countOf(broker);
  try {
    const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
    const manage = managementOf(api, stack);
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const webhooks = await oneEndpointEach(manage, { stack, apis: [api], urls, name: 'webhooks' });
    const paths: string[] = [];
    for (let n = 0; n < ENDPOINTS; n += 1) {
      const eventType = `bench.${kind}_${n}`;
      await subscribe(manage, { stack, eventType, endpoints: [broker.endpoint] });
      paths.push(ingestPath(eventType));
    }
    const sides = {
      webhooks: { ingest: webhooks.ingest, receivers },
      broker: { ingest: ingestAt(stack, [api], paths), receivers: counted },
    };
    const processes = [api, dispatcher];
    for (const side of Object.values(sides)) await burst({ ...side, processes, seconds: WARM_UP_SECONDS });
    const bursts: Record<keyof typeof sides, Burst[]> = { webhooks: [], broker: [] };
    for (const name of ['webhooks', 'broker', 'broker', 'webhooks'] as const) {
      say(`${kind}: ${name}`);
      await burst({ ...sides[name], processes, seconds: LEAD_IN_SECONDS });
      bursts[name].push(await burst({ ...sides[name], processes, seconds: seconds / 2 }));
    }
    const answered = answer(kind, together(bursts.broker), together(bursts.webhooks));
    for (const { figure, value, unit } of answered.figures) say(`${figure}: ${format(value)} ${unit}`);
    return answered;
  } finally {
    counted.stop();
    await receivers.close();
    await broker.close();
  }
}

const ASK_EVERY_MS = 40;

/** Polls the broker, so that its count can be read at any time without waiting. */
function countOf(broker: Broker) {
  let count = 0;
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      count = await broker.count().catch(() => count);
      await pause(ASK_EVERY_MS);
    }
  };
  void ask();
  return {
    count: () => count,
    connections: () => 0,
    stop() {
      isOver = true;
    },
  };
}

type Side = ReturnType<typeof together>;

function answer(kind: string, broker: Side, webhooks: Side): { figures: Figure[]; bars: Bar[] } {
  const cpuOf = ({ cpuPerEvent }: Side) => [...cpuPerEvent.values()].reduce((sum, value) => sum + value, 0);
  return {
    figures: [
      { figure: `${kind}, delivered`, value: broker.deliveredPerSecond, unit: '/s' },
      { figure: `${kind}, webhooks beside`, value: webhooks.deliveredPerSecond, unit: '/s' },
      {
        figure: `${kind}, rate against webhooks`,
        value: broker.deliveredPerSecond / webhooks.deliveredPerSecond,
        unit: '×',
      },
      { figure: `${kind}, CPU of an event`, value: cpuOf(broker), unit: 'µs' },
      { figure: `${kind}, CPU against webhooks`, value: cpuOf(broker) / cpuOf(webhooks), unit: '×' },
      { figure: `${kind}, accepted but not delivered`, value: broker.lost, unit: '' },
    ],
    bars: [
      { name: kind, value: broker.deliveredPerSecond },
      { name: 'webhooks beside', value: webhooks.deliveredPerSecond, faint: true },
    ],
  };
}

/** The number of events for each kind: enough that the dispatcher has loaded its libraries and has a connection. */
const EVENTS_EACH = 200;
const SETTLED_WITHIN_MS = 30_000;

/** The memory of a dispatcher after it has sent only webhooks, and of the same process after it has used every kind. */
async function weigh({ say }: Context, stack: Stack): Promise<Figure[]> {
  const receivers = await startReceivers(1, stack.tls);
  const brokers: Broker[] = [];
  try {
    const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
    const manage = managementOf(api, stack);
    const use = async (kind: string, endpoint: object) => {
      const eventType = `memory.${kind}`;
      const [id = ''] = await subscribe(manage, { stack, eventType, endpoints: [endpoint] });
      await postSome(ingestAt(stack, [api], [ingestPath(eventType)]));
      await attempted(manage, id);
    };
    await use('webhook', { url: `${receivers.origins[0]}/hook` });
    const before = await settled(dispatcher);
    for (const [kind, start] of Object.entries(BROKERS)) {
      const broker = await start(stack.tls);
      if (broker === undefined) continue;
      brokers.push(broker);
      await use(kind, broker.endpoint);
      // One server stands for all services of AWS. It refuses those that it does not have, through the same code.
      for (const [more, endpoint] of kind === 'sqs' ? othersOf(broker) : []) await use(more, endpoint);
    }
    const after = await settled(dispatcher);
    say(`${Math.round(before)} MiB with webhooks, ${Math.round(after)} MiB with every kind`);
    return [
      { figure: 'dispatcher resident, webhooks', value: before, unit: 'MiB' },
      { figure: 'dispatcher resident, every kind', value: after, unit: 'MiB' },
      { figure: 'memory of every kind', value: after - before, unit: 'MiB' },
    ];
  } finally {
    await receivers.close();
    for (const broker of brokers) await broker.close();
  }
}

function othersOf({ endpoint }: Broker): [kind: string, endpoint: object][] {
  const { config, credentials } = endpoint;
  const { destination } = config as { destination: { endpoint: string } };
  const { region } = AWS;
  const targets: Record<string, object> = {
    sns: { topicArn: `arn:aws:sns:${region}:123456789012:bench` },
    kinesis: { streamName: 'bench', region },
    eventbridge: { eventBusName: 'bench', region },
    s3: { bucket: 'bench', region },
  };
  return Object.entries(targets).map(([type, target]) => [
    type,
    { type, credentials, config: { destination: { ...target, endpoint: destination.endpoint } } },
  ]);
}

async function postSome(ingest: Ingest): Promise<void> {
  let accepted = 0;
  while (accepted < EVENTS_EACH) accepted += (await postFlatOut(ingest, 8, 1)).accepted;
}

/** Waits until the endpoint has a first attempt. */
async function attempted(manage: ReturnType<typeof managementOf>, id: string): Promise<void> {
  const untilMs = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { deliveries } = await manage<{ deliveries: { totalAttempts: number }[] }>(
      'GET',
      `/endpoints/${id}/deliveries`,
    );
    if (deliveries.some(({ totalAttempts }) => totalAttempts > 0)) return;
    if (Date.now() > untilMs) throw new Error(`no attempt at the endpoint ${id}`);
    await pause(ASK_EVERY_MS);
  }
}

/** The median of some readings, in MiB. */
async function settled({ pid }: ServiceProcess): Promise<number> {
  const readings: number[] = [];
  while (readings.length < 9) {
    await pause(500);
    readings.push(residentMib(pid) ?? Number.NaN);
  }
  return readings.sort((a, b) => a - b)[4] ?? Number.NaN;
}
