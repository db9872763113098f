import { waitFor } from '@posthorn/testkit/wait-for';
import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { addOtherWorkspace, type OtherWorkspace } from './other-workspace.ts';
import { residentMb } from './process-watch.ts';
import { startsOf } from './starts.ts';

const TENANTS = 50;
const PER_SECOND = 10;
/** Enough for 400 events at each endpoint of the other tenant, so that p99 lies above the second-slowest event. */
const SECONDS = 80;
/** The time between two events of a tenant. */
const EVERY_MS = 2_000;
/** The schedule is longer than the row, so that every hostile delivery has retries left when its code is corrected. */
const RETRIES = Array.from({ length: 12 }, (_, n) => 5 + 5 * n);
const WARM_UP_EVENTS = 2_000;
/** The smallest difference to judge: on a fast machine, a fifth is less than the resolution of the clocks. */
const GRAIN_MS = 10;
const RESIDENT_AT_MOST_MB = 400;
/** Each process has its own lanes. Three processes on two cores would compute three times as much. */
const DISPATCHERS = 1;

const QUICK = 'function transform(event) { return { body: event.body }; }';

/** Code of tenants who want to hold up, fill or break the others. */
const HOSTILE = [
  'for (;;);',
  'const a = []; for (;;) a.push(new Array(1000).fill(1));',
  '/(a+)+$/.test("a".repeat(40) + "b");',
  'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
  '(function f() { return f() + 1; })();',
].map((body) => `function transform() { ${body} return { data: 1 }; }`);

export const transformationRows: readonly Row[] = [
  {
    name: 'transformation-hostile',
    fault: `the transformations of ${TENANTS} tenants begin to loop, fill memory or recurse without end, in every delivery`,
    pass: `p99 start of another tenant ≤ 1.2 of before, when the same tenants sent as much, with and without a transformation of its own; a dispatcher has ≤ ${RESIDENT_AT_MOST_MB} MiB; corrected code delivers all`,
    withinMinutes: 14,
    rig: { endpoints: 1, apis: 1, dispatchers: DISPATCHERS, gates: false },
    run: transformForEver,
  },
];

async function transformForEver(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const plain = await rig.addEndpoint({ name: 'plain', loaded: false });
  const config = { transformation: { language: 'javascript', code: QUICK } };
  const transformed = await rig.addEndpoint({ name: 'transformed', loaded: false, config });
  const to = [plain, transformed].map(({ eventType, name }) => ({ eventType, endpoints: [name] }));
  await rig.load.burst(scaled(WARM_UP_EVENTS), { to });
  await rig.drain();
  const seconds = Math.max(5, scaled(SECONDS));
  const hostile = await addHostile(rig, random);
  const loadAll = async () => {
    await Promise.all([
      rig.load.steady(PER_SECOND, seconds, { to }),
      ...hostile.map(async ({ load }, n) => {
        // Otherwise all tenants would send at the same time.
        await rig.elapsed((n * EVERY_MS) / TENANTS);
        await load.steady(1_000 / EVERY_MS, seconds);
      }),
    ]);
  };
  await loadAll();
  await rig.drain();
  const before = await startsDuring(rig, loadAll);
  const answerAll = (status: number) => {
    for (const { name } of hostile) rig.receivers.respond(name, () => ({ status }));
  };
  // For comparison: the cost of the same attempts and retries without hostile code.
  answerAll(500);
  const refused = await startsDuring(rig, loadAll);
  answerAll(200);
  await rig.drain(5 * 60_000);
  await Promise.all(hostile.map(({ write }, n) => write(HOSTILE[n % HOSTILE.length])));
  const during = await startsDuring(rig, loadAll);
  // The memory is read from outside, because reading a dispatcher's metrics would delay its work.
  const mostMb = Math.max(...rig.dispatchers.map((dispatcher) => residentMb(dispatcher.pid() ?? 0, 'highWater')));
  await Promise.all(hostile.map(({ write }) => write(undefined)));
  const drainMs = await rig.drain(5 * 60_000);
  say(`every hostile delivery arrived ${Math.round(drainMs)} ms after its code was corrected`);
  const marks: Outcome['marks'] = [];
  for (const name of ['plain', 'transformed'] as const) {
    const p99 = (starts: Starts) => quantile(starts[name], 0.99);
    const [was, is] = [p99(before), p99(during)];
    marks.push({ what: `${name}: p99 start before`, unit: 'ms', value: was });
    marks.push({ what: `${name}: p99 start while the same tenants answer 500`, unit: 'ms', value: p99(refused) });
    marks.push({ what: `${name}: p99 start`, unit: 'ms', value: is, atMost: Math.max(1.2 * was, was + GRAIN_MS) });
  }
  marks.push({ what: 'dispatcher resident, MiB', value: mostMb, atMost: RESIDENT_AT_MOST_MB });
  return { duplicatesAtMost: 0, retriesLateAtMostMs: 120_000, marks };
}

type Starts = Record<'plain' | 'transformed', number[]>;

/** The times from the acceptance of an event to its request, for the events that `load` sends. */
async function startsDuring(rig: Rig, load: () => Promise<void>): Promise<Starts> {
  const fromMs = Date.now();
  await load();
  await rig.elapsed(1_000);
  return { plain: startsOf(rig, 'plain', { fromMs }), transformed: startsOf(rig, 'transformed', { fromMs }) };
}

type Hostile = Pick<OtherWorkspace, 'load'> & {
  /** The name of the endpoint. */
  name: string;
  /** Replaces the code of the tenant's endpoint, or removes it. */
  write: (code: string | undefined) => Promise<void>;
};

/** Adds tenants with one endpoint each. Their code is quick at first. */
async function addHostile(rig: Rig, random: Tools['random']): Promise<Hostile[]> {
  const hostile: Hostile[] = [];
  for (let n = 0; n < TENANTS; n += 1) {
    const { client, load, addEndpoint } = await addOtherWorkspace(rig, random.fork(`hostile ${n}`));
    const configWith = (code: string | undefined) => ({
      retrySchedule: RETRIES,
      ...(code === undefined ? {} : { transformation: { language: 'javascript', code } }),
    });
    const name = `hostile-${n}`;
    const { id } = await addEndpoint({ name, config: configWith(QUICK) });
    const write = async (code: string | undefined) => {
      const written = async () => {
        const { status, body } = await client.call('PATCH', `/endpoints/${id}`, { config: configWith(code) });
        if (status !== 200) throw new Error(`a PATCH answered ${status}: ${JSON.stringify(body)}`);
        return true;
      };
      await waitFor(written, { what: 'the new code', timeoutMs: 60_000 });
    };
    hostile.push({ name, load, write });
  }
  return hostile;
}
