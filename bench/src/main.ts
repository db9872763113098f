import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withConnection } from '@posthorn/db/connection';
import { testRedis } from '@posthorn/testkit/database';
import { Redis } from 'ioredis';
import { percentile } from './figures.ts';
import { type Judged, judge } from './marks.ts';
import { figuresTable, plainTable, type Report, writeReport } from './report.ts';
import { type Outcome, type Scenario, SHAPES, type Shape } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { endAllServices } from './service-process.ts';
import { measureCheckout } from './stack.ts';

/** The number of rounds. Their median is reported. */
const ROUNDS = 3;
const NOTHING: Judged = { scenario: '', figure: '', value: Number.NaN, unit: '' };

const USAGE = `npm run bench -- [--only <scenario>[,<scenario>…]] [--seconds <N>] [--shape <shape>] [--against <folder or shape>] [--docs] [--list]
  --only     measures these alone
  --seconds  how long a figure is counted, apart from its warm-up (10)
  --shape    scaled (the default), postgres: without Redis, or one: without Redis, in one process
  --against  measures each scenario three times as told and three times with the services of another checkout that is built,
             or in another shape, in turns, and compares the medians
  --docs     also writes the run to docs/benchmarks: JSON and pictures
  --list     says what there is`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAllServices();
    process.exit(130);
  });
}
process.exit(await main());

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return usage();
  if (options.list) return list();
  const report: Report = {
    at: new Date().toISOString(),
    seconds: options.seconds,
    stores: await storeVersions(),
    figures: [],
    tables: [],
    plots: {},
    failed: {},
  };
  for (const scenario of options.chosen) {
    const { shape, against } = options;
    if (against === undefined) await measure(scenario, report, shape);
    else await compare(scenario, report, { name: `this checkout, ${shape}`, folder: undefined, shape }, against);
    writeReport(report, { toDocs: false });
  }
  const file = writeReport(report, { toDocs: options.docs });
  process.stdout.write(`\n${figuresTable(report.figures)}\n`);
  for (const table of report.tables) process.stdout.write(`\n${plainTable(table)}\n`);
  process.stdout.write('\n');
  say('bench', `written to ${file}`);
  for (const [name, why] of Object.entries(report.failed)) say(name, `FAILED: ${why}`);
  return Object.keys(report.failed).length === 0 ? 0 : 1;
}

/** One of the two variants that `--against` compares. */
type Variant = {
  name: string;
  /** The folder of a checkout; undefined for this one. */
  folder: string | undefined;
  shape: Shape;
};

type Options = {
  chosen: readonly Scenario[];
  seconds: number;
  shape: Shape;
  against: Variant | undefined;
  docs: boolean;
  list: boolean;
};

/** The options; undefined if they are invalid. */
function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        seconds: { type: 'string', default: '10' },
        shape: { type: 'string', default: 'scaled' },
        against: { type: 'string' },
        docs: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    });
    const names = values.only?.split(',') ?? scenarios.map(({ name }) => name);
    const chosen = names.map((name) => scenarios.find((scenario) => scenario.name === name));
    const seconds = Number(values.seconds);
    const shape = shapeOf(values.shape);
    if (chosen.includes(undefined) || shape === undefined || !(seconds >= 1 && seconds <= 600)) return undefined;
    const against = values.against === undefined ? undefined : variantOf(values.against, shape);
    const { folder } = against ?? {};
    if (folder !== undefined && !existsSync(join(folder, 'services/api/bundle/main.js'))) {
      process.stderr.write(`${folder} is neither a shape nor a built checkout: services/api/bundle is missing\n`);
      return undefined;
    }
    const { docs, list } = values;
    return { chosen: chosen.filter((one) => one !== undefined), seconds, shape, against, docs, list };
  } catch {
    return undefined; // An unknown option.
  }
}

function usage(): number {
  process.stderr.write(`${USAGE}\n\n`);
  list();
  return 2;
}

function list(): number {
  for (const { name, what } of scenarios) process.stdout.write(`${name.padEnd(12)} ${what}\n`);
  return 0;
}

function shapeOf(word: string): Shape | undefined {
  return SHAPES.find((shape) => shape === word);
}

function variantOf(word: string, shape: Shape): Variant {
  const other = shapeOf(word);
  return other === undefined
    ? { name: word, folder: resolve(word), shape }
    : { name: word, folder: undefined, shape: other };
}

/** Measures a scenario in the own and another variant in turns, and reports the medians of both beside each other. */
async function compare(scenario: Scenario, report: Report, own: Variant, against: Variant): Promise<void> {
  const variants = { own, other: against };
  const rounds: { own: Report; other: Report }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = { own: emptyLike(report), other: emptyLike(report) };
    // The machine may behave differently for the second side of a round, so the sides take turns to be second.
    for (const side of round % 2 === 0 ? (['other', 'own'] as const) : (['own', 'other'] as const)) {
      const { name, folder, shape } = variants[side];
      say(scenario.name, `round ${round + 1}, ${name}`);
      measureCheckout(folder);
      await measure(scenario, both[side], shape);
    }
    rounds.push(both);
  }
  measureCheckout(undefined);
  const [first] = rounds;
  if (first === undefined) return;
  for (const { own, other } of rounds) Object.assign(report.failed, own.failed, other.failed);
  report.tables.push(...(rounds.at(-1)?.own.tables ?? []));
  const medianOf = (side: 'own' | 'other', name: string, of: (figure: Judged) => number | undefined) =>
    percentile(
      rounds.flatMap((round) => of(round[side].figures.find(({ figure }) => figure === name) ?? NOTHING) ?? []),
      50,
    );
  const rows = first.own.figures.map(({ figure, unit, ratio }) => {
    const [value, before] = [
      medianOf('own', figure, (one) => one.value),
      medianOf('other', figure, (one) => one.value),
    ];
    const ofBare = (side: 'own' | 'other') =>
      ratio === undefined ? '' : medianOf(side, figure, (one) => one.ratio).toFixed(2);
    return [figure, value, before, (value / before).toFixed(2), unit, ofBare('own'), ofBare('other')];
  });
  const columns = ['figure', 'this', 'against', 'ratio', 'unit', 'of bare', 'of bare, against'];
  report.tables.unshift({
    scenario: scenario.name,
    title: `${scenario.name}: medians of ${ROUNDS} rounds in turns`,
    columns,
    rows,
  });
}

function emptyLike({ at, seconds, stores }: Report): Report {
  return { at, seconds, stores, figures: [], tables: [], plots: {}, failed: {} };
}

/** Measures one scenario within its time limit; if it fails, the others are still measured. */
async function measure({ name, run, moreSeconds = 0 }: Scenario, report: Report, shape: Shape): Promise<void> {
  const noted: Outcome['figures'] = [];
  const { seconds } = report;
  const withinMs = 1_000 * (180 + 20 * seconds + moreSeconds);
  const timer = { handle: setTimeout(() => {}, 0) };
  const late = new Promise<never>((_, reject) => {
    timer.handle = setTimeout(() => reject(new Error(`did not end within ${withinMs / 1_000} s`)), withinMs);
  });
  try {
    say(name, 'begins');
    const context = { shape, seconds, say: (words: string) => say(name, words), note: noted.push.bind(noted) };
    const { figures, plot, tables = [] } = await Promise.race([run(context), late]);
    report.figures.push(...[...figures, ...noted].map((figure) => judge(name, figure)));
    report.tables.push(...tables.map((table) => ({ scenario: name, ...table })));
    if (plot !== undefined) report.plots[name] = plot;
  } catch (error) {
    endAllServices();
    // A report may be published, and a stack trace would show the paths of this machine.
    report.failed[name] = error instanceof Error ? error.message : String(error);
    say(name, `failed: ${error instanceof Error ? error.stack : error}`);
  } finally {
    clearTimeout(timer.handle);
  }
}

async function storeVersions(): Promise<Record<string, string>> {
  const { redisUrl } = testRedis();
  const redis = new Redis(redisUrl);
  const info = await redis.info('server');
  redis.disconnect();
  const postgres = await withConnection(process.env.TEST_DATABASE_URL ?? '', async (connection) => {
    const { rows } = await connection.query<Record<'version' | 'synchronous', string>>(
      "select current_setting('server_version') as version, current_setting('synchronous_commit') as synchronous",
    );
    return `${rows[0]?.version}, synchronous_commit=${rows[0]?.synchronous}`;
  });
  return { postgres, redis: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown' };
}

function say(part: string, words: string): void {
  const seconds = Math.round(process.uptime());
  const at = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  process.stderr.write(`${at.padStart(5)}  ${part.padEnd(12)} ${words}\n`);
}
