import type { Answer } from '../kind.ts';

/**
 * Reads an answer that breaks the rules of HTTP in a way that common clients (curl, Python, Go) forgive: a folded
 * header, lines without a carriage return, white space before a colon or after a chunk size, the same length twice, or
 * a length beside chunks. The receiver has done its work, so its status counts. `packet` begins with the answer and has
 * its whole head. If the body is incomplete, the answer is `truncated`. Undefined if the answer cannot be read safely:
 * two different lengths, a line that is not a header, or something other than HTTP/1.
 */
export function readIrregular(packet: Buffer, mostBodyBytes: number): Answer | undefined {
  // In Latin-1, each byte is one character.
  const text = packet.toString('latin1');
  let head = headFrom(text, 0);
  while (head !== undefined && head.status < 200 && head.status !== 101) head = headFrom(text, head.end);
  if (head === undefined || head.status < 200) return undefined;
  const headers = readHeaders(head.lines);
  const body = headers === undefined ? undefined : readBody(packet.subarray(head.end), headers);
  if (headers === undefined || body === undefined) return undefined;
  return {
    status: head.status,
    headers: Object.fromEntries(headers),
    body: body.bytes.subarray(0, mostBodyBytes),
    truncated: !body.isWhole || body.bytes.length > mostBodyBytes,
  };
}

type Head = { status: number; lines: string[]; end: number };

/** The head that begins at `start`, without its first line; undefined if it is incomplete. */
function headFrom(text: string, start: number): Head | undefined {
  const lines: string[] = [];
  for (let at = start; ; ) {
    const newline = text.indexOf('\n', at);
    if (newline === -1) return undefined;
    const line = text.slice(at, text[newline - 1] === '\r' ? newline - 1 : newline);
    at = newline + 1;
    if (line !== '') {
      lines.push(line);
      continue;
    }
    // An empty line may come before an answer.
    if (lines.length === 0) continue;
    const [first = '', ...rest] = lines;
    const status = STATUS_LINE.exec(first)?.[1];
    return status === undefined ? undefined : { status: Number(status), lines: rest, end: at };
  }
}

const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/;
const FIELD = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:([^\0]*)$/;

type Headers = Map<string, string | string[]>;

function readHeaders(lines: readonly string[]): Headers | undefined {
  const unfolded: string[] = [];
  for (const line of lines) {
    const before = unfolded.pop();
    if (/^[ \t]/.test(line) && before !== undefined) unfolded.push(`${before} ${line.trim()}`);
    else unfolded.push(...(before === undefined ? [] : [before]), line);
  }
  const headers: Headers = new Map();
  for (const line of unfolded) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value.trim() : [before, value.trim()].flat());
  }
  return headers;
}

type Body = { bytes: Buffer; isWhole: boolean };

function readBody(rest: Buffer, headers: Headers): Body | undefined {
  const lengths = new Set(valuesOf(headers, 'content-length'));
  const [length, ...others] = lengths;
  if (others.length > 0 || (length !== undefined && !/^\d{1,15}$/.test(length))) return undefined;
  const encodings = valuesOf(headers, 'transfer-encoding').map((one) => one.toLowerCase());
  // An answer with both a length and chunks is read as chunks (RFC 9112 §6.3).
  if (encodings.at(-1) === 'chunked') return readChunks(rest);
  if (length === undefined) return { bytes: rest, isWhole: false };
  return { bytes: rest.subarray(0, Number(length)), isWhole: rest.length >= Number(length) };
}

/** `2, 2` is a header that was sent twice and joined on the way. */
function valuesOf(headers: Headers, name: string): string[] {
  return [headers.get(name) ?? []].flat().flatMap((value) => value.split(',').map((one) => one.trim()));
}

function readChunks(rest: Buffer): Body | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const newline = rest.indexOf('\n', at);
    if (newline === -1) return { bytes: Buffer.concat(parts), isWhole: false };
    const [size = ''] = rest.toString('latin1', at, newline).split(';');
    if (!/^[\da-f]{1,8}\s*$/i.test(size)) return undefined;
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) return { bytes: Buffer.concat(parts), isWhole: true };
    parts.push(rest.subarray(newline + 1, newline + 1 + bytes));
    at = newline + 1 + bytes;
    if (rest[at] === 13) at += 1;
    if (at < rest.length && rest[at] !== 10) return undefined;
    at += 1;
    if (at > rest.length) return { bytes: Buffer.concat(parts), isWhole: false };
  }
}
