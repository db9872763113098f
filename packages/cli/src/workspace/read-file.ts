import { readFile } from 'node:fs/promises';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { Usage } from '../failure.ts';
import { readStdin, type Terminal } from '../terminal.ts';
import { locate } from './locate.ts';

/** A workspace file: its content, and the position of each value. */
export type WorkspaceFile = {
  name: string;
  document: Record<string, unknown>;
  /** The position of a path in the document: `workspace.yaml:12:5` for `endpoints[3].url`. */
  placeOf: (path: string) => string;
};

/**
 * Reads YAML 1.2 with merge keys (`<<`), or JSON; `-` is stdin. Each `${NAME}` becomes the value of that environment variable.
 * Throws a Usage error with line and column.
 */
export async function readWorkspaceFile(terminal: Terminal, name: string): Promise<WorkspaceFile> {
  const text = await readText(terminal, name);
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  // A warning means that a tag would be dropped.
  const [fault] = [...parsed.errors, ...parsed.warnings];
  if (fault !== undefined) throw new Usage(`${at(fault.pos[0])}: ${inWords(fault.message)}`);
  checkAliases(parsed, at);
  replaceVariables(parsed, terminal.env, at);
  if (!isMap(parsed.contents)) throw new Usage(`${at(0)}: The file must be an object, such as "version: 1"`);
  return {
    name,
    document: toValue(parsed, at),
    placeOf: (path) => at(locate(parsed.contents, path)),
  };
}

async function readText(terminal: Terminal, name: string): Promise<string> {
  if (name === '-') return readStdin(terminal);
  const bytes = await readFile(name).catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`${name} cannot be read: ${error.code}`);
  });
  const text = bytes.toString('utf8');
  // Each invalid byte became U+FFFD, so the bytes differ.
  if (!Buffer.from(text).equals(bytes))
    throw new Usage(`${name}${placeOfOther(text, bytes)} is not in UTF-8: save it so`);
  return text;
}

/** The line of the first byte that is not UTF-8, such as `:4`. */
function placeOfOther(text: string, bytes: Buffer): string {
  const written = Buffer.from(text);
  const length = Math.min(written.length, bytes.length);
  let at = 0;
  while (at < length && written[at] === bytes[at]) at += 1;
  return `:${bytes.subarray(0, at).toString('latin1').split('\n').length}`;
}

/** Plain words for the parser's messages that are written for programmers. */
const IN_WORDS: readonly [part: string, words: string][] = [
  ['multiple documents', 'A file has one document: remove what follows ---'],
  ['call stack', 'The file is nested too deeply'],
  ['Nested mappings', 'A text with a colon and a space in it must be in quotes'],
  ['alias count', 'The aliases (*name) stand for too much: write the values out'],
];

function inWords(message: string): string {
  return IN_WORDS.find(([part]) => message.includes(part))?.[1] ?? message;
}

/** Throws unless each alias refers to an earlier anchor that does not contain it. */
function checkAliases(parsed: Document, at: (offset: number) => string): void {
  visit(parsed, {
    Alias(_key, alias) {
      const offset = alias.range?.[0] ?? 0;
      const target = alias.resolve(parsed);
      if (target === undefined)
        throw new Usage(`${at(offset)}: no anchor &${alias.source} stands before *${alias.source}`);
      const [start, , end] = isNode(target) ? (target.range ?? [0, 0, 0]) : [0, 0, 0];
      if (start <= offset && offset < end) throw new Usage(`${at(offset)}: *${alias.source} stands for itself`);
    },
  });
}

const VARIABLE = /\$?\$\{([A-Z][A-Z0-9_]*)\}/g;

/** Replaces variables in values, but not in keys. `$${NAME}` stands for the text `${NAME}`. */
function replaceVariables(parsed: Document, env: Terminal['env'], at: (offset: number) => string): void {
  visit(parsed, {
    Scalar(key, node) {
      const { value } = node;
      if (key === 'key' || typeof value !== 'string') return;
      node.value = value.replace(VARIABLE, (found, variable: string) => {
        if (found.startsWith('$$')) return found.slice(1);
        const given = env[variable];
        if (given !== undefined && given !== '') return given;
        throw new Usage(`${at(node.range?.[0] ?? 0)}: the environment variable ${variable} is not set`);
      });
    },
  });
}

/** Escapes a text so that nothing in it is read as a variable. */
export function withoutVariables(text: string): string {
  return text.replace(VARIABLE, (found) => `$${found}`);
}

function toValue(parsed: Document, at: (offset: number) => string): Record<string, unknown> {
  visit(parsed, {
    Scalar(_key, node) {
      // JSON has no infinity or NaN, and a rounded number would change silently.
      if (typeof node.value !== 'number') return;
      const place = at(node.range?.[0] ?? 0);
      if (!Number.isFinite(node.value)) throw new Usage(`${place}: ${node.source} is not a number of JSON`);
      if (isRounded(node.value, node.source)) {
        throw new Usage(`${place}: ${node.source} is not a number that a 64-bit float holds: put it in quotes`);
      }
    },
    Pair(_key, { key }) {
      const offset = isScalar(key) || isMap(key) || isSeq(key) ? (key.range?.[0] ?? 0) : 0;
      if (isScalar(key) && key.value === '__proto__') throw new Usage(`${at(offset)}: a key must not be __proto__`);
      if (isScalar(key) && (typeof key.value === 'string' || key.source === '<<')) return;
      throw new Usage(`${at(offset)}: a key must be a text: put it in quotes`);
    },
  });
  try {
    return parsed.toJS({ maxAliasCount: 1_000 });
  } catch (error) {
    throw new Usage(`${at(0)}: ${inWords((error as Error).message)}`);
  }
}

/** Whether a whole number loses digits when it is read as a 64-bit float. */
function isRounded(value: number, source: string | undefined): boolean {
  if (source === undefined || !Number.isInteger(value) || Number.isSafeInteger(value)) return false;
  try {
    return BigInt(source) !== BigInt(value);
  } catch {
    return false; // Has an exponent or a fraction, which every JSON reader rounds.
  }
}
