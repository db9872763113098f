import { insertBacklog } from '../backlog.ts';
import type { Figure } from '../figures.ts';
import { type Burst, burst, delivered, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { postSteadily } from '../load.ts';
import { managementOf, oneEndpointEach } from '../management.ts';
import { cpuSeconds, type Measured } from '../processes.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import { sampleRedis } from '../sample.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

/** The number of waiting deliveries. `BENCH_LIMITED` sets another. */
const WAITING = Number(process.env.BENCH_LIMITED ?? 1_000_000);
const ENDPOINTS = 10;
const PER_SECOND = 500;
/** The limit of each endpoint. In total, a fifth less than the load posts. */
const REACHED = { limit: 40, periodSeconds: 1 };
const NOT_REACHED = { limit: 1_000, periodSeconds: 1 };
/** The limit of the endpoint where the backlog waits. */
const OF_BACKLOG = { limit: 10, periodSeconds: 1 };

export const limited: Scenario = {
  name: 'limited',
  what: `500 events a second to ten endpoints with a rate limit, compared with ten without; and the rate of others beside a limited endpoint at which ${WAITING.toLocaleString('en-US')} deliveries wait`,
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure(context: Context, stack: Stack): Promise<Outcome> {
  const { seconds, say } = context;
  const receivers = await startReceivers(ENDPOINTS, stack.tls);
  // The backlog has its own receiver, so that deliveries to the others are counted alone.
  const ofBacklog = await startReceivers(1, stack.tls);
  try {
    const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
    const manage = managementOf(api, stack);
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const common = { stack, apis: [api], urls };
    const withLimit = (name: string, rateLimit: object) =>
      oneEndpointEach(manage, { ...common, name, config: { rateLimit } });
    const sides = {
      none: (await oneEndpointEach(manage, { ...common, name: 'unlimited' })).ingest,
      notReached: (await withLimit('not_reached', NOT_REACHED)).ingest,
      reached: (await withLimit('reached', REACHED)).ingest,
    };
    const processes = [api, dispatcher, ...stack.stores];
    const steady: Record<keyof typeof sides, Steady[]> = { none: [], notReached: [], reached: [] };
    for (const ingest of Object.values(sides)) await postSteadily(ingest, PER_SECOND / 5, WARM_UP_SECONDS);
    for (const side of ['none', 'notReached', 'reached', 'reached', 'notReached', 'none'] as const) {
      say(side);
      steady[side].push(await steadily({ ingest: sides[side], receivers, processes, seconds: seconds / 2 }));
    }
    const bursts = { quiet: [] as Burst[], beside: [] as Burst[] };
    const burstOf = async () => {
      const options = { ingest: sides.none, receivers, processes };
      await burst({ ...options, seconds: LEAD_IN_SECONDS });
      return burst({ ...options, seconds: seconds / 2 });
    };
    say('without a backlog');
    const quietMemory = sampleRedis(stack);
    for (let n = 0; n < 2; n += 1) bursts.quiet.push(await burstOf());
    const quietMib = quietMemory.stop();
    say(`inserting ${WAITING.toLocaleString('en-US')} deliveries`);
    const backlog = await oneEndpointEach(manage, {
      ...{ ...common, urls: ofBacklog.origins.map((origin) => `${origin}/hook`) },
      ...{ name: 'backlog', config: { rateLimit: OF_BACKLOG } },
    });
    await insertBacklog(stack, { endpointIds: backlog.endpointIds, rows: WAITING, withBody: 5_000, inLine: true });
    say('beside the backlog');
    const memory = sampleRedis(stack);
    for (let n = 0; n < 2; n += 1) bursts.beside.push(await burstOf());
    const redisMib = memory.stop();
    const sent = ofBacklog.count();
    return answer(steady, { quiet: together(bursts.quiet), beside: together(bursts.beside), sent, quietMib, redisMib });
  } finally {
    await receivers.close();
    await ofBacklog.close();
  }
}

/** Events posted at a steady rate, until all are delivered. */
type Steady = { delivered: number; perSecond: number; cpu: Map<string, number> };

type SteadyOptions = {
  ingest: Parameters<typeof postSteadily>[0];
  receivers: Receivers;
  processes: readonly Measured[];
  seconds: number;
};

async function steadily({ ingest, receivers, processes, seconds }: SteadyOptions): Promise<Steady> {
  // This lead-in also fills the line of an endpoint whose limit is reached.
  await postSteadily(ingest, PER_SECOND, LEAD_IN_SECONDS);
  const [before, cpuBefore, startedAt] = [receivers.count(), cpuSeconds(processes), performance.now()];
  const posts = await postSteadily(ingest, PER_SECOND, seconds);
  const perSecond = (1_000 * (receivers.count() - before)) / (performance.now() - startedAt);
  await delivered(receivers, before + posts.length);
  const cpuAfter = cpuSeconds(processes);
  return {
    delivered: receivers.count() - before,
    perSecond,
    cpu: new Map([...cpuAfter].map(([name, used]) => [name, used - (cpuBefore.get(name) ?? 0)])),
  };
}

type Side = ReturnType<typeof together>;
type Beside = { quiet: Side; beside: Side; sent: number; quietMib: number; redisMib: number };

function answer(
  steady: Record<'none' | 'notReached' | 'reached', Steady[]>,
  { quiet, beside, sent, quietMib, redisMib }: Beside,
): Outcome {
  const [none, notReached, reached] = [cpuOf(steady.none), cpuOf(steady.notReached), cpuOf(steady.reached)];
  const limit = ENDPOINTS * REACHED.limit;
  const perSecond = mean(steady.reached.map((one) => one.perSecond));
  const each = (name: string, cpu: Map<string, number>): Figure[] =>
    [...cpu].map(([process, value]) => ({ figure: `CPU ${process}, an event, ${name}`, value, unit: 'µs' }));
  return {
    figures: [
      { figure: 'limit not reached, CPU against none', value: total(notReached) / total(none), unit: '×' },
      { figure: 'limit reached, CPU against none', value: total(reached) / total(none), unit: '×' },
      { figure: 'delivered, of the limit', value: perSecond / limit, unit: '×' },
      ...each('no limit', none),
      ...each('limit not reached', notReached),
      ...each('limit reached', reached),
      { figure: 'others, no backlog', value: quiet.deliveredPerSecond, unit: '/s' },
      { figure: 'others, beside the backlog', value: beside.deliveredPerSecond, unit: '/s' },
      {
        figure: 'others beside the backlog, against without',
        value: beside.deliveredPerSecond / quiet.deliveredPerSecond,
        unit: '×',
      },
      { figure: 'accepted but not delivered', value: beside.lost, unit: '' },
      { figure: 'of the backlog sent meanwhile', value: sent, unit: '' },
      { figure: 'Redis memory, no backlog, peak', value: quietMib, unit: 'MiB' },
      { figure: 'Redis memory, peak', value: redisMib, unit: 'MiB' },
    ],
  };
}

/** Microseconds of CPU for each event, by process. */
function cpuOf(parts: readonly Steady[]): Map<string, number> {
  const events = parts.reduce((sum, part) => sum + part.delivered, 0);
  const names = [...new Set(parts.flatMap(({ cpu }) => [...cpu.keys()]))];
  return new Map(
    names.map((name) => [name, (1e6 * parts.reduce((sum, { cpu }) => sum + (cpu.get(name) ?? 0), 0)) / events]),
  );
}

function total(cpu: Map<string, number>): number {
  return [...cpu.values()].reduce((sum, value) => sum + value, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
