/** The bytes of an item's `data`, as they were sent; undefined without it. `repeated` is a key that the item has twice. */
export type ItemBytes = { data: Buffer | undefined; repeated: string | undefined };

/**
 * The items of `{"events":[…]}`, and a key that the object around them has twice. The body must be well-formed JSON:
 * this function only finds where each value begins and ends. It does not recurse, so no nesting is too deep. Public
 * libraries recurse, or return positions in UTF-16 units of a decoded text.
 */
export function itemsOf(body: Buffer): { items: ItemBytes[]; repeated: string | undefined } {
  const { value: events, repeated } = readObject(body, skipSpace(body, startOf(body)), 'events');
  if (events === undefined) return { items: [], repeated };
  const items = valuesIn(body, events.start).map(({ value }) => {
    const item = readObject(body, value.start, 'data');
    const data = item.value === undefined ? undefined : body.subarray(item.value.start, item.value.end);
    return { data, repeated: item.repeated };
  });
  return { items, repeated };
}

/** The last member of that name in the object at `at`, and a key that the object has twice, even if it is escaped. */
function readObject(
  bytes: Buffer,
  at: number,
  name: string,
): { value: Range | undefined; repeated: string | undefined } {
  const names = new Set<string>();
  let value: Range | undefined;
  let repeated: string | undefined;
  if (bytes[at] !== OPEN_OBJECT) return { value, repeated };
  for (const { key, value: one } of valuesIn(bytes, at)) {
    const given = key === undefined ? '' : nameOf(bytes, key);
    if (names.has(given)) repeated ??= given;
    names.add(given);
    if (given === name) value = one;
  }
  return { value, repeated };
}

/** The bytes of a member's value in a well-formed JSON object, as they were sent; undefined when there is none. */
export function memberBytes(body: Buffer, name: string): Buffer | undefined {
  const value = memberOf(body, skipSpace(body, startOf(body)), name);
  return value === undefined ? undefined : body.subarray(value.start, value.end);
}

function startOf(body: Buffer): number {
  return BYTE_ORDER_MARK.equals(body.subarray(0, 3)) ? 3 : 0;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** A range of bytes; `end` is exclusive. */
type Range = { start: number; end: number };

/** The last member of that name in the object at `at`; undefined when there is none, or the value is not an object. */
function memberOf(bytes: Buffer, at: number, name: string): Range | undefined {
  if (bytes[at] !== OPEN_OBJECT) return undefined;
  return valuesIn(bytes, at).findLast(({ key }) => key !== undefined && nameOf(bytes, key) === name)?.value;
}

/** The values in the object or list at `at`, with their keys; empty for any other value. */
function valuesIn(bytes: Buffer, at: number): { key: Range | undefined; value: Range }[] {
  const isObject = bytes[at] === OPEN_OBJECT;
  if (!isObject && bytes[at] !== OPEN_LIST) return [];
  const found: { key: Range | undefined; value: Range }[] = [];
  let next = skipSpace(bytes, at + 1);
  while (next < bytes.length && !isClosing(bytes[next])) {
    const key = isObject ? { start: next, end: endOfText(bytes, next) } : undefined;
    const start = key === undefined ? next : skipSpace(bytes, skipSpace(bytes, key.end, COLON));
    const value = { start, end: endOfValue(bytes, start) };
    found.push({ key, value });
    next = skipSpace(bytes, skipSpace(bytes, value.end, COMMA));
  }
  return found;
}

function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfText(bytes, start);
  let at = start;
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) {
    while (at < bytes.length && !isSpace(bytes[at]) && bytes[at] !== COMMA && !isClosing(bytes[at])) at += 1;
    return at;
  }
  let depth = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    if (isClosing(byte)) depth -= 1;
    at = byte === QUOTE ? endOfText(bytes, at) : at + 1;
    if (depth === 0) return at;
  }
  return at;
}

function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The position after white space, and after `mark` when it is given and present. */
function skipSpace(bytes: Buffer, start: number, mark?: number): number {
  let at = start;
  while (isSpace(bytes[at])) at += 1;
  return mark !== undefined && bytes[at] === mark ? at + 1 : at;
}

/** A key as JSON.parse reads it. Exact for ASCII: an object with any other name is refused. */
function nameOf(bytes: Buffer, { start, end }: Range): string {
  const written = bytes.toString('latin1', start + 1, end - 1);
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isClosing(byte: number | undefined): boolean {
  return byte === CLOSE_OBJECT || byte === CLOSE_LIST;
}
