import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from './figures.ts';
import type { Judged } from './marks.ts';
import { drawPlot, type Plot } from './plot.ts';
import type { Table } from './scenario.ts';

/** The results of one run. */
export type Report = {
  /** When it began. */
  at: string;
  seconds: number;
  stores: Record<string, string>;
  figures: Judged[];
  tables: (Table & { scenario: string })[];
  plots: Record<string, Plot>;
  /** The scenarios that could not be measured, and the reasons. */
  failed: Record<string, string>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Writes the run to `bench/results` as JSON, with a picture for each scenario; returns the file's path. A later call with
 * the same run replaces the file, so call it after each scenario: a run takes an hour and may be cut off.
 */
export function writeReport(report: Report, options: { toDocs: boolean }): string {
  const { at, ...measured } = report;
  const name = at.replaceAll(':', '-').slice(0, 19);
  const folder = join(root, 'bench/results');
  mkdirSync(folder, { recursive: true });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memoryGib: Math.round(totalmem() / 2 ** 30) };
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const file = join(folder, `${name}.json`);
  const whole = { at, version, ...commit(), node: process.version, machine, ...measured };
  writeFileSync(file, `${JSON.stringify(whole, rounded, 2)}\n`);
  const pictures = Object.entries(report.plots).map(([scenario, plot]) => ({ scenario, svg: drawPlot(plot) }));
  for (const { scenario, svg } of pictures) writeFileSync(join(folder, `${name}-${scenario}.svg`), svg);
  if (options.toDocs) {
    const docs = join(root, 'docs/benchmarks');
    mkdirSync(docs, { recursive: true });
    // The pictures are files in the same folder.
    const { plots: _drawn, ...told } = whole;
    writeFileSync(join(docs, 'run.json'), `${JSON.stringify(told, rounded, 2)}\n`);
    for (const { scenario, svg } of pictures) writeFileSync(join(docs, `${scenario}.svg`), svg);
  }
  return file;
}

/** The figures as a table for people. */
export function figuresTable(figures: readonly Judged[]): string {
  return aligned(
    ['scenario', 'figure', 'Posthorn', 'bare', 'ratio', 'unit', 'mark', ''],
    figures.map((one) => [
      one.scenario,
      one.figure,
      format(one.value),
      one.bare === undefined ? '' : format(one.bare),
      one.ratio === undefined || !Number.isFinite(one.ratio) ? '' : one.ratio.toFixed(2),
      one.unit,
      one.mark ?? '',
      one.verdict ?? '',
    ]),
  );
}

/** One of the longer tables, for people. */
export function plainTable({ title, columns, rows }: Table): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? format(cell) : cell)));
  return `${title}\n${aligned(columns, cells)}`;
}

function aligned(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const isNumber = columns.map((_, index) => rows.some((row) => /\d$/.test(row[index] ?? '')) && index > 0);
  const numbers = columns.map(
    (_, index) => isNumber[index] === true && rows.every((row) => /^[\d.,–-]*$/.test(row[index] ?? '')),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (numbers[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(columns), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The measured commit; null outside a Git checkout. */
function commit(): { commit: string | null; changed: boolean } {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return { commit: git('rev-parse', 'HEAD'), changed: git('status', '--porcelain') !== '' };
  } catch {
    return { commit: null, changed: false };
  }
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}
