import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine, readLatest, toFaults, toMarkdown, toTable, writeReport } from './report.ts';
import type { Shape } from './rig.ts';
import { type Row, SHAPES, shapeOfRow } from './row.ts';
import { soakRow } from './rows/soak.ts';
import { rows } from './rows.ts';
import { type Result, runRow } from './run-row.ts';

// `npm run faults`: runs the rows one after another, prints a table and writes it as JSON. Exits with 1 if a row fails.

// The path is relative to dist, where the compiled file is.
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RESULTS = join(ROOT, 'e2e/faults/results');
const USAGE = `npm run faults -- [--only <row>[,<row>]] [--seed <n>] [--scale <share>] [--shape <shape>] [--list] [--markdown]
  --only      these rows, by name, or by how their names begin
  --seed      draws the times, victims, sizes and failing endpoints; a number of its own for each row when left out
  --scale     a share of the events, such as 0.1
  --shape     scaled (default), postgres: the same services with Postgres alone, or one: two processes that are both;
              the rows that mean nothing in it are left out
  --list      names the rows, with their shapes
  --markdown  runs nothing and prints the last whole result of each row, for e2e/faults/README.md

npm run soak -- [--minutes <n>] [--seed <n>] [--shape <shape>]
  --minutes   steady load for this time, with a random fault every 20 s (60)`;

process.exitCode = await main();
// The open channel to the parent, which runs the stores, would keep this process alive.
process.disconnect?.();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seed: { type: 'string' },
      scale: { type: 'string', default: '1' },
      shape: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(USAGE);
  const shape = shapeOf(values.shape);
  const wanted = (values.soak ? [soakRow(minutesOf(values.minutes), shape)] : pickRows(values.only)).filter(
    (row) => shapeOfRow(row, shape) !== undefined,
  );
  if (values.list) return print(wanted.map(describe).join('\n'));
  if (values.markdown) return print(toMarkdown(readLatest(RESULTS, wanted, shape)));
  const results = await runRows(wanted, { seed: values.seed, scale: Number(values.scale), shape });
  print(`\n${toTable(results)}\n`);
  return results.every((result) => result.passed) ? 0 : 1;
}

/** Runs the rows one after another and writes the report after each, so that an interrupted run keeps its results. */
async function runRows(
  wanted: readonly Row[],
  given: { seed: string | undefined; scale: number; shape: Shape | undefined },
): Promise<Result[]> {
  const about = { startedAt: new Date().toISOString(), commit: commit(), machine: describeMachine() };
  const results: Result[] = [];
  for (const row of wanted) {
    const seed = given.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(given.seed);
    print(`${row.name}: ${row.fault} (seed ${seed})`);
    const say = (line: string) => void print(`    ${line}`);
    const rig = given.shape === undefined ? {} : { shape: given.shape };
    const result = await runRow(row, { seed, scale: given.scale, say, logs: join(RESULTS, 'logs'), rig });
    results.push(result);
    const { passed, skipped, seconds } = result;
    const ended = skipped === undefined ? (passed ? 'PASS' : 'FAIL') : `skipped, because ${skipped};`;
    say(`${ended} in ${seconds} s, ${writeReport({ ...about, results }, RESULTS)}`);
    if (!result.passed) print(toFaults([result]));
  }
  return results;
}

function describe({ name, fault, pass, shapes = SHAPES }: Row): string {
  return `${name.padEnd(28)} ${shapes.join(', ').padEnd(21)} ${fault}: ${pass}`;
}

function pickRows(only: string | undefined): readonly Row[] {
  if (only === undefined) return rows;
  const names = only.split(',');
  const picked = rows.filter((row) => names.some((name) => row.name === name || row.name.startsWith(`${name}-`)));
  if (picked.length === 0) throw new Error(`no row is called ${only}; --list names them`);
  return picked;
}

function shapeOf(given: string | undefined): Shape | undefined {
  if (given === undefined || given === 'scaled' || given === 'postgres' || given === 'one') return given;
  throw new Error('--shape must be scaled, postgres or one');
}

function minutesOf(given: string): number {
  const minutes = Number(given);
  if (minutes > 0 && minutes <= 1_440) return minutes;
  throw new Error('--minutes must be a number of at most 1440');
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown'; // Not a Git checkout.
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
