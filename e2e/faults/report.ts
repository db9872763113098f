import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Shape } from './rig.ts';
import { type Row, shapeOfRow } from './row.ts';
import type { Result } from './run-row.ts';

/** The report of a run in the form in which it is stored. */
export type Report = { startedAt: string; commit: string; machine: string; results: readonly Result[] };

export function describeMachine(): string {
  return `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
}

/** The results as a table for a terminal. */
export function toTable(results: readonly Result[]): string {
  return layOut([HEADINGS, ...results.map(cellsOf)]);
}

/** The results as a table in Markdown, for e2e/faults/README.md. */
export function toMarkdown(results: readonly Result[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cells = results.map(({ row, fault, verdict, duplicatesAtMost, marks, ...result }) => [
    `\`${row}\``,
    fault,
    number(verdict?.accepted),
    verdict === undefined ? '–' : `${verdict.lost} / ${verdict.unexpected} / ${verdict.corrupt}`,
    verdict === undefined ? '–' : `${verdict.duplicates} ≤ ${duplicatesAtMost}`,
    time(verdict?.retryLateMs),
    marks.map(toWords).join(', '),
    ending(result, { passed: 'met', failed: '**missed**', knownToFail: 'known to fail' }),
  ]);
  return [MARKDOWN_HEADINGS, MARKDOWN_HEADINGS.map(() => '---'), ...cells].map(line).join('\n');
}

/**
 * The last full-size result of each row in the row's own shape, from all reports in the folder, in the order
 * of the rows.
 */
export function readLatest(
  folder: string,
  rows: readonly Pick<Row, 'name' | 'shapes' | 'rig'>[],
  wanted?: Shape,
): Result[] {
  const latest = new Map<string, Result>();
  const shapes = new Map(rows.map((row) => [row.name, shapeOfRow(row, wanted)]));
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  for (const file of files.sort()) {
    const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report;
    for (const result of report.results) {
      // Older reports name no shape.
      const { row, scale, shape = shapes.get(row) } = result;
      if (scale === 1 && shape === shapes.get(row)) latest.set(row, result);
    }
  }
  return rows.flatMap(({ name }) => latest.get(name) ?? []);
}

/** The rows that did not pass, and the reasons. */
export function toFaults(results: readonly Result[]): string {
  return results
    .filter((result) => !result.passed)
    .flatMap(({ row, seed, faults, verdict }) => [
      `${row} (--only ${row} --seed ${seed})`,
      ...[...faults, ...(verdict?.examples ?? [])].map((words) => `    ${words}`),
    ])
    .join('\n');
}

/** Writes the report as JSON and returns its path. */
export function writeReport(report: Report, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${report.startedAt.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

const MARKDOWN_HEADINGS = [
  'row',
  'fault',
  'accepted',
  'lost / unexpected / corrupt',
  'dup',
  'retry late',
  'own figures and marks',
  '',
];

const HEADINGS = [
  'row',
  'shape',
  'seed',
  'accepted',
  'delivered',
  'lost',
  'unexpected',
  'corrupt',
  'dup',
  'retry late',
  'recovery',
  'own figures',
  's',
  '',
];

function cellsOf({
  row,
  shape,
  seed,
  verdict,
  recoveryMs,
  duplicatesAtMost,
  marks,
  seconds,
  ...result
}: Result): string[] {
  return [
    row,
    shape,
    String(seed),
    number(verdict?.accepted),
    number(verdict?.delivered),
    number(verdict?.lost),
    number(verdict?.unexpected),
    number(verdict?.corrupt),
    verdict === undefined ? '–' : `${verdict.duplicates} ≤ ${duplicatesAtMost}`,
    time(verdict?.retryLateMs),
    time(recoveryMs),
    marks.map(toWords).join(', '),
    number(seconds),
    ending(result, { passed: 'PASS', failed: 'FAIL', knownToFail: 'KNOWN TO FAIL' }),
  ];
}

type Ending = Record<'passed' | 'failed' | 'knownToFail', string>;

function ending({ passed, failsToday, skipped }: Pick<Result, 'passed' | 'failsToday' | 'skipped'>, words: Ending) {
  if (skipped !== undefined) return `skipped: ${skipped}`;
  if (failsToday !== undefined) return words.knownToFail;
  return passed ? words.passed : words.failed;
}

function toWords({ what, unit, value, atMost, atLeast }: Result['marks'][number]): string {
  const show = (one: number) => (unit === 'ms' ? time(one) : String(Number(one.toFixed(1))));
  if (atMost !== undefined) return `${what} ${show(value)} ≤ ${show(atMost)}`;
  return atLeast === undefined ? `${what} ${show(value)}` : `${what} ${show(value)} ≥ ${show(atLeast)}`;
}

function number(value: number | undefined): string {
  return value === undefined ? '–' : String(Math.round(value));
}

function time(ms: number | undefined): string {
  if (ms === undefined) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function layOut(lines: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
