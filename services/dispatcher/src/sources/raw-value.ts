// The bytes of a part of a JSON text, as they stand there: written again, numbers would lose digits.

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The names on the way of a JSON pointer (RFC 6901). */
export function namesOf(pointer: string): string[] {
  const escaped = pointer.split('/').slice(1);
  return escaped.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * The bytes of the value at these names in a well-formed JSON text; undefined where there is none. Of equal names the last one
 * counts, as for `JSON.parse`. It goes without recursion, so the text may nest as deeply as it likes.
 */
export function rawValueAt(json: Buffer, names: readonly string[]): Buffer | undefined {
  let at = skipSpace(json, 0);
  for (const name of names) {
    const found = memberOf(json, at, name);
    if (found === undefined) return undefined;
    at = found;
  }
  return json.subarray(at, endOf(json, at));
}

/** Where the member of this name begins, in the object or array that begins at `open`. */
function memberOf(json: Buffer, open: number, name: string): number | undefined {
  const isObject = json[open] === OPEN_OBJECT;
  if (!isObject && json[open] !== OPEN_ARRAY) return undefined;
  let found: number | undefined;
  let at = skipSpace(json, open + 1);
  for (let index = 0; at < json.length && json[at] !== CLOSE_OBJECT && json[at] !== CLOSE_ARRAY; index += 1) {
    let key = String(index);
    if (isObject) {
      const end = endOfText(json, at);
      key = JSON.parse(json.toString('utf8', at, end));
      const colon = skipSpace(json, end);
      at = skipSpace(json, colon + 1);
    }
    if (key === name) found = at;
    at = skipSpace(json, endOf(json, at));
    if (json[at] === COMMA) at = skipSpace(json, at + 1);
  }
  return found;
}

/** Behind the value that begins here. */
function endOf(json: Buffer, from: number): number {
  if (json[from] === QUOTE) return endOfText(json, from);
  if (json[from] !== OPEN_OBJECT && json[from] !== OPEN_ARRAY) return endOfWord(json, from);
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return json.length;
}

/** Behind the number, `true`, `false` or `null` that begins here. */
function endOfWord(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && !isSpace(json[at]) && !ENDS_WORD.has(json[at])) at += 1;
  return at;
}

const ENDS_WORD = new Set<number | undefined>([COMMA, CLOSE_ARRAY, CLOSE_OBJECT]);

/** Behind the text that begins with the quote here. */
function endOfText(json: Buffer, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
