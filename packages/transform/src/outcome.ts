import { type ConfigHeaders, configHeaders } from '@posthorn/contract/endpoint-config';
import { LIMITS } from '@posthorn/contract/limits';
import { z } from 'zod';
import { type Rounded, withDigits } from './exact-numbers.ts';
import { HEAD_CHARACTERS, TOO_LARGE, TOO_MANY_HEADERS } from './prelude.ts';
import { type Fault, MESSAGE_CHARACTERS, wellFormed } from './run.ts';

/** The result of a transformation. */
export type Outcome =
  | { kind: 'made'; body: Buffer; contentType: string | null; headers: ConfigHeaders; path: string | null }
  /** The code returned `cancel`: the event must not be sent. */
  | { kind: 'cancelled'; reason: string }
  /** The code threw, met a limit, or returned an invalid result. */
  | ({ kind: 'failed' } & Fault);

type Given = { contentType: string | null; allows: Allows; rounded: Rounded | undefined };

/** The parts of a result that the endpoint can send. */
export type Allows = {
  headers: boolean;
  path: boolean;
  /** The URL to which a path is added. */
  url?: string;
  /** True if the endpoint sets an `authorization` header itself. */
  hasAuthorization?: boolean;
};

const PATH = /^\/[\w\-.~!$&'()*+,;=:@%/]{0,499}$/;
const CONTENT_TYPE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
const KEYS = ['data', 'body', 'contentType', 'headers', 'path', 'cancel'];

const head = z.object({
  contentType: z
    .string('must be a string')
    .regex(CONTENT_TYPE, 'must be 1 to 255 printable ASCII characters')
    .optional(),
  headers: configHeaders.optional(),
  path: z
    .string('must be a string')
    .regex(PATH, 'must begin with / and have at most 500 characters of a URL path')
    .refine((path) => !hasDots(path), 'must not have . or .. as a part')
    .optional(),
  cancel: z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(500, 'must be at most 500 characters')
    .optional(),
});

/**
 * True if a server could read a segment of the path as `.` or `..`. Some servers decode a path twice, treat an escaped
 * slash as a slash, or ignore everything after a semicolon.
 */
function hasDots(path: string): boolean {
  const plain = path
    .replaceAll(/%(?:25)+/g, '%')
    .replaceAll(/%2e/gi, '.')
    .replaceAll(/%(?:2f|5c)/gi, '/')
    .replaceAll(/%3b/gi, ';');
  return plain.split('/').some((part) => ['.', '..'].includes(part.split(';')[0] ?? ''));
}

/** Reads the text that the prelude returned. `contentType` and `rounded` are those of the event. */
export function outcomeOf(text: string, { contentType, allows, rounded }: Given): Outcome {
  const end = text.indexOf('\n');
  const parsed = parsedHead(text.slice(0, end));
  if (parsed === undefined) return failed('The result cannot be read');
  if (parsed.wrong !== undefined) return failed(parsed.wrong);
  const has = parsed.has ?? [];
  const unknown = has.find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return failed(`The result must not have ${JSON.stringify(unknown.slice(0, 50))}`);
  if (['data', 'body', 'cancel'].filter((key) => has.includes(key)).length !== 1) {
    return failed('The result must have one of data, body and cancel');
  }
  const checked = head.safeParse(parsed.head ?? {});
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return failed(`The result's ${issue?.path.join('.')} ${issue?.message}`);
  }
  const { headers = {}, path = null, cancel } = checked.data;
  if (has.includes('contentType') && !has.includes('body'))
    return failed('The result may have contentType only with body');
  const refusal = refusalOf(has, checked.data, allows);
  if (refusal !== undefined) return failed(refusal);
  if (cancel !== undefined) return { kind: 'cancelled', reason: wellFormed(cancel) };
  const body = bodyOf(text.slice(end + 1), has.includes('data'), rounded);
  if (typeof body === 'string') return failed(body);
  if (body.length > LIMITS.transformedBytes) return failed(TOO_LARGE);
  const type = has.includes('data') ? 'application/json' : (checked.data.contentType ?? contentType);
  return { kind: 'made', body, contentType: type, headers, path };
}

/** The first part of the result that this endpoint cannot send, as an error; undefined if it can send everything. */
function refusalOf(
  has: readonly string[],
  { headers = {}, path }: z.output<typeof head>,
  allows: Allows,
): string | undefined {
  if (has.includes('headers') && !allows.headers) return 'The result must not have headers: this endpoint sends none';
  if (has.includes('path') && !allows.path) return 'The result must not have a path: this endpoint has no URL';
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'authorization');
  if (name !== undefined && allows.hasAuthorization) {
    return `The result's headers.${name} must not be set: this endpoint has a password or OAuth 2`;
  }
  const isTooLong =
    path !== undefined && allows.url !== undefined && withPath(allows.url, path).length > LIMITS.urlCharacters;
  const most = LIMITS.urlCharacters.toLocaleString('en');
  return isTooLong ? `The result's path is too long: with it, the URL has more than ${most} characters` : undefined;
}

/** Appends the path to the URL's own path. The query stays. */
export function withPath(url: string, path: string | null): string {
  if (path === null) return url;
  const whole = new URL(url);
  whole.pathname = (whole.pathname.endsWith('/') ? whole.pathname.slice(0, -1) : whole.pathname) + path;
  return whole.href;
}

/** The bytes to send, or an error message. `data` is JSON already; `body` is a string, written as JSON. */
function bodyOf(text: string, isData: boolean, rounded: Rounded | undefined): Buffer | string {
  if (isData && text === '') return "The result's data must be a value that JSON has";
  if (isData) return Buffer.from(rounded === undefined ? text : withDigits(text, rounded));
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'string' ? Buffer.from(body) : "The result's body must be a string";
  } catch {
    return "The result's body must be a string";
  }
}

const parsedLine = z.object({
  wrong: z.string().optional(),
  has: z.array(z.string()).optional(),
  head: z.record(z.string(), z.unknown()).optional(),
});

/** Parses without trust: the code may have overwritten functions that the prelude uses. */
function parsedHead(line: string): z.output<typeof parsedLine> | undefined {
  if (line.length > HEAD_CHARACTERS) return { wrong: TOO_MANY_HEADERS };
  try {
    return parsedLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The message may quote a key of the result, so it is shortened and made well-formed. */
function failed(message: string): Outcome {
  return { kind: 'failed', message: wellFormed(message.slice(0, MESSAGE_CHARACTERS)), line: null, column: null };
}
