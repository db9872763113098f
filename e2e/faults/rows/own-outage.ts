import { fromId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import { quantile } from '../oracle.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { readyAgain } from './restarts.ts';

/** The usual rates of the endpoints, in events a second: about 100 together. */
const RATES = [40, 20, 10, 6, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.2];
const OUTAGE_SECONDS = 120;
/** A shorter outage is none. */
const SHORTEST_SECONDS = 40;
/** A window of 10 s that moves has no more than the pace, and 5 % for what the way to a receiver adds. */
const WINDOW_MS = 10_000;

export const ownOutage: Row = {
  name: 'own-outage',
  fault: 'all dispatchers away for 120 s at 100 events a second, to 20 endpoints of 0.2 to 40 a second',
  pass: 'no receiver gets more than 1.05 × max(5/s, 2 × usual) in any 10 s, new events p99 ≤ 2 s, the rest within 1.2 × the computed time',
  rig: { endpoints: 3, apis: 1, dispatchers: 2, gates: false },
  withinMinutes: 15,
  run,
};

type Paced = Endpoint & { usual: number; pace: number };

async function run(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const count = Math.max(4, scaled(RATES.length));
  // At a small scale, the quickest of all is left out.
  const step = Math.ceil(RATES.length / count);
  const rates = RATES.filter((_, n) => n % step === step - 1);
  const paced: Paced[] = [];
  for (const [n, usual] of rates.entries()) {
    const endpoint = await rig.addEndpoint({ name: `usual-${n}`, loaded: false });
    await remember(rig, endpoint, usual);
    paced.push({ ...endpoint, usual, pace: Math.max(5, 2 * usual) });
  }
  const outageSeconds = Math.max(SHORTEST_SECONDS, scaled(OUTAGE_SECONDS));
  let isOver = false;
  const loads = paced.map((endpoint) => sendSteadily(rig, endpoint, () => isOver));
  await rig.elapsed(5_000);
  const beganMs = Date.now();
  await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.stop('SIGKILL')));
  await rig.elapsed(outageSeconds * 1_000);
  rig.outages.push({ fromMs: beganMs, toMs: Date.now() });
  await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.start()));
  await Promise.all(rig.dispatchers.map(readyAgain));
  const backMs = Date.now();
  const kept = rig.load.sent.filter(({ acceptedAtMs = 0 }) => acceptedAtMs >= beganMs && acceptedAtMs < backMs);
  say(`${kept.length} events wait for ${paced.length} endpoints`);
  const seconds = Math.max(
    ...paced.map(({ name, usual, pace }) => {
      const own = kept.filter(({ endpoints }) => endpoints[0] === name).length;
      return own / (pace - usual);
    }),
  );
  const hasCome = () => {
    const here = arrivals(rig);
    return kept.every(({ eventId = '' }) => here.has(eventId));
  };
  await waitFor(hasCome, { what: 'what waited', timeoutMs: 30_000 + 3_000 * seconds });
  const lastMs = Math.max(...kept.map(({ eventId = '' }) => arrivals(rig).get(eventId) ?? 0));
  isOver = true;
  await Promise.all(loads);
  await rig.drain();
  const arrived = arrivals(rig);
  const fresh = rig.load.sent.flatMap(({ eventId = '', acceptedAtMs = 0 }) => {
    const atMs = arrived.get(eventId);
    return acceptedAtMs > backMs && acceptedAtMs < lastMs && atMs !== undefined ? [atMs - acceptedAtMs] : [];
  });
  const waves = paced.map(({ name, pace }) => ({ name, pace, most: mostInWindow(rig, name) }));
  const worst = Math.max(...waves.map(({ pace, most }) => (100 * most) / (pace * (WINDOW_MS / 1_000))));
  const drained = (lastMs - backMs) / 1_000;
  say(`computed ${seconds.toFixed(1)} s, took ${drained.toFixed(1)} s; ${fresh.length} new events meanwhile`);
  say(waves.map(({ name, pace, most }) => `${name} ${most} of ${10 * pace}`).join(', '));
  return {
    duplicatesAtMost: 200,
    retriesLateAtMostMs: 1_200 * (seconds + outageSeconds),
    marks: [
      { what: 'most in 10 s, in % of the pace', value: Math.round(worst * 10) / 10, atMost: 105 },
      { what: 'new events, p99', unit: 'ms', value: quantile(fresh, 0.99), atMost: 2_000 },
      {
        what: 'backlog gone, in % of the computed time',
        unit: 'ms',
        value: Math.round((100 * drained) / seconds),
        atMost: 120,
      },
    ],
  };
}

/** Sends one event after the other at the usual rate, without waiting for answers. */
async function sendSteadily({ load, elapsed }: Rig, { name, eventType, usual }: Paced, isOver: () => boolean) {
  const sent: Promise<void>[] = [];
  const beganMs = performance.now();
  while (!isOver()) {
    sent.push(load.burst(1, { to: [{ eventType, endpoints: [name] }] }));
    await elapsed(Math.max(0, beganMs + (1_000 * sent.length) / usual - performance.now()));
  }
  await Promise.all(sent);
}

/** When each event came first. */
function arrivals({ receivers }: Rig): Map<string, number> {
  return new Map(receivers.receipts.map(({ eventId, atMs }) => [eventId, atMs] as const).reverse());
}

function mostInWindow({ receivers }: Rig, name: string): number {
  const times = receivers.receipts.filter(({ endpoint }) => endpoint === name).map(({ atMs }) => atMs);
  let first = 0;
  return times.reduce((most, time, n) => {
    while ((times[first] ?? time) <= time - WINDOW_MS) first += 1;
    return Math.max(most, n - first + 1);
  }, 0);
}

/** A day of minutes at the usual rate. */
async function remember(rig: Rig, { uuid }: Endpoint, usual: number): Promise<void> {
  await rig.db.$executeRaw`
    insert into stat (subject_id, is_hour, at, event_type, environment_id, attempts, succeeded)
    select ${uuid}::uuid, false, date_trunc('minute', now()) - make_interval(mins => n), 'load.any', ${fromId('env', rig.environmentId)}::uuid,
      ${Math.round(60 * usual)}::int, ${Math.round(60 * usual)}::int from generate_series(2, 1000) n`;
}
