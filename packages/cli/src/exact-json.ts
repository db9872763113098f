import { isRounded, tokensOf } from '@posthorn/runtime/json-tokens';
import { Usage } from './failure.ts';

/**
 * Parses a JSON text. Refuses a text whose value would differ: JavaScript rounds long numbers, and of two equal keys it
 * keeps the last.
 */
export function parseJson(text: string, what: string): unknown {
  const json = withoutMark(text);
  const value = parse(json, what);
  let keys = 0;
  for (const { token, end } of tokensOf(json)) {
    if (token.startsWith('"')) keys += isKey(json, end) ? 1 : 0;
    else if (isRounded(token))
      throw new Usage(`${what} has the number ${token}, which would be rounded: put it in quotes`);
  }
  if (keys !== countKeys(value)) throw new Usage(`${what} has a key twice in the same object`);
  return value;
}

/** A file may begin with a byte order mark, which JSON.parse refuses. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function parse(json: string, what: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Usage(`${what} is not JSON: ${(error as Error).message}`);
  }
}

function isKey(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json[at] === ':';
}

function countKeys(value: unknown): number {
  const waiting = [value];
  let count = 0;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const values = Object.values(one);
    if (!Array.isArray(one)) count += values.length;
    for (const each of values) waiting.push(each);
  }
  return count;
}
