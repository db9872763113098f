import { fromId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import { quantile, type SentEvent } from '../oracle.ts';
import type { Endpoint, Rig } from '../rig.ts';
import { type Outcome, type Row, type Tools, TWO_SERVICES } from '../row.ts';
import { readyAgain } from './restarts.ts';

/** The usual rates of the endpoints, in events a second: about 100 together. */
const RATES = [40, 20, 10, 6, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.2];
const OUTAGE_SECONDS = 120;
const BEFORE_MS = 5_000;
/** How far ahead the events are scheduled: long enough to send all of them before. */
const SCHEDULED_AHEAD_MS = 90_000;
/** The shortest outage. Posthorn does not treat a shorter time as an outage. */
const SHORTEST_SECONDS = 40;
/** Any window of 10 s may have no more than the pace, and 5 % for what the network adds. */
const WINDOW_MS = 10_000;

const PASS =
  'no receiver gets more than 1.05 × max(5/s, 2 × usual) in any 10 s, new events p99 ≤ 2 s, the rest within 1.2 × the computed time';
const RIG = { endpoints: 3, apis: 1, dispatchers: 2, gates: false } as const;

export const ownOutages: Row[] = [
  {
    name: 'own-outage',
    shapes: TWO_SERVICES,
    fault: 'all dispatchers are away for 120 s at 100 events a second, for 20 endpoints with 0.2 to 40 a second each',
    pass: PASS,
    rig: RIG,
    withinMinutes: 15,
    run: (rig, tools) => run(rig, tools, dispatchersAway),
  },
  {
    name: 'own-outage-postgres',
    fault:
      'Postgres is away for 120 s; 100 scheduled events a second fall due, for 20 endpoints with 0.2 to 40 a second each',
    pass: PASS,
    rig: RIG,
    withinMinutes: 15,
    run: (rig, tools) => run(rig, tools, postgresAway),
  },
];

type Paced = Endpoint & { usual: number; pace: number };
/** An outage that has ended, and the events `kept` during it. New events are sent until `stop` is called. */
type Outage = { backMs: number; kept: SentEvent[]; stop: () => Promise<void> };
type Away = (rig: Rig, paced: readonly Paced[], seconds: number) => Promise<Outage>;

async function run(rig: Rig, { scaled, say }: Tools, away: Away): Promise<Outcome> {
  const count = Math.max(4, scaled(RATES.length));
  // At a small scale, the fastest of all endpoints is left out.
  const step = Math.ceil(RATES.length / count);
  const rates = RATES.filter((_, n) => n % step === step - 1);
  const paced: Paced[] = [];
  for (const [n, usual] of rates.entries()) {
    const endpoint = await rig.addEndpoint({ name: `usual-${n}`, loaded: false });
    await remember(rig, endpoint, usual);
    paced.push({ ...endpoint, usual, pace: Math.max(5, 2 * usual) });
  }
  const outageSeconds = Math.max(SHORTEST_SECONDS, scaled(OUTAGE_SECONDS));
  const arrived = keepArrivals(rig);
  const { backMs, kept, stop } = await away(rig, paced, outageSeconds);
  say(`${kept.length} events wait for ${paced.length} endpoints`);
  const seconds = Math.max(
    ...paced.map(({ name, usual, pace }) => {
      const own = kept.filter(({ endpoints }) => endpoints[0] === name).length;
      return own / (pace - usual);
    }),
  );
  const hasCome = () => kept.every(({ eventId = '' }) => arrived.has(eventId));
  await waitFor(hasCome, { what: 'what waited', timeoutMs: 30_000 + 3_000 * seconds });
  const lastMs = Math.max(...kept.map(({ eventId = '' }) => arrived.get(eventId) ?? 0));
  await stop();
  await rig.drain();
  const [gap] = await rig.db.$queryRaw<{ untilMs: number }[]>`
    select extract(epoch from max(until))::float8 * 1000 as "untilMs" from catch_up`;
  const newFromMs = Math.max(backMs, gap?.untilMs ?? 0);
  const fresh = rig.load.sent.flatMap(({ eventId = '', acceptedAtMs = 0, endpoints }) => {
    const atMs = arrived.get(eventId);
    const isFresh = acceptedAtMs > newFromMs && acceptedAtMs < lastMs && atMs !== undefined;
    return isFresh ? [{ name: endpoints[0], afterMs: acceptedAtMs - backMs, tookMs: atMs - acceptedAtMs }] : [];
  });
  const slowest = [...fresh].sort((a, b) => b.tookMs - a.tookMs).slice(0, 8);
  const waves = paced.map(({ name, pace }) => ({ name, pace, most: mostInWindow(rig, name) }));
  const worst = Math.max(...waves.map(({ pace, most }) => (100 * most) / (pace * (WINDOW_MS / 1_000))));
  const drained = (lastMs - backMs) / 1_000;
  say(
    `computed ${seconds.toFixed(1)} s, took ${drained.toFixed(1)} s; ${fresh.length} new events from ${(newFromMs - backMs).toFixed(0)} ms`,
  );
  const told = slowest.map(
    (one) => `${one.name} ${Math.round(one.tookMs)} ms, accepted after ${Math.round(one.afterMs)} ms`,
  );
  say(`the slowest new events: ${told.join('; ')}`);
  say(waves.map(({ name, pace, most }) => `${name} ${most} of ${10 * pace}`).join(', '));
  return {
    duplicatesAtMost: 200,
    retriesLateAtMostMs: 1_200 * (seconds + outageSeconds),
    marks: [
      { what: 'events are new again', unit: 'ms', value: Math.round(newFromMs - backMs), atMost: 5_000 },
      { what: 'most in 10 s, in % of the pace', value: Math.round(worst * 10) / 10, atMost: 105 },
      {
        what: 'new events, p99',
        unit: 'ms',
        value: quantile(
          fresh.map(({ tookMs }) => tookMs),
          0.99,
        ),
        atMost: 2_000,
      },
      {
        what: 'backlog gone, in % of the computed time',
        unit: 'ms',
        value: Math.round((100 * drained) / seconds),
        atMost: 120,
      },
    ],
  };
}

async function dispatchersAway(rig: Rig, paced: readonly Paced[], seconds: number): Promise<Outage> {
  const stop = sendSteadily(rig, paced);
  await rig.elapsed(BEFORE_MS);
  const beganMs = Date.now();
  await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.stop('SIGKILL')));
  await rig.elapsed(seconds * 1_000);
  rig.outages.push({ fromMs: beganMs, toMs: Date.now() });
  await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.start()));
  await Promise.all(rig.dispatchers.map(readyAgain));
  const backMs = Date.now();
  const kept = rig.load.sent.filter(({ acceptedAtMs = 0 }) => acceptedAtMs >= beganMs && acceptedAtMs < backMs);
  return { backMs, kept, stop };
}

/**
 * Makes Postgres go away. No event is sent meanwhile: events that producers would send again later are no wave of ours.
 */
async function postgresAway(rig: Rig, paced: readonly Paced[], seconds: number): Promise<Outage> {
  const stopBefore = sendSteadily(rig, paced);
  await rig.elapsed(BEFORE_MS);
  await stopBefore();
  const sentBefore = rig.load.sent.length;
  const dueFromMs = Date.now() + SCHEDULED_AHEAD_MS;
  const schedule = async ({ name, eventType, usual }: Paced) => {
    const to = [{ eventType, endpoints: [name] }];
    for (let n = 0; n < usual * seconds; n += 1) {
      const headers = { 'x-deliver-at': new Date(dueFromMs + (1_000 * n) / usual).toISOString() };
      await rig.load.burst(1, { to, headers });
    }
  };
  await Promise.all(paced.map(schedule));
  const kept = rig.load.sent.slice(sentBefore);
  await rig.elapsed(dueFromMs - Date.now());
  await rig.postgres.stop();
  const beganMs = Date.now();
  await rig.elapsed(seconds * 1_000);
  await rig.postgres.start();
  rig.outages.push({ fromMs: beganMs, toMs: Date.now() });
  await Promise.all([...rig.apis, ...rig.dispatchers].map(readyAgain));
  return { backMs: Date.now(), kept, stop: sendSteadily(rig, paced) };
}

/** Sends events to each endpoint at its usual rate, without waiting for responses. */
function sendSteadily({ load, elapsed }: Rig, paced: readonly Paced[]): () => Promise<void> {
  let isOver = false;
  const loads = paced.map(async ({ name, eventType, usual }) => {
    const sent: Promise<void>[] = [];
    const beganMs = performance.now();
    while (!isOver) {
      sent.push(load.burst(1, { to: [{ eventType, endpoints: [name] }] }));
      await elapsed(Math.max(0, beganMs + (1_000 * sent.length) / usual - performance.now()));
    }
    await Promise.all(sent);
  });
  return async () => {
    isOver = true;
    await Promise.all(loads);
  };
}

/**
 * Keeps the time of each event's first request from now on. It adds each receipt once, because this process is also the
 * receivers: to go through all receipts for each event would hold up their answers for minutes.
 */
function keepArrivals({ receivers }: Rig): ReadonlyMap<string, number> {
  const arrived = new Map<string, number>();
  receivers.onReceipt(({ eventId, atMs }) => {
    if (!arrived.has(eventId)) arrived.set(eventId, atMs);
  });
  return arrived;
}

function mostInWindow({ receivers }: Rig, name: string): number {
  const times = receivers.receipts.filter(({ endpoint }) => endpoint === name).map(({ atMs }) => atMs);
  let first = 0;
  return times.reduce((most, time, n) => {
    while ((times[first] ?? time) <= time - WINDOW_MS) first += 1;
    return Math.max(most, n - first + 1);
  }, 0);
}

/** Inserts the statistics of some hours at the usual rate, by minutes. */
async function remember(rig: Rig, { uuid }: Endpoint, usual: number): Promise<void> {
  await rig.db.$executeRaw`
    insert into stat (subject_id, is_hour, at, event_type, environment_id, attempts, succeeded)
    select ${uuid}::uuid, false, date_trunc('minute', now()) - make_interval(mins => n), 'load.any', ${fromId('env', rig.environmentId)}::uuid,
      ${Math.round(60 * usual)}::int, ${Math.round(60 * usual)}::int from generate_series(2, 1000) n`;
}
