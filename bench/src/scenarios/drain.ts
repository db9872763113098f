import { setTimeout as pause } from 'node:timers/promises';
import { withConnection } from '@posthorn/db/connection';
import { insertBacklog } from '../backlog.ts';
import { percentile, timeFigures } from '../figures.ts';
import { now, postSteadily } from '../load.ts';
import { type Management, managementOf, oneEndpointEach } from '../management.ts';
import type { Point } from '../plot.ts';
import { cpuSeconds } from '../processes.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import { sampleEvery, sampleRedis } from '../sample.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { removeKeys, type Stack, withStack } from '../stack.ts';
import { countStatements, statementsOf, statementsTable } from '../statements.ts';
import { latencies } from './latency.ts';

const WAITING = 1_000_000;
/** More deliveries than a dispatcher drains in a second. */
const MAX_PER_SECOND = 4_000;
const WARM_UP_SECONDS = 4;
const SAMPLE_MS = 250;
const PROBES_PER_SECOND = 50;
const LIST_EVERY_MS = 50;

export const drain: Scenario = {
  name: 'drain',
  what: '1,000,000 deliveries due at once: drain rate compared with an empty table, Redis memory, and API latency while draining',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure(context: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(10, stack.tls);
  try {
    await countStatements(stack.databaseUrl);
    const api = await stack.startApi();
    const manage = managementOf(api, stack);
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const { ingest, endpointIds } = await oneEndpointEach(manage, { stack, apis: [api], urls, name: 'healthy' });
    const parts = { stack, receivers, manage, ingest, endpointIds };
    const counted = Math.ceil((2 * context.seconds + WARM_UP_SECONDS) * MAX_PER_SECOND);
    await postSteadily(ingest, PROBES_PER_SECOND, WARM_UP_SECONDS);
    await listFor(manage, WARM_UP_SECONDS);
    context.say('draining without a backlog');
    const empty = await drainFor(context, { ...parts, rows: counted, withBody: counted });
    await forgetAll(stack);
    context.say(`inserting ${WAITING.toLocaleString('en-US')} deliveries`);
    const full = await drainFor(context, { ...parts, rows: WAITING, withBody: Math.min(counted, WAITING) });
    return answer(empty, full);
  } finally {
    await receivers.close();
  }
}

type Part = {
  stack: Stack;
  receivers: Receivers;
  manage: Management;
  ingest: Parameters<typeof latencies>[0]['ingest'];
  endpointIds: readonly string[];
  rows: number;
  withBody: number;
};

type Drained = Awaited<ReturnType<typeof drainFor>>;

/** Measures a new dispatcher: first when it is warm, then again while the API gets requests. */
async function drainFor({ seconds, say }: Context, { stack, receivers, manage, ingest, ...backlog }: Part) {
  await insertBacklog(stack, backlog);
  const memory = sampleRedis(stack);
  const dispatcher = await stack.startDispatcher();
  await pause(WARM_UP_SECONDS * 1_000);
  say('counting');
  const counted = await countFor(seconds, { stack, receivers, dispatcher });
  say('draining while the API gets requests');
  const lists = listFor(manage, seconds);
  const times = await latencies({ ingest }, { receivers, perSecond: PROBES_PER_SECOND, seconds });
  const listed = await lists;
  await dispatcher.end('SIGKILL');
  return { ...counted, redisMib: memory.stop(), listed, ...times };
}

type Counting = Pick<Part, 'stack' | 'receivers'> & { dispatcher: ServiceProcess };

async function countFor(seconds: number, { stack, receivers, dispatcher }: Counting) {
  const processes = [dispatcher, ...stack.stores];
  const counts = sampleEvery(SAMPLE_MS, receivers.count);
  const [startedAt, before, cpuBefore] = [now(), receivers.count(), cpuSeconds(processes)];
  const statements = await statementsOf(stack.databaseUrl, () => pause(seconds * 1_000));
  const [delivered, cpuAfter] = [receivers.count() - before, cpuSeconds(processes)];
  const cpu = [...cpuAfter].map(([name, used]): [string, number] => [
    name,
    ((used - (cpuBefore.get(name) ?? 0)) * 1e6) / delivered,
  ]);
  const perSecond = delivered / ((now() - startedAt) / 1_000);
  return { perSecond, delivered, rates: counts.stop().rates(), cpu, statements };
}

function answer(empty: Drained, full: Drained): Outcome {
  const lines: { name: string; points: Point[] }[] = [
    { name: 'nothing else waiting', points: empty.rates },
    { name: '1,000,000 waiting', points: full.rates },
  ];
  const title = 'Deliveries a second while a backlog is drained';
  return {
    figures: [
      { figure: 'drained, nothing else waiting', value: empty.perSecond, unit: '/s' },
      { figure: 'drained, 1,000,000 waiting', value: full.perSecond, unit: '/s' },
      { figure: 'rate against the empty one', value: full.perSecond / empty.perSecond, unit: '×' },
      ...full.cpu.map(([name, value]) => ({ figure: `CPU ${name}, a delivery`, value, unit: 'µs' })),
      { figure: 'Redis memory, peak', value: full.redisMib, unit: 'MiB' },
      ...timeFigures('ingest answer while draining', full.answered),
      { figure: 'ingest answer p99, nothing else waiting', value: percentile(empty.answered, 99), unit: 'ms' },
      ...timeFigures('list', full.listed).map(({ figure, ...rest }) => ({
        ...rest,
        figure: `${figure} while draining`,
      })),
      { figure: 'list p99, nothing else waiting', value: percentile(empty.listed, 99), unit: 'ms' },
      ...timeFigures('new event → receiver', full.arrived),
      { figure: 'new events not arrived within 2 s', value: full.missing, unit: '' },
    ],
    plot: { kind: 'lines', title, x: 'seconds', y: 'deliveries a second', lines },
    tables: [
      statementsTable('Statements, a delivery, nothing else waiting', empty.statements, empty.delivered),
      statementsTable('Statements, a delivery, 1,000,000 waiting', full.statements, full.delivered),
    ],
  };
}

/** Requests one list after another, and returns the milliseconds of each. */
async function listFor(manage: Management, seconds: number): Promise<number[]> {
  const took: number[] = [];
  for (const until = now() + seconds * 1_000; now() < until; await pause(LIST_EVERY_MS)) {
    const startedAt = now();
    await manage('GET', '/deliveries');
    took.push(now() - startedAt);
  }
  return took;
}

/** Deletes the rest of the first part, with the leases of the ended dispatcher. */
async function forgetAll(stack: Stack): Promise<void> {
  await withConnection(stack.databaseUrl, (connection) =>
    connection.query('truncate event, delivery, attempt, pending_fan_out'),
  );
  await removeKeys(stack);
}
