import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, percentile } from '../figures.ts';
import { type Burst, burst, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { postSteadily } from '../load.ts';
import { cpuSeconds, residentMib } from '../processes.ts';
import type { Receivers } from '../receivers.ts';
import { sampleEvery } from '../sample.ts';
import { type Context, type Outcome, type Scenario, SHAPES, type Shape } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Side, type Sides, withSides } from '../sides.ts';
import type { Stack } from '../stack.ts';
import { countStatements, statementsOf, statementsTable } from '../statements.ts';
import { latencies } from './latency.ts';

const PER_SECOND = 50;
const SAMPLE_MS = 200;
/** Memory is read again this long after the last event. */
const REST_MS = 5_000;
/** Long enough for an idle process to make each of its rounds a few times. */
const IDLE_SECONDS = 20;
/** How often each shape is measured, half of the times in reverse order. */
const ROUNDS = 4;

export const shapes: Scenario = {
  name: 'shapes',
  what: 'the bare pipeline and the three shapes of Posthorn in turns: a lone event, full rate, memory, and at rest',
  moreSeconds: 300,
  run: (context) => withShapes(context, {}, SHAPES, (sides) => measure(context, sides)),
};

/** Each shape has a database of its own, at the same Postgres. */
type AllSides = Partial<Record<Shape, Sides>>;

/** Starts the shapes one after another. While one is measured the others rest, which costs almost nothing. */
async function withShapes<T>(
  context: Context,
  begun: AllSides,
  [next, ...others]: readonly Shape[],
  work: (sides: Required<AllSides>) => Promise<T>,
): Promise<T> {
  if (next === undefined) return work(begun as Required<AllSides>);
  const prepare = ({ databaseUrl }: Stack) => countStatements(databaseUrl);
  const withNext = (sides: Sides) => withShapes(context, { ...begun, [next]: sides }, others, work);
  return withSides({ ...context, shape: next }, { consumers: true, prepare }, withNext);
}

type Measured = {
  side: Side;
  receivers: Receivers;
  answered: number[];
  arrived: number[];
  missing: number;
  bursts: Burst[];
  peakMib: number;
};

async function measure({ seconds, say, note }: Context, all: Required<AllSides>): Promise<Outcome> {
  const begin = (side: Side, receivers: Receivers): Measured => ({
    ...{ side, receivers, answered: [], arrived: [], missing: 0, bursts: [], peakMib: 0 },
  });
  const bare = begin(all.scaled.bare, all.scaled.receivers);
  const own = SHAPES.map((shape) => ({ shape, ...begin(all[shape].posthorn, all[shape].receivers) }));
  const named = [{ name: 'bare', of: bare }, ...own.map((of) => ({ name: of.shape, of }))];
  for (const { shape, side } of own) noteMemory(note, shape, side, 'at rest, new');
  for (const { of } of named) await burst({ ...of.side, receivers: of.receivers, seconds: WARM_UP_SECONDS });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, of } of round % 2 === 0 ? named : named.toReversed()) {
      say(`${name}, a lone event`);
      await measureLone(of, seconds / 2);
    }
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, of } of round % 2 === 0 ? named : named.toReversed()) {
      say(`${name}, full rate`);
      await measureFull(of, seconds / 2);
    }
  }
  for (const { shape, side, peakMib } of own) {
    noteMemory(note, shape, side, `${REST_MS / 1_000} s after full rate`);
    note({ figure: `${shape}: resident in all, peak`, value: peakMib, unit: 'MiB' });
  }
  const tables = [];
  for (const { shape } of own) {
    say(`${shape}, at rest`);
    const idle = await atRest(all[shape]);
    for (const figure of idle.figures) note({ ...figure, figure: `${shape}, at rest: ${figure.figure}` });
    tables.push(statementsTable(`Statements of ${shape} at rest, a second`, idle.statements, IDLE_SECONDS));
  }
  const scaled = own.find(({ shape }) => shape === 'scaled') ?? bare;
  return { figures: own.flatMap((one) => figuresOf(one, { bare, scaled })), tables };
}

async function measureLone(of: Measured, seconds: number): Promise<void> {
  await postSteadily(of.side.ingest, PER_SECOND, LEAD_IN_SECONDS);
  const times = await latencies(of.side, { receivers: of.receivers, perSecond: PER_SECOND, seconds });
  of.answered.push(...times.answered);
  of.arrived.push(...times.arrived);
  of.missing += times.missing;
}

async function measureFull(of: Measured, seconds: number): Promise<void> {
  const { side, receivers } = of;
  await burst({ ...side, receivers, seconds: LEAD_IN_SECONDS });
  const memory = sampleEvery(SAMPLE_MS, () => residentOf(side));
  of.bursts.push(await burst({ ...side, receivers, seconds }));
  of.peakMib = Math.max(of.peakMib, memory.stop().peak());
  await pause(REST_MS);
}

function figuresOf(own: Measured & { shape: Shape }, { bare, scaled }: { bare: Measured; scaled: Measured }): Figure[] {
  const [full, ofBare, ofScaled] = [together(own.bursts), together(bare.bursts), together(scaled.bursts)];
  const cpu = ({ cpuPerEvent }: typeof full) =>
    [...cpuPerEvent].reduce((sum, [name, used]) => (name.endsWith('other threads') ? sum : sum + used), 0);
  const times = (name: string, of: (one: Measured) => number[]) =>
    [50, 99].map((p) => ({
      figure: `${own.shape}: ${name} p${p}`,
      value: percentile(of(own), p),
      unit: 'ms',
      bare: percentile(of(bare), p),
    }));
  return [
    ...times('ingest answer', ({ answered }) => answered),
    ...times('accept → receiver', ({ arrived }) => arrived),
    { figure: `${own.shape}: not arrived`, value: own.missing + full.lost, unit: '' },
    ...(
      [
        ['delivered', '/s', full.deliveredPerSecond, ofBare.deliveredPerSecond],
        ['CPU of an event, stores included', 'µs', cpu(full), cpu(ofBare)],
      ] as const
    ).map(([name, unit, value, beside]) => ({ figure: `${own.shape}: ${name}`, value, unit, bare: beside })),
    ...[...full.cpuPerEvent].map(([name, value]) => ({
      figure: `${own.shape}: CPU ${name}, an event`,
      value,
      unit: 'µs',
    })),
    ...(own.side === scaled.side
      ? []
      : [
          {
            figure: `${own.shape}: delivered, against scaled`,
            value: full.deliveredPerSecond / ofScaled.deliveredPerSecond,
            unit: '×',
          },
          { figure: `${own.shape}: CPU of an event, against scaled`, value: cpu(full) / cpu(ofScaled), unit: '×' },
        ]),
    { figure: `${own.shape}: API ready`, value: own.side.api.readyAfterMs, unit: 'ms' },
  ];
}

/** The statements and the CPU of an idle shape. */
async function atRest({ stack, posthorn }: Sides) {
  const postgres = stack.stores.filter(({ name }) => name === 'postgres');
  const used = () => [...cpuSeconds(postgres).values()].reduce((sum, seconds) => sum + seconds, 0);
  const before = used();
  const statements = await statementsOf(stack.databaseUrl, () => pause(1_000 * IDLE_SECONDS));
  const perSecond = (of: (statement: (typeof statements)[number]) => number) =>
    statements.reduce((sum, statement) => sum + of(statement), 0) / IDLE_SECONDS;
  const processes = servicesOf(posthorn).length;
  const figures: Figure[] = [
    {
      figure: `statements of ${processes === 1 ? 'one process' : `${processes} processes`}`,
      value: perSecond(({ calls }) => calls),
      unit: '/s',
    },
    {
      figure: 'time of its statements in Postgres',
      value: perSecond(({ milliseconds }) => milliseconds),
      unit: 'ms/s',
    },
    {
      figure: 'CPU of Postgres, the other shapes at rest included',
      value: (1_000 * (used() - before)) / IDLE_SECONDS,
      unit: 'ms/s',
    },
    { figure: 'WAL', value: perSecond(({ walBytes }) => walBytes), unit: 'B/s' },
  ];
  return { figures, statements };
}

function noteMemory(note: Context['note'], shape: Shape, side: Side, when: string): void {
  note({ figure: `${shape}: resident in all, ${when}`, value: residentOf(side) ?? Number.NaN, unit: 'MiB' });
}

function residentOf(side: Side): number | undefined {
  return servicesOf(side).reduce<number | undefined>((sum, { pid }) => {
    const mib = residentMib(pid);
    return sum === undefined || mib === undefined ? undefined : sum + mib;
  }, 0);
}

function servicesOf({ api, dispatcher }: Side): ServiceProcess[] {
  return dispatcher === undefined ? [api] : [api, dispatcher];
}
