import { setTimeout as pause } from 'node:timers/promises';
import { withConnection } from '@posthorn/db/connection';
import { insertBacklog } from '../backlog.ts';
import { type Figure, timeFigures } from '../figures.ts';
import { now } from '../load.ts';
import { BODY, type Management, managementOf } from '../management.ts';
import { cpuSeconds } from '../processes.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Stack, withStack } from '../stack.ts';
import { countStatements, statementsOf, statementsTable } from '../statements.ts';

const WAITING = 100_000;
const WITH_BODY = 60_000;
const LEASES = 100;
const CONSUMERS = 4;
const ANSWERS = 200;
const IDLE_ENDPOINTS = 50;
/** The largest number of calls that may wait at an endpoint. */
const CALLS_EACH = 20;
const AGAIN_AFTER_MS = 500;
/** After this time, all calls wait. */
const BEGIN_WITHIN_MS = 10_000;
/** Within this time, each call ends once and is made again. */
const WAIT_SECONDS = 30;

export const pull: Scenario = {
  name: 'pull',
  what: 'leases with 100,000 waiting, 4 consumers at full rate, the time to a waiting consumer, and 1,000 that wait',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  await countStatements(stack.databaseUrl);
  const api = await stack.startApi();
  const manage = managementOf(api, stack);
  const full = await makeConsumer(manage, api);
  say(`inserting ${WAITING.toLocaleString('en-US')} waiting deliveries`);
  await insertBacklog(stack, { endpointIds: [full.endpointId], rows: WAITING, withBody: WITH_BODY });
  await letConsumersFetch(stack);
  // The dispatcher starts only now, or it would attempt these deliveries.
  await stack.startDispatcher();
  say('leases of 100');
  const leases = await leaseTimes(stack, full);
  say(`${CONSUMERS} consumers`);
  const flatOut = await consumeFlatOut(full, seconds, { stack, api });
  say('a waiting consumer');
  const waits = await timeToConsumer(stack, api, await makeConsumer(manage, api));
  say(`${IDLE_ENDPOINTS * CALLS_EACH} consumers that wait`);
  const idle = await waitIdle(stack, api, manage, seconds);
  return {
    figures: [
      ...timeFigures('lease of 100', leases.whole),
      ...timeFigures('lease of 100 in Postgres', leases.inPostgres),
      ...flatOut.figures,
      ...timeFigures('acceptance → waiting consumer', waits),
      ...idle,
    ],
    tables: flatOut.tables,
  };
}

type Message = { deliveryId: string; leaseToken: string };
type Consumer = {
  endpointId: string;
  lease: (body: object) => Promise<Message[]>;
  ack: (messages: readonly Message[]) => Promise<void>;
};

async function makeConsumer(manage: Management, api: Pick<ServiceProcess, 'url'>): Promise<Consumer> {
  const { id, pullKey } = await manage<{ id: string; pullKey: string }>('POST', '/endpoints', { type: 'pull' });
  const ask = async <Answer>(name: string, body: object) => {
    const response = await fetch(`${api.url}/api/pull/${id}/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pullKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  return {
    endpointId: id,
    lease: async (body) => (await ask<{ messages: Message[] }>('lease', body)).messages,
    async ack(messages) {
      if (messages.length === 0) return;
      await ask('ack', { messages: messages.map(({ deliveryId, leaseToken }) => ({ deliveryId, leaseToken })) });
    },
  };
}

/** Gives the rows of a backlog to a pull endpoint. */
async function letConsumersFetch({ databaseUrl }: Stack): Promise<void> {
  await withConnection(databaseUrl, async (connection) => {
    await connection.query('update delivery set is_pulled = true, due_at = due_of(due_at, true)');
    await connection.query('vacuum (analyze) delivery');
    await connection.query('checkpoint');
  });
}

/**
 * The milliseconds of each of several leases of 100 messages, and the part of them that Postgres spent on
 * the leasing statement.
 */
async function leaseTimes({ databaseUrl }: Stack, { lease, ack }: Consumer) {
  const times = { whole: [] as number[], inPostgres: [] as number[] };
  for (let n = 0; n < LEASES; n += 1) {
    let messages: Message[] = [];
    const statements = await statementsOf(databaseUrl, async () => {
      const beganMs = performance.now();
      messages = await lease({ max: 100 });
      times.whole.push(performance.now() - beganMs);
    });
    const leasing = statements.find(({ text }) => text.startsWith('with place as'));
    times.inPostgres.push(leasing?.milliseconds ?? Number.NaN);
    await ack(messages);
  }
  return times;
}

/** The messages per second that all consumers lease and acknowledge together, and the cost of a message. */
async function consumeFlatOut(
  { lease, ack }: Consumer,
  seconds: number,
  { stack, api }: { stack: Stack; api: ServiceProcess },
): Promise<Required<Pick<Outcome, 'figures' | 'tables'>>> {
  let acked = 0;
  let tookSeconds = 0;
  const processes = [api, ...stack.stores];
  const used = cpuSeconds(processes);
  const statements = await statementsOf(stack.databaseUrl, async () => {
    const beganMs = performance.now();
    const untilMs = beganMs + 1_000 * seconds;
    const consume = async () => {
      while (performance.now() < untilMs) {
        const messages = await lease({ max: 100 });
        if (messages.length === 0) return;
        await ack(messages);
        acked += messages.length;
      }
    };
    await Promise.all(Array.from({ length: CONSUMERS }, consume));
    tookSeconds = (performance.now() - beganMs) / 1_000;
  });
  const cpu = [...cpuSeconds(processes)].map(([name, value]) => ({
    figure: `${CONSUMERS} consumers: CPU of ${name} a message`,
    value: (1e6 * (value - (used.get(name) ?? 0))) / acked,
    unit: 'µs',
  }));
  return {
    figures: [{ figure: `${CONSUMERS} consumers`, value: acked / tookSeconds, unit: '/s' }, ...cpu],
    tables: [statementsTable(`Statements of ${CONSUMERS} consumers, a message`, statements, acked)],
  };
}

/** The milliseconds from the acceptance of an event until a waiting consumer has it. */
async function timeToConsumer(stack: Stack, api: ServiceProcess, consumer: Consumer): Promise<number[]> {
  const headers = { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' };
  const times: number[] = [];
  for (let n = 0; n < ANSWERS; n += 1) {
    const waiting = consumer.lease({ waitSeconds: WAIT_SECONDS }).then((messages) => ({ messages, atMs: now() }));
    const url = `${api.url}/api/ingest/${consumer.endpointId}`;
    const response = await fetch(url, { method: 'POST', headers, body: BODY });
    const acceptedMs = now();
    if (response.status !== 202) throw new Error(`the event was answered with ${response.status}`);
    await response.arrayBuffer();
    const { messages, atMs } = await waiting;
    times.push(Math.max(0, atMs - acceptedMs));
    await consumer.ack(messages);
  }
  return times;
}

async function waitIdle(
  { databaseUrl }: Stack,
  api: ServiceProcess,
  manage: Management,
  seconds: number,
): Promise<Figure[]> {
  const consumers: Consumer[] = [];
  for (let n = 0; n < IDLE_ENDPOINTS; n += 1) consumers.push(await makeConsumer(manage, api));
  const before = await countConnections(databaseUrl);
  let isOver = false;
  const wait = async ({ lease }: Consumer) => {
    // Some of the many calls that begin at once are refused, and are made again. The end of the API ends
    // the last calls.
    while (!isOver) await lease({ waitSeconds: WAIT_SECONDS }).catch(() => pause(AGAIN_AFTER_MS));
  };
  for (const consumer of consumers) for (let n = 0; n < CALLS_EACH; n += 1) void wait(consumer);
  await pause(BEGIN_WITHIN_MS);
  const [beganMs, used] = [performance.now(), cpuSeconds([api])];
  await pause(1_000 * Math.max(seconds, WAIT_SECONDS));
  const cpu = [...cpuSeconds([api])].reduce((sum, [name, value]) => sum + value - (used.get(name) ?? 0), 0);
  const share = cpu / ((performance.now() - beganMs) / 1_000);
  const connections = (await countConnections(databaseUrl)) - before;
  isOver = true;
  return [
    { figure: '1,000 that wait: API', value: 100 * share, unit: '% of a core' },
    { figure: '1,000 that wait: more connections to Postgres', value: connections, unit: '' },
  ];
}

async function countConnections(databaseUrl: string): Promise<number> {
  return withConnection(databaseUrl, async (connection) => {
    const { rows } = await connection.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where datname = current_database()',
    );
    return rows[0]?.count ?? 0;
  });
}
