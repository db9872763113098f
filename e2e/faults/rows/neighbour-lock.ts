import { toId } from '@posthorn/contract/ids';
import { type LockingStatement, whileLocked } from '@posthorn/testkit/row-lock';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Load } from '../load.ts';
import { quantile, type Receipt } from '../oracle.ts';
import type { Behaviour } from '../receivers.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { uuidOf } from './interface-things.ts';
import { addOtherWorkspace, type OtherWorkspace } from './other-workspace.ts';
import { answerTimes, type Probe, startProbes } from './probes.ts';

const PATCHES = 12;
/** Longer than the lock timeout of a statement. */
const HELD_SECONDS = 20;
const PER_SECOND = 20;
/** The number of endpoints of the other workspace that answer late. */
const SLOW = 6;
const LATE_MS = 3_000;
const LATE_STEP_MS = 400;
const PROBE_EVERY_MS = 100;
const ANSWERS_P99_MS = 1_000;
const SETTLES_WITHIN_MS = 2_000;

export const neighbourLock: Row = {
  name: 'neighbour-lock',
  fault: `another session locks a row of one workspace for ${HELD_SECONDS} s (the head of its audit chain, then an endpoint) while ${PATCHES} PATCHes of the workspace wait`,
  pass: 'ingest and management of other workspaces p99 ≤ 1 s, no 5xx; their results are written ≤ 2 s after',
  rig: { apis: 1, dispatchers: 1 },
  run: lockNeighbour,
};

async function lockNeighbour(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const prompt = [...rig.endpoints];
  for (let n = 0; n < SLOW; n += 1) {
    await rig.addEndpoint({ name: `slow-${n}`, behaviour: answersLate(200), loaded: false });
  }
  const others = { prompt, slow: rig.endpoints.slice(prompt.length) };
  const locked = await addOtherWorkspace(rig, random);
  const workspace = uuidOf('ws', locked.workspaceId);
  const heldMs = Math.max(12, scaled(HELD_SECONDS)) * 1_000;
  const marks: Mark[] = [];
  const hold = async (what: string, given: Pick<Held, 'lock' | 'patched' | 'failing'>) => {
    marks.push(...(await watchOthers(rig, { locked, others, what, heldMs, ...given }, say)));
  };
  await rig.load.steady(PER_SECOND, 3);
  // A PATCH that waits for the head of the chain holds the lock of its own endpoint.
  const patched = await addFailing(locked, 'chain');
  await hold('chain', {
    patched,
    failing: patched,
    lock: { sql: 'select 1 from audit_chain where workspace_id = $1 for update', values: [workspace] },
  });
  const failing = await addFailing(locked, 'row');
  const [endpoint] = failing;
  if (endpoint === undefined) throw new Error('there is no endpoint');
  await hold('endpoint', {
    patched: [endpoint],
    failing,
    lock: { sql: 'update endpoint set updated_at = updated_at where id = $1', values: [endpoint.uuid] },
  });
  return { duplicatesAtMost: 0, marks };
}

/**
 * The delay of an endpoint's response to a first attempt, in ms. The number at the end of its name sets the delay. The
 * rig's endpoints have no number.
 */
function lateBy({ endpoint, attempt }: Pick<Receipt, 'endpoint' | 'attempt'>): number {
  const [, n] = /^(?:slow|chain|row)-(\d+)$/.exec(endpoint) ?? [];
  return n === undefined || attempt > 1 ? 0 : LATE_MS + Number(n) * LATE_STEP_MS;
}

/** Answers first attempts late with this status while the lock is held, and all others with 200 at once. */
function answersLate(status: number): Behaviour {
  return (receipt) => (receipt.attempt === 1 ? { status, delayMs: lateBy(receipt) } : {});
}

/** Adds endpoints. Their first failure inserts a row with a foreign key to the endpoint. */
async function addFailing(locked: OtherWorkspace, prefix: string): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < PATCHES; n += 1) {
    endpoints.push(await locked.addEndpoint({ name: `${prefix}-${n}`, behaviour: answersLate(500) }));
  }
  return endpoints;
}

/** Begins attempts in both workspaces whose results arrive while the lock is held. Resolves when all are under way. */
async function beginAttempts(rig: Rig, { locked, failing, others: { slow } }: Held): Promise<void> {
  const fromMs = Date.now();
  const send = (load: Load, { eventType, name }: Endpoint) => load.burst(1, { to: [{ eventType, endpoints: [name] }] });
  await Promise.all([
    ...slow.map((endpoint) => send(rig.load, endpoint)),
    ...failing.map((endpoint) => send(locked.load, endpoint)),
  ]);
  const wanted = [...slow, ...failing].map(({ name }) => name);
  const arrived = () =>
    wanted.every((name) => rig.receivers.receipts.some(({ endpoint, atMs }) => endpoint === name && atMs >= fromMs));
  await waitFor(arrived, { what: 'the attempts to be under way' });
}

type Held = {
  locked: OtherWorkspace;
  /** Endpoints of the other workspaces. The slow ones answer while the lock is held. */
  others: { prompt: readonly Endpoint[]; slow: readonly Endpoint[] };
  /** The prefix of the marks. */
  what: string;
  lock: LockingStatement;
  /** The endpoints that the PATCHes change in turn. */
  patched: readonly Endpoint[];
  /** Endpoints of the locked workspace that fail for the first time while the lock is held. */
  failing: readonly Endpoint[];
  heldMs: number;
};

/** Holds the lock under load in both workspaces, while PATCHes in the locked workspace wait. */
async function watchOthers(rig: Rig, held: Held, say: Tools['say']): Promise<Mark[]> {
  const { others, what, lock, heldMs } = held;
  const [api] = rig.apis;
  if (api === undefined) throw new Error('no API runs');
  const answersBefore = rig.load.answers.length;
  const underWay: Promise<unknown>[] = [];
  await beginAttempts(rig, held);
  const probes = await whileLocked(rig.databaseUrl, lock, async () => {
    const untilMs = Date.now() + heldMs;
    underWay.push(keepPatching(rig, held, untilMs).then((statuses) => say(`${what}: PATCHes answered ${statuses}`)));
    // By now the PATCHes wait for the lock.
    await rig.elapsed(500);
    const started = startProbes(rig, { api, to: others.prompt, everyMs: PROBE_EVERY_MS });
    underWay.push(rig.load.steady(PER_SECOND, heldMs / 1_000 - 1));
    await rig.elapsed(untilMs - Date.now());
    return started;
  });
  const untilMs = Date.now();
  await Promise.all([...underWay, probes.end()]);
  const inTime = <Sent extends { atMs: number }>(list: readonly Sent[]) => list.filter(({ atMs }) => atMs < untilMs);
  const asked = inTime(probes.answered);
  const failed = [...inTime(rig.load.answers.slice(answersBefore)), ...asked].filter(isFault).length;
  const p99 = (of: Probe['of']) => quantile(answerTimes(asked.filter((probe) => probe.of === of)), 0.99);
  await rig.drain();
  const settleMs = await longestSettle(rig, {
    endpoints: [...others.prompt, ...others.slow],
    fromMs: untilMs - heldMs,
    untilMs,
  });
  return [
    { what: `${what}: ingest p99`, unit: 'ms', value: p99('ingest'), atMost: ANSWERS_P99_MS },
    { what: `${what}: management p99`, unit: 'ms', value: p99('management'), atMost: ANSWERS_P99_MS },
    { what: `${what}: 5xx or no answer`, value: failed, atMost: 0 },
    { what: `${what}: longest until a result is written`, unit: 'ms', value: settleMs, atMost: SETTLES_WITHIN_MS },
  ];
}

function isFault({ status }: { status: number }): boolean {
  return status >= 500 || status === 0;
}

/** Keeps `PATCHES` requests under way. Returns the count of each status. */
async function keepPatching(rig: Rig, { locked, patched }: Held, untilMs: number): Promise<string> {
  const counts: Record<number, number> = {};
  const base = `${rig.apis[0]?.url}/management/v1/workspaces/${locked.workspaceId}/endpoints`;
  const patch = async (_: unknown, n: number) => {
    for (let round = 0; Date.now() < untilMs; round += 1) {
      const asked = { token: locked.managementToken, body: { description: `${n} ${round}` }, withinMs: 60_000 };
      const { status } = await ask('PATCH', `${base}/${patched[n % patched.length]?.id}`, asked);
      counts[status] = (counts[status] ?? 0) + 1;
      await rig.elapsed(50);
    }
  };
  await Promise.all(Array.from({ length: PATCHES }, patch));
  return JSON.stringify(counts);
}

/**
 * The longest time from an endpoint's response until its result was in Postgres; Infinity if a result is missing. If
 * the first attempt is short, the first row of the delivery has the result.
 */
async function longestSettle(
  rig: Rig,
  { endpoints, fromMs, untilMs }: { endpoints: readonly Endpoint[]; fromMs: number; untilMs: number },
): Promise<number> {
  const uuids = endpoints.map(({ uuid }) => uuid);
  const rows = await rig.db.$queryRaw<{ event_id: string; endpoint_id: string; at_ms: number }[]>`
    select event_id, endpoint_id, extract(epoch from at)::float8 * 1000 as at_ms from fault_move
    where coalesce(was, 'delivering') = 'delivering' and is_now not in ('pending', 'delivering')
      and endpoint_id = any(${uuids}::uuid[])
    order by seq`;
  const names = new Map(endpoints.map(({ uuid, name }) => [uuid, name]));
  const writtenAtMs = new Map<string, number[]>();
  for (const { event_id, endpoint_id, at_ms } of rows) {
    const key = `${toId('msg', event_id)} ${names.get(endpoint_id)}`;
    writtenAtMs.set(key, [...(writtenAtMs.get(key) ?? []), at_ms]);
  }
  const known = new Set(names.values());
  const waits = rig.receivers.receipts
    .filter(({ endpoint }) => known.has(endpoint))
    .map((receipt) => ({ ...receipt, answeredMs: receipt.atMs + lateBy(receipt) }))
    .filter(({ answeredMs }) => answeredMs >= fromMs && answeredMs < untilMs)
    .map(({ eventId, endpoint, answeredMs }) => {
      const times = writtenAtMs.get(`${eventId} ${endpoint}`) ?? [];
      // A receiver records whole milliseconds, and its timers may fire one millisecond early.
      return (times.find((time) => time >= answeredMs - 5) ?? Number.POSITIVE_INFINITY) - answeredMs;
    });
  return Math.max(0, ...waits);
}
