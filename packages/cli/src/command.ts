import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Context } from './context.ts';
import { parseJson } from './exact-json.ts';
import { Usage } from './failure.ts';
import type { Columns } from './output.ts';
import { readStdin, readStdinBytes } from './terminal.ts';

/** An option's text, or true if the option takes none. */
export type Values = Readonly<Record<string, string | true | undefined>>;

/** A command: `posthorn endpoints get <id>` is the row `get <id>` of the word `endpoints`. */
export type Row = {
  /** Its name and its arguments. */
  usage: string;
  summary: string;
  /** Flags and what they mean. */
  options?: Readonly<Record<string, string>>;
  /** Command lines for the help. A test runs the first one. */
  examples: readonly [string, ...string[]];
  /** Set if the command takes `--output junit`. */
  hasJunit?: true;
  /** Returns the exit code if it is not 0. */
  run: (context: Context, call: Call) => Promise<void> | Promise<number>;
};

/** The arguments and the options of a call. */
export type Call = {
  /** An argument by its place. */
  args: readonly (string | undefined)[];
  values: Values;
};

/** The first word after `posthorn`: a command of its own, or a noun with several commands. */
export type Word = { name: string; summary: string; load: () => Promise<readonly Row[]> };

/** Runs a command's `run` with its context, and keeps its exit code. */
export type Runner = (command: Command, run: (context: Context) => Promise<unknown>) => Promise<void>;

/** Gives a command its arguments, its options, its help and what it does. */
export function defineCommand(command: Command, row: Row, runner: Runner): void {
  const [, ...parameters] = row.usage.split(' ');
  command.summary(row.summary).description(row.summary);
  if (parameters.length > 0) command.arguments(parameters.join(' '));
  for (const [flags, meaning] of Object.entries(row.options ?? {})) command.option(flags, meaning);
  const examples = row.examples.map((example) => `  $ ${example}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${examples}`);
  command.action(async (...given: unknown[]) => {
    // Commander passes the arguments, then the options and the command.
    const args = given.slice(0, -2).flat() as Call['args'];
    await runner(command, async (context) => {
      if (context.options.output === 'junit' && !row.hasJunit) {
        throw new Usage('--output junit is only for posthorn check: use table, json or yaml');
      }
      return row.run(context, { args, values: command.opts<Values>() });
    });
  });
}

export function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function required(call: Call, place: number): string {
  const value = call.args[place];
  if (value === undefined || value === '') throw new Usage('An argument is missing: --help shows which');
  return value;
}

/** The flag of an option: `--expires-in` for `expiresIn`. */
export function flagOf(name: string): string {
  return `--${[...name].map((one) => (one >= 'A' && one <= 'Z' ? `-${one.toLowerCase()}` : one)).join('')}`;
}

/** The values of an option, which commas separate. */
export function texts(values: Values, name: string): string[] | undefined {
  return text(values, name)
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function wholeNumber(values: Values, name: string, { least, most }: { least: number; most: number }) {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const read = Number(value);
  if (Number.isInteger(read) && read >= least && read <= most) return read;
  throw new Usage(`${flagOf(name)} must be a whole number from ${least} to ${most}`);
}

/** The input that an option names: `@file` is the content of the file, `-` is stdin, any other value is itself. */
export async function readInput(context: Context, value: string): Promise<string> {
  if (value === '-') return readStdin(context.terminal);
  if (!value.startsWith('@')) return value;
  return (await readFileOf(value)).toString();
}

/** The same input as bytes. Bytes that are not UTF-8 stay as they are. */
export async function readInputBytes(context: Context, value: string): Promise<Uint8Array> {
  if (value === '-') return readStdinBytes(context.terminal);
  return value.startsWith('@') ? readFileOf(value) : Buffer.from(value);
}

function readFileOf(value: string): Promise<Buffer> {
  const file = value.slice(1);
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`${file} cannot be read: ${error.code}`);
  });
}

/** The JSON of an option; undefined if it is not given. */
export async function readJson(context: Context, values: Values, name: string): Promise<unknown> {
  const value = text(values, name);
  return value === undefined ? undefined : parseJson(await readInput(context, value), flagOf(name));
}

export async function readObject(
  context: Context,
  values: Values,
  name: string,
): Promise<Record<string, unknown> | undefined> {
  const value = await readJson(context, values, name);
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Usage(`${flagOf(name)} must be a JSON object`);
}

/** Leaves out keys whose value is undefined. */
export function given<Value extends object>(value: Value): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

export const LIST_OPTIONS = {
  '--limit <n>': 'at most this many (default: 50)',
  '--all': 'as many as there are',
};

const UNLESS_NAMED = 50;

/** Prints the first items of a list. If no number is given, stderr says whether there are more. */
export async function printList<Item extends object>(
  { output }: Pick<Context, 'output'>,
  { items, columns, values }: { items: AsyncIterable<Item>; columns: Columns<Item>; values: Values },
): Promise<void> {
  const named = wholeNumber(values, 'limit', { least: 1, most: 1_000_000 });
  const most = values.all ? Number.POSITIVE_INFINITY : (named ?? UNLESS_NAMED);
  let hasMore = false;
  const first = async function* () {
    let count = 0;
    for await (const item of items) {
      hasMore = count >= most;
      if (hasMore) return;
      yield item;
      count += 1;
      if (count >= most && named !== undefined) return;
    }
  };
  await output.list(first(), columns);
  if (hasMore) output.note(`These are the first ${most}, and there are more: add --all, or --limit <n>`);
}

/** The page size: at most the wanted number of items. Without `--limit`, one more item shows whether there are more. */
export function pageSize(values: Values): { limit?: number } {
  const named = wholeNumber(values, 'limit', { least: 1, most: 1_000_000 });
  return { limit: values.all ? 100 : Math.min(100, named ?? UNLESS_NAMED + 1) };
}
