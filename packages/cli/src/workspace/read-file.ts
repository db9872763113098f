import { readFile } from 'node:fs/promises';
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { Usage } from '../failure.ts';
import { readStdin, type Terminal } from '../terminal.ts';
import { locate } from './locate.ts';

/** A file of a workspace: its content, and the places in it. */
export type WorkspaceFile = {
  name: string;
  document: Record<string, unknown>;
  /** `workspace.yaml:12:5`, for a path of the document: `endpoints[3].url`. */
  placeOf: (path: string) => string;
};

/** YAML or JSON; `-` is stdin. Each `${NAME}` is the variable's value. Faults are Usage errors with line and column. */
export async function readWorkspaceFile(terminal: Terminal, name: string): Promise<WorkspaceFile> {
  const text = await readText(terminal, name);
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const [fault] = parsed.errors;
  if (fault !== undefined) throw new Usage(`${at(fault.pos[0])}: ${fault.message}`);
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
  return readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`${name} cannot be read: ${error.code}`);
  });
}

const VARIABLE = /\$?\$\{([A-Z][A-Z0-9_]*)\}/g;

/** In values, not in keys. `$${NAME}` is the text `${NAME}`. */
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

/** The text that stands for a text, so that nothing in it is a variable. */
export function withoutVariables(text: string): string {
  return text.replace(VARIABLE, (found) => `$${found}`);
}

function toValue(parsed: Document, at: (offset: number) => string): Record<string, unknown> {
  visit(parsed, {
    Scalar(_key, node) {
      // JSON has none of these.
      if (typeof node.value === 'number' && !Number.isFinite(node.value)) {
        throw new Usage(`${at(node.range?.[0] ?? 0)}: ${node.source} is not a number of JSON`);
      }
    },
    Pair(_key, { key }) {
      if (isScalar(key) && typeof key.value === 'string') return;
      const offset = isScalar(key) || isMap(key) || isSeq(key) ? (key.range?.[0] ?? 0) : 0;
      throw new Usage(`${at(offset)}: a key must be a text: put it in quotes`);
    },
  });
  try {
    return parsed.toJS({ maxAliasCount: 1_000 });
  } catch (error) {
    throw new Usage(`${at(0)}: ${(error as Error).message}`);
  }
}
