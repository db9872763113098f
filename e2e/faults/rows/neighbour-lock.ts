import { toId } from '@posthorn/contract/ids';
import { type LockingStatement, whileLocked } from '@posthorn/testkit/row-lock';
import { quantile } from '../oracle.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { uuidOf } from './interface-things.ts';
import { addOtherWorkspace, type OtherWorkspace } from './other-workspace.ts';
import { answerTimes, type Probe, startProbes } from './probes.ts';

const PATCHES = 12;
/** Longer than a statement waits for a lock. */
const HELD_SECONDS = 20;
const PER_SECOND = 20;
const FAILING_PER_SECOND = 4;
const PROBE_EVERY_MS = 100;
const ANSWERS_P99_MS = 1_000;
const SETTLES_WITHIN_MS = 2_000;

export const neighbourLock: Row = {
  name: 'neighbour-lock',
  fault: `another session locks a row of one workspace for ${HELD_SECONDS} s (the head of its audit chain, then an endpoint) while ${PATCHES} of its PATCHes wait`,
  pass: 'ingest and management of other workspaces p99 ≤ 1 s, no 5xx; their results are written ≤ 2 s after',
  rig: { apis: 1, dispatchers: 1 },
  run: lockNeighbour,
};

async function lockNeighbour(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const others = [...rig.endpoints];
  const locked = await addOtherWorkspace(rig, random);
  const workspace = uuidOf('ws', locked.workspaceId);
  const heldMs = Math.max(12, scaled(HELD_SECONDS)) * 1_000;
  const marks: Mark[] = [];
  const hold = async (what: string, { lock, patched }: Pick<Held, 'lock' | 'patched'>) => {
    const held = { locked, others, what, heldMs, lock, patched };
    marks.push(...(await watchOthers(rig, held, say)));
    await rig.drain();
  };
  await rig.load.steady(PER_SECOND, 3);
  // A PATCH that waits for the head of the chain has locked its endpoint itself.
  const patched = await addFailing(locked, 'chain');
  await hold('chain', {
    patched,
    lock: { sql: 'select 1 from audit_chain where workspace_id = $1 for update', values: [workspace] },
  });
  const [endpoint] = await addFailing(locked, 'row');
  if (endpoint === undefined) throw new Error('there is no endpoint');
  await hold('endpoint', {
    patched: [endpoint],
    lock: { sql: 'update endpoint set updated_at = updated_at where id = $1', values: [endpoint.uuid] },
  });
  return { duplicatesAtMost: 0, marks };
}

/** The first failure of an endpoint is entered in a row that refers to it. */
async function addFailing(locked: OtherWorkspace, prefix: string): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < PATCHES; n += 1) {
    const behaviour = ({ attempt }: { attempt: number }) => ({ status: attempt === 1 ? 500 : 200 });
    endpoints.push(await locked.addEndpoint({ name: `${prefix}-${n}`, behaviour }));
  }
  return endpoints;
}

type Held = {
  locked: OtherWorkspace;
  /** The endpoints of the workspace that nobody locks. */
  others: readonly Endpoint[];
  /** For the marks. */
  what: string;
  lock: LockingStatement;
  /** The PATCHes change these in turn. */
  patched: readonly Endpoint[];
  heldMs: number;
};

/** Holds the lock under load of both workspaces, PATCHes of the locked one waiting all the time. */
async function watchOthers(rig: Rig, held: Held, say: Tools['say']): Promise<Mark[]> {
  const { locked, others, what, lock, heldMs } = held;
  const [api] = rig.apis;
  if (api === undefined) throw new Error('there is no API');
  const answersBefore = rig.load.answers.length;
  const underWay: Promise<unknown>[] = [];
  const probes = await whileLocked(rig.databaseUrl, lock, async () => {
    const untilMs = Date.now() + heldMs;
    underWay.push(keepPatching(rig, held, untilMs).then((statuses) => say(`${what}: PATCHes answered ${statuses}`)));
    // They have reached the lock.
    await rig.elapsed(500);
    const started = startProbes(rig, { api, to: others, everyMs: PROBE_EVERY_MS });
    const seconds = heldMs / 1_000 - 1;
    underWay.push(rig.load.steady(PER_SECOND, seconds), locked.load.steady(FAILING_PER_SECOND, seconds));
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
  const settleMs = await longestSettle(rig, { endpoints: others, fromMs: untilMs - heldMs, untilMs });
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

/** So many PATCHes at a time; answers how many got which status. */
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

/** The longest that a request to one of the endpoints waited until its result was in Postgres; Infinity where none is. */
async function longestSettle(
  rig: Rig,
  { endpoints, fromMs, untilMs }: { endpoints: readonly Endpoint[]; fromMs: number; untilMs: number },
): Promise<number> {
  const uuids = endpoints.map(({ uuid }) => uuid);
  const rows = await rig.db.$queryRaw<{ event_id: string; endpoint_id: string; at_ms: number }[]>`
    select event_id, endpoint_id, extract(epoch from at)::float8 * 1000 as at_ms from fault_move
    where was = 'delivering' and is_now <> 'delivering' and endpoint_id = any(${uuids}::uuid[]) order by seq`;
  const names = new Map(endpoints.map(({ uuid, name }) => [uuid, name]));
  const writtenAtMs = new Map<string, number[]>();
  for (const { event_id, endpoint_id, at_ms } of rows) {
    const key = `${toId('msg', event_id)} ${names.get(endpoint_id)}`;
    writtenAtMs.set(key, [...(writtenAtMs.get(key) ?? []), at_ms]);
  }
  const known = new Set(names.values());
  const waits = rig.receivers.receipts
    .filter(({ endpoint, atMs }) => known.has(endpoint) && atMs >= fromMs && atMs < untilMs)
    .map(({ eventId, endpoint, atMs }) => {
      const times = writtenAtMs.get(`${eventId} ${endpoint}`) ?? [];
      // A receiver tells whole milliseconds.
      return (times.find((time) => time >= atMs - 2) ?? Number.POSITIVE_INFINITY) - atMs;
    });
  return Math.max(0, ...waits);
}
