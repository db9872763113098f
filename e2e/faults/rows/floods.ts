import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Load, Target } from '../load.ts';
import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import { type Outcome, type Row, type Tools, WITHOUT_REDIS } from '../row.ts';
import { createInFlight, otherErrors } from './marks.ts';
import { addOtherWorkspace, sendBatches } from './other-workspace.ts';
import { loadWhile, readyAgain } from './restarts.ts';
import { startsOf } from './starts.ts';

const EVENTS = 100_000;
const WARM_UP_EVENTS = 5_000;
const START_P99_MS = 2_000;
const KILLED_EVENTS = 40_000;
const LEAST_KILLED_EVENTS = 15_000;
/**
 * The time around a death, with its own limit: an offer to a dead dispatcher ends after 3 s, and others believe for 5 s
 * that it works.
 */
const AROUND_DEATH = { beforeMs: 1_000, afterMs: 6_000, p90Ms: 5_000 };

export const floodRows: readonly Row[] = [
  {
    name: 'flood-workspace',
    fault: `one workspace sends 100,000 events at once, and another one a second, after ${WARM_UP_EVENTS.toLocaleString('en')} events`,
    pass: 'p99 start of the other ≤ 2 s',
    rig: { endpoints: 1, gates: false },
    run: (rig, tools) => flood(rig, tools, addSingleWorkspace),
  },
  {
    name: 'flood-endpoint',
    fault: `one endpoint gets 100,000 events at once, and another one a second, after ${WARM_UP_EVENTS.toLocaleString('en')} events`,
    pass: 'p99 start of the other ≤ 2 s',
    rig: { endpoints: 1, gates: false },
    run: (rig, tools) => flood(rig, tools, addOtherEndpoint),
  },
  {
    name: 'flood-dispatcher-killed',
    fault: `Postgres alone: one workspace sends ${KILLED_EVENTS.toLocaleString('en')} events at once, and another one five a second; a dispatcher is killed 5 times`,
    pass: 'p99 start of the other ≤ 2 s, around a death p90 ≤ 5 s; lost 0, duplicates ≤ in flight at each death',
    shapes: WITHOUT_REDIS,
    rig: { shape: 'postgres', endpoints: 1, gates: false },
    run: floodAndKill,
  },
];

/** The load of one event a second, and the target of its events. */
type Other = { load: Load; target: Target };

async function flood(rig: Rig, tools: Tools, addOther: (rig: Rig, tools: Tools) => Promise<Other>) {
  const { scaled, say } = tools;
  // Warm up: in the first seconds of a process, half of its work is V8's compilation.
  await rig.load.burst(scaled(WARM_UP_EVENTS));
  await rig.drain();
  const { eventType } = await rig.addEndpoint({ name: 'flooded', loaded: false });
  const { load, target } = await addOther(rig, tools);
  let delivered = 0;
  rig.receivers.onReceipt(({ endpoint }) => {
    if (endpoint === 'flooded') delivered += 1;
  });
  const beganMs = performance.now();
  const sendAll = async () => {
    const targets = [{ eventType, endpoints: ['flooded'] }];
    await sendBatches(rig, { apiKey: rig.apiKey, targets, events: scaled(EVENTS) });
    say(`the flood is accepted after ${Math.round(performance.now() - beganMs)} ms`);
    await waitFor(() => delivered >= scaled(EVENTS), {
      what: 'the flood to be delivered',
      timeoutMs: 400_000,
    });
  };
  await loadWhile(load, { perSecond: 1, to: [target] }, sendAll());
  const seconds = (performance.now() - beganMs) / 1_000;
  const starts = startsOf(rig, 'single');
  const fannedOutMs = await fannedOutAfter(rig);
  say(`${Math.round(scaled(EVENTS) / seconds)} per second, ${starts.length} single events during the flood`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'p99 start', unit: 'ms' as const, value: quantile(starts, 0.99), atMost: START_P99_MS },
      { what: 'p99 fanned out', unit: 'ms' as const, value: fannedOutMs },
      { what: 'flood per second', value: scaled(EVENTS) / seconds },
    ],
  };
}

async function floodAndKill(rig: Rig, tools: Tools): Promise<Outcome> {
  const { random, scaled, say } = tools;
  await rig.load.burst(scaled(WARM_UP_EVENTS));
  await rig.drain();
  const events = Math.max(LEAST_KILLED_EVENTS, scaled(KILLED_EVENTS));
  // The endpoint answers late, so that the flood outlasts the deaths.
  const { eventType } = await rig.addEndpoint({
    name: 'flooded',
    loaded: false,
    behaviour: () => ({ delayMs: 1_000 }),
  });
  const { load, target } = await addSingleWorkspace(rig, tools);
  const inFlight = createInFlight(rig);
  const deathsMs: number[] = [];
  const fromMs = Date.now();
  const kills = async () => {
    while (deathsMs.length < Math.max(2, scaled(5))) {
      await rig.elapsed(random.whole(1_000, 2_000) + AROUND_DEATH.afterMs);
      const victim = random.pick(rig.dispatchers);
      await victim.kill();
      deathsMs.push(Date.now());
      await inFlight.note();
      await readyAgain(victim);
    }
    await rig.elapsed(AROUND_DEATH.afterMs);
    return { left: await rig.open(), untilMs: Date.now() };
  };
  const sendAll = async () => {
    await sendBatches(rig, { apiKey: rig.apiKey, targets: [{ eventType, endpoints: ['flooded'] }], events });
    return kills();
  };
  const { left, untilMs } = await loadWhile(load, { perSecond: 5, to: [target] }, sendAll());
  rig.receivers.respond('flooded', () => ({}));
  await rig.drain();
  const around = deathsMs.flatMap((atMs) =>
    startsOf(rig, 'single', { fromMs: atMs - AROUND_DEATH.beforeMs, untilMs: atMs + AROUND_DEATH.afterMs }),
  );
  const calm = [fromMs, ...deathsMs.map((atMs) => atMs + AROUND_DEATH.afterMs)].flatMap((atMs, n) =>
    startsOf(rig, 'single', { fromMs: atMs, untilMs: (deathsMs[n] ?? untilMs) - AROUND_DEATH.beforeMs }),
  );
  say(`${calm.length} single events, and ${around.length} around a death: latest ${Math.max(...around)} ms`);
  return {
    duplicatesAtMost: inFlight.count(),
    retriesLateAtMostMs: 30_000,
    marks: [
      { what: 'p99 start', unit: 'ms', value: quantile(calm, 0.99), atMost: START_P99_MS },
      { what: 'p90 start around a death', unit: 'ms', value: quantile(around, 0.9), atMost: AROUND_DEATH.p90Ms },
      { what: 'deaths', value: deathsMs.length, atLeast: 2 },
      { what: 'waiting after the last death', value: left, atLeast: 1 },
      otherErrors(rig),
    ],
  };
}

/** The time from the acceptance of the single events until their deliveries are made. */
async function fannedOutAfter(rig: Rig): Promise<number> {
  const { uuid } = rig.endpoints.find(({ name }) => name === 'single') ?? {};
  const rows = await rig.db.$queryRaw<{ event_id: string; at_ms: number }[]>`
    select event_id, extract(epoch from at)::float8 * 1000 as at_ms from fault_move
    where was is null and endpoint_id = ${uuid}::uuid`;
  const acceptedAtMs = new Map(rig.load.sent.map((event) => [event.eventId, event.acceptedAtMs]));
  return quantile(
    rows.map(({ event_id, at_ms }) => at_ms - (acceptedAtMs.get(toId('msg', event_id)) ?? at_ms)),
    0.99,
  );
}

async function addOtherEndpoint(rig: Rig): Promise<Other> {
  const { eventType } = await rig.addEndpoint({ name: 'single', loaded: false });
  return { load: rig.load, target: { eventType, endpoints: ['single'] } };
}

async function addSingleWorkspace(rig: Rig, { random }: Tools): Promise<Other> {
  const { load, addEndpoint } = await addOtherWorkspace(rig, random);
  const { eventType, name } = await addEndpoint({ name: 'single' });
  return { load, target: { eventType, endpoints: [name] } };
}
