import pc from 'picocolors';
import { oneLine, safeText } from './safe-text.ts';
import { hasColor, type Terminal } from './terminal.ts';

export type Format = 'table' | 'json' | 'yaml';

/** The columns of a table, by heading: each reads its value from an item. */
export type Columns<Item> = Record<string, (item: Item) => unknown>;

export type Output = {
  format: Format;
  /** Whether a person reads the output. Only then do colours and questions make sense. */
  isTerminal: boolean;
  list: <Item extends object>(items: AsyncIterable<Item> | Iterable<Item>, columns: Columns<Item>) => Promise<void>;
  /** Prints a list that grows: each item as soon as it comes. */
  follow: <Item extends object>(items: AsyncIterable<Item> | Iterable<Item>, columns: Columns<Item>) => Promise<void>;
  item: (item: object) => Promise<void>;
  /** Prints a text unchanged in every format, such as a URL or a script. */
  text: (text: string) => void;
  /** Prints a note to stderr. `--quiet` omits it. */
  note: (text: string) => void;
  /** Shows progress on a terminal's stderr, each text in place of the last. Prints nothing elsewhere. */
  progress: (text: string) => void;
};

/** The number of rows that set the column widths. A longer table then appears as it is read. */
const ROWS_MEASURED = 100;
const CELL_LENGTH = 60;

export function createOutput(terminal: Terminal, { format, quiet }: { format: Format; quiet: boolean }): Output {
  const { stdout, stderr } = terminal;
  const colors = pc.createColors(hasColor(terminal, stdout));
  const write = (text: string) => void stdout.write(text);
  let hasProgress = false;
  const endProgress = () => {
    if (hasProgress) stderr.write('\r\u001b[K');
    hasProgress = false;
  };

  const printTable = async <Item extends object>(
    items: AsyncIterable<Item> | Iterable<Item>,
    columns: Columns<Item>,
  ): Promise<void> => {
    const names = Object.keys(columns);
    let rows: string[][] = [];
    let widths: number[] | undefined;
    const flush = () => {
      if (widths === undefined) {
        widths = names.map((name, n) => Math.max(name.length, ...rows.map((row) => row[n]?.length ?? 0)));
        write(`${colors.bold(alignRow(names, widths))}\n`);
      }
      for (const row of rows) write(`${alignRow(row, widths)}\n`);
      rows = [];
    };
    for await (const item of items) {
      rows.push(Object.values(columns).map((read) => cell(read(item))));
      if (rows.length === ROWS_MEASURED || widths !== undefined) flush();
    }
    if (rows.length > 0) flush();
    else if (widths === undefined) stderr.write('Nothing found.\n');
  };

  return {
    format,
    isTerminal: stdout.isTTY === true,
    async list(items, columns) {
      if (quiet) for await (const item of items) write(`${idOf(item)}\n`);
      else if (format === 'table') await printTable(items, columns);
      else for await (const item of items) write(await encode(item, format, true));
    },
    async follow(items, columns) {
      for await (const item of items) {
        if (quiet) write(`${idOf(item)}\n`);
        else if (format !== 'table') write(await encode(item, format, true));
        else
          write(
            `${Object.values(columns)
              .map((read) => cell(read(item)))
              .join('  ')}\n`,
          );
      }
    },
    async item(item) {
      if (quiet) write(`${idOf(item)}\n`);
      else if (format === 'table') write(describeItem(item, colors.bold));
      else write(await encode(item, format, false));
    },
    text: (text) => write(text.endsWith('\n') ? text : `${text}\n`),
    note(text) {
      endProgress();
      if (!quiet) stderr.write(`${safeText(text)}\n`);
    },
    progress(text) {
      if (quiet || !stderr.isTTY) return;
      hasProgress = true;
      stderr.write(`\r\u001b[K${oneLine(text)}`);
      if (text === '') endProgress();
    },
  };
}

async function encode(item: object, format: 'json' | 'yaml', inList: boolean): Promise<string> {
  if (format === 'json') return `${escaped(JSON.stringify(item))}\n`;
  const { stringify } = await import('yaml');
  return `${inList ? '---\n' : ''}${escaped(stringify(item))}`;
}

/** Escapes control characters that JSON and YAML leave in double-quoted text. The escapes mean the same. */
function escaped(text: string): string {
  return text.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** The id of an item, or its name if it has none. */
function idOf(item: object): string {
  const { id, endpointId, applicationId, name, url } = item as Record<string, unknown>;
  return oneLine(String(id ?? endpointId ?? applicationId ?? name ?? url ?? ''));
}

function cell(value: unknown): string {
  const text = oneLine(shown(value));
  if (text.length <= CELL_LENGTH) return text;
  const last = text.charCodeAt(CELL_LENGTH - 2);
  // Do not cut a surrogate pair in two.
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, CELL_LENGTH - (isHalf ? 2 : 1))}…`;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function alignRow(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, n) => text.padEnd(widths[n] ?? 0))
    .join('  ')
    .trimEnd();
}

/** One line for each field. A list or an object is indented below its name. */
function describeItem(item: object, bold: (text: string) => string): string {
  const entries = Object.entries(item)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [oneLine(name), value] as const);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  const lines = entries.map(([name, value]) => {
    const text =
      typeof value === 'object' && value !== null
        ? JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
        : shown(value);
    return `${bold(name.padEnd(width))}  ${safeText(text)}\n`;
  });
  return lines.join('');
}
