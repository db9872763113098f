import { parseArgs } from 'node:util';

type Option = { least: number; most: number; whole?: true; byDefault?: number; words: string };

const OPTIONS = {
  events: { least: 0.001, most: 10_000_000, words: 'events accepted a second, at the peak' },
  'fan-out': { least: 0, most: 10_000, byDefault: 1, words: 'endpoints that an event is delivered to, on average' },
  attempts: { least: 1, most: 20, byDefault: 1, words: 'attempts of a delivery, on average' },
  payload: { least: 0, most: 1_048_576, whole: true, byDefault: 500, words: 'bytes of a payload' },
  'retention-days': { least: 4, most: 90, whole: true, byDefault: 7, words: 'RETENTION_DAYS' },
  'average-share': { least: 0.01, most: 1, byDefault: 1, words: 'the average rate of a day as a share of the peak' },
  'attempt-seconds': { least: 0.001, most: 30, byDefault: 0.2, words: 'seconds that an attempt takes' },
  concurrency: { least: 1, most: 1_000, whole: true, byDefault: 200, words: 'DELIVERY_CONCURRENCY' },
  'queued-share': { least: 0, most: 1, byDefault: 1, words: 'the share of attempts that are jobs in Redis' },
  use: { least: 0.1, most: 1, byDefault: 0.6, words: 'the share of a core that may be used' },
  'wal-per-postgres': { least: 1, most: 10_000, byDefault: 40, words: 'MB of WAL that one Postgres writes a second' },
} as const satisfies Record<string, Option>;

type Name = keyof typeof OPTIONS;
const NAMES = Object.keys(OPTIONS) as Name[];

/** The load to plan for, and what is assumed about the installation; every option has a number. */
export type Load = Record<Name, number>;

/** A wrong command line; the message names the option and the rule. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Reads the options and fills in their defaults; throws a UsageError. */
export function readOptions(args: readonly string[]): Load & { json: boolean } {
  const { json = false, ...given } = parse(args);
  const load = Object.fromEntries(NAMES.map((name) => [name, numberOf(name, given[name])])) as Load;
  return { ...load, json };
}

function parse(args: readonly string[]): { json?: boolean } & Partial<Record<Name, string>> {
  const options = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: { ...options, json: { type: 'boolean' } } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function numberOf(name: Name, text: string | undefined): number {
  const { least, most, whole, byDefault }: Option = OPTIONS[name];
  if (text === undefined) {
    if (byDefault === undefined) throw new UsageError(`--${name} is required`);
    return byDefault;
  }
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= least && value <= most) || (whole === true && !Number.isInteger(value))) {
    throw new UsageError(`--${name} must be a ${whole === true ? 'whole ' : ''}number from ${least} to ${most}`);
  }
  return value;
}

/** The text of `--help`. */
export function usage(): string {
  const lines = NAMES.map((name) => {
    const { words, byDefault }: Option = OPTIONS[name];
    return `  --${name.padEnd(18)}${words}${byDefault === undefined ? '' : ` (${byDefault})`}\n`;
  });
  return `usage: npm run capacity -- --events N [options]\n\n${lines.join('')}  --json              prints the plan as JSON\n`;
}
