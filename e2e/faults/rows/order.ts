import type { Receipt } from '../oracle.ts';
import type { Random } from '../random.ts';
import type { Behaviour } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { readyAgain } from './restarts.ts';

export const orderRows: readonly Row[] = [
  {
    name: 'fifo-killed',
    fault:
      'a fifo endpoint that fails at random gets 100 keys with 200 events each; two dispatchers are killed, and Redis is flushed once',
    pass: 'order violations 0, lost 0, duplicates ≤ in flight at each kill',
    rig: { endpoints: 1, config: { ordering: 'fifo', timeoutSeconds: 5 } },
    run: fifoKilled,
  },
  {
    name: 'scheduled-down',
    fault: 'every process is down when 1,000 scheduled events fall due, and for 5 s more',
    pass: 'none early, lost 0, duplicates 0, keys in order, all delivered ≤ 30 s after the start',
    rig: { endpoints: 2, config: { ordering: 'fifo' } },
    run: scheduledDown,
  },
];

const KEYS = 100;
const FAILING = 0.03;

async function fifoKilled(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const positions = new Map<string, Position>();
  const [endpoint] = rig.endpoints;
  if (endpoint !== undefined) rig.receivers.respond(endpoint.name, failingAtRandom(random));
  const inFlight: number[] = [];
  const eventsOfKey = scaled(200);
  const total = KEYS * eventsOfKey;
  const killOne = async () => {
    const victim = random.pick(rig.dispatchers);
    await victim.kill();
    inFlight.push(await rig.inFlight());
    await readyAgain(victim);
  };
  const faults = async () => {
    await reached(rig, total * 0.25);
    await killOne();
    await reached(rig, total * 0.5);
    await rig.redis.flush();
    await reached(rig, total * 0.75);
    await killOne();
    say(`in flight at each kill: ${inFlight.join(' ')}`);
  };
  const sendKey = async (key: string) => {
    for (let n = 0; n < eventsOfKey; n += 1) {
      const onEvent = ({ hash }: { hash: string }) => void positions.set(hash, { key, n });
      await rig.load.burst(1, { headers: { 'x-ordering-key': key }, onEvent });
    }
  };
  await Promise.all([...Array.from({ length: KEYS }, (_, n) => sendKey(`key-${n}`)), faults()]);
  await rig.drain(300_000);
  return {
    duplicatesAtMost: inFlight.reduce((sum, count) => sum + count, 0),
    retriesLateAtMostMs: 30_000,
    marks: [
      { what: 'order violations', value: violations(rig.receivers.receipts, positions), atMost: 0 },
      { what: 'accepted', value: rig.load.accepted(), atLeast: total },
    ],
  };
}

/** Waits until this many requests have arrived. */
async function reached(rig: Rig, receipts: number): Promise<void> {
  while (rig.receivers.receipts.length < receipts) await rig.elapsed(50);
}

function failingAtRandom(random: Random): Behaviour {
  return () => ({ status: random.whole(1, 1_000) <= 1_000 * FAILING ? 500 : 200 });
}

export type Position = { key: string; n: number };

/** The number of requests that arrived after a later event of their key at the same endpoint. */
export function violations(receipts: readonly Receipt[], positions: ReadonlyMap<string, Position>): number {
  const latest = new Map<string, number>();
  let count = 0;
  for (const { endpoint, hash } of receipts) {
    const position = positions.get(hash);
    if (position === undefined) continue;
    const name = `${endpoint} ${position.key}`;
    const before = latest.get(name) ?? -1;
    if (position.n < before) count += 1;
    latest.set(name, Math.max(before, position.n));
  }
  return count;
}

const DUE_AFTER_MS = 20_000;
const DOWN_FOR_MS = 5_000;

async function scheduledDown(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  // The endpoints do not fail as in other rows: each failure would hold its key for a second.
  for (const { name } of rig.endpoints) rig.receivers.respond(name, () => ({}));
  const events = scaled(1_000);
  const dueAtMs = Date.now() + DUE_AFTER_MS;
  const positions = new Map<string, Position>();
  const key = (n: number) => `key-${n % 10}`;
  for (let n = 0; n < events; n += 1) {
    // The events of a key have rising times, so they have an order.
    const headers = { 'x-ordering-key': key(n), 'x-deliver-at': new Date(dueAtMs + n).toISOString() };
    await rig.load.burst(1, { headers, onEvent: ({ hash }) => void positions.set(hash, { key: key(n), n }) });
  }
  const members = [...rig.apis, ...rig.dispatchers];
  await Promise.all(members.map((member) => member.stop('SIGKILL')));
  const stoppedBeforeMs = dueAtMs - Date.now();
  await rig.elapsed(Math.max(0, dueAtMs + events - Date.now()) + DOWN_FOR_MS);
  const startedAtMs = Date.now();
  await Promise.all(members.map((member) => member.start()));
  await rig.drain();
  const { receipts } = rig.receivers;
  const lastMs = Math.max(startedAtMs, ...receipts.map((receipt) => receipt.atMs));
  const isEarly = ({ hash, atMs }: Receipt) => atMs < dueAtMs + (positions.get(hash)?.n ?? 0);
  say(`stopped ${stoppedBeforeMs} ms before the time`);
  return {
    duplicatesAtMost: 0,
    recoveryMs: lastMs - startedAtMs,
    marks: [
      { what: 'stopped before the time', unit: 'ms', value: stoppedBeforeMs, atLeast: 0 },
      { what: 'early', value: receipts.filter(isEarly).length, atMost: 0 },
      { what: 'order violations', value: violations(receipts, positions), atMost: 0 },
      { what: 'all delivered after the start', unit: 'ms', value: lastMs - startedAtMs, atMost: 30_000 },
    ],
  };
}
