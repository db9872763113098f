import { createDeadlines, type Deadline, type Deadlines } from './deadline.ts';
import { ApiError, createApiError, OptionError, SecretNotShownError } from './errors.ts';
import { List, type Page } from './list.ts';
import { requireInteger, requireJson, requireTime, requireVisible, type Settings } from './options.ts';
import type { Payload } from './payload.ts';
import type { RequestOptions } from './resource.ts';
import { type Failure, pause, pauseBeforeRetry, readRetryAfter } from './retries.ts';
import { readEvents } from './server-sent-events.ts';
import { VERSION } from './version.ts';

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** False if the path does not stand below the path of the workspace. */
  inWorkspace?: false;
  credential?: 'apiKey';
  /** A credential to use instead of the client's. */
  bearer?: string;
  query?: Record<string, QueryValue>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as they are, instead of `body`. */
  bytes?: Payload;
  headers?: Record<string, string | undefined>;
  /** The key of a POST. If undefined, the library makes one; if null, none is sent. */
  idempotencyKey?: string | null | undefined;
  /** The field that only the first response shows, such as a secret. */
  shownOnce?: string;
  /** The response must have an `id`: without it, nothing was created. */
  answersId?: true;
  /**
   * The response must have a list under this name, so that another server's response does not look like an empty list.
   */
  answersList?: string;
  /** Never retried. */
  once?: true;
};

type QueryValue = string | number | boolean | Date | readonly (string | number)[] | null | undefined;

type Paging = { by: 'cursor' | 'link' | 'page'; items?: string };

const PAGE_SIZE = 100;
const MOST_RETRIES = 10;
const LONGEST_TIMEOUT_MS = 2_147_483_647;
/** The longest silence of a stream. The server sends a comment every 15 s. */
const STREAM_SILENCE_MS = 45_000;

/** Sends the requests of every resource: credentials, retries, errors, pages. */
export class Transport {
  readonly #settings: Settings;
  readonly #deadlines: Deadlines = createDeadlines();
  #workspace: Promise<string> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get pullKey(): string | undefined {
    return this.#settings.pullKey;
  }

  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  async request<Answer>(call: Call, options: RequestOptions): Promise<Answer> {
    const { value, headers } = await this.#send(call, options);
    const { answersId, answersList, shownOnce } = call;
    if (answersId && typeof Object(value).id !== 'string') {
      throw wrongAnswer(headers, 'The answer has no id: check baseUrl and the proxies before it');
    }
    if (answersList !== undefined && !Array.isArray(Object(value)[answersList])) {
      throw wrongAnswer(headers, `The answer has no list of ${answersList}: check baseUrl`);
    }
    if (shownOnce !== undefined && headers.get('idempotent-replayed') === 'true') {
      if ((value as Record<string, unknown> | undefined)?.[shownOnce] === null) {
        throw new SecretNotShownError(`The ${shownOnce} was shown in the first answer only: rotate it to get another`);
      }
    }
    return value as Answer;
  }

  list<Item>(call: Call, options: RequestOptions, { by, items }: Paging): List<Item> {
    const readPage = async (cursor?: string): Promise<Page<Item>> => {
      const query = { ...call.query };
      if (by === 'link') query.limit ??= PAGE_SIZE;
      if (cursor !== undefined) query[by === 'page' ? 'page' : 'cursor'] = cursor;
      const { value, headers } = await this.#send({ ...call, query }, options);
      const fields = (value ?? {}) as Record<string, unknown>;
      const read = items === undefined ? value : fields[items];
      if (!Array.isArray(read)) throw wrongAnswer(headers, 'The answer has no list of items: check baseUrl');
      const nextCursor = nextCursorOf(by, fields, headers);
      // Otherwise the list would have no end.
      if (nextCursor !== null && nextCursor === cursor) {
        throw wrongAnswer(headers, 'The answer leads to its own page again: check the proxies before the server');
      }
      return { items: read as Item[], nextCursor };
    };
    return new List(readPage);
  }

  async *stream<Change>(call: Call, options: RequestOptions): AsyncGenerator<Change, void, undefined> {
    const url = await this.#urlOf(call, options);
    const init = this.#initOf(call);
    init.headers.accept = 'text/event-stream';
    const deadline = this.#deadlines.start(this.#timeoutOf(options), options.signal);
    try {
      const response = await this.#fetch(url, init, deadline);
      if (!response.ok) throw toApiError(response, await response.text());
      // The page of a proxy must not look like a stream without changes.
      if (!response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream')) {
        await response.body?.cancel();
        throw toApiError(response, '');
      }
      for await (const { event, text } of readEvents(response, () => deadline.restart(STREAM_SILENCE_MS))) {
        // The caller may take its time with a change.
        deadline.pause();
        const data = parseJson(text);
        if (data === undefined) {
          throw wrongAnswer(response.headers, 'A change is not JSON: check the proxies before the server');
        }
        yield { event, data } as Change;
      }
    } catch (error) {
      throw deadline.explain(error);
    } finally {
      deadline.end();
    }
  }

  /** Sends one request, and tries it again as retries.ts decides. */
  async #send(call: Call, options: RequestOptions): Promise<Answered> {
    const retries = call.once
      ? 0
      : requireInteger('retries', options.retries ?? this.#settings.retries, 0, MOST_RETRIES);
    const timeoutMs = this.#timeoutOf(options);
    const init = this.#initOf(call);
    const url = await this.#urlOf(call, options);
    let mayBeDone = false;
    for (let tries = 1; ; tries += 1) {
      const result = await this.#try(url, init, timeoutMs, options.signal);
      if (result.kind === 'answered') return result;
      // The try before may have deleted it without an answer. Another 404 is that of a proxy, which knows nothing of it.
      if (call.method === 'DELETE' && mayBeDone && isNotFound(result.error)) {
        return { kind: 'answered', value: undefined, headers: new Headers() };
      }
      mayBeDone ||= result.kind === 'no_answer' || result.status >= 500;
      const ms = pauseBeforeRetry(result, tries, retries);
      if (ms === undefined) throw result.error;
      await pause(ms, options.signal);
    }
  }

  async #try(url: string, init: Init, timeoutMs: number, signal: AbortSignal | undefined): Promise<Answered | Failed> {
    const deadline = this.#deadlines.start(timeoutMs, signal);
    try {
      const response = await this.#fetch(url, init, deadline);
      const text = await response.text();
      deadline.answered();
      return readAnswer(response, text, init.method);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return { kind: 'no_answer', error: deadline.explain(error) };
    } finally {
      deadline.end();
    }
  }

  #fetch(url: string, init: Init, { signal }: Deadline): Promise<Response> {
    const { fetch } = this.#settings;
    // A redirect is not followed: another server must not get the credential.
    return fetch(url, { ...init, signal, redirect: 'manual' } as RequestInit);
  }

  #timeoutOf({ timeoutMs }: RequestOptions): number {
    return requireInteger('timeoutMs', timeoutMs ?? this.#settings.timeoutMs, 1, LONGEST_TIMEOUT_MS);
  }

  async #urlOf(call: Call, options: RequestOptions): Promise<string> {
    const base = call.inWorkspace === false ? '' : await this.#workspacePath(options);
    return `${this.#settings.baseUrl}${base}${call.path}${call.query === undefined ? '' : queryOf(call.query)}`;
  }

  async #workspacePath({ signal }: RequestOptions): Promise<string> {
    const { token, workspaceId } = this.#settings;
    if (token?.startsWith('php_')) return '/api/portal';
    if (token?.startsWith('phs_')) {
      // A session belongs to a person, who may have several workspaces.
      if (workspaceId === undefined) throw new OptionError('workspaceId', 'is required with the token of a session');
      return path`/api/workspaces/${workspaceId}`;
    }
    return path`/management/v1/workspaces/${workspaceId ?? (await this.#askWorkspace(signal))}`;
  }

  /** Asks for the workspace once, also for simultaneous calls. After a failure, the next call asks again. */
  #askWorkspace(signal: AbortSignal | undefined): Promise<string> {
    this.#workspace ??= this.#readWorkspace().catch((error) => {
      this.#workspace = undefined;
      throw error;
    });
    return signal === undefined ? this.#workspace : orAborted(this.#workspace, signal);
  }

  async #readWorkspace(): Promise<string> {
    const { value, headers } = await this.#send({ method: 'GET', path: '/management/v1/me', inWorkspace: false }, {});
    const { workspace } = Object(value) as { workspace?: { id?: unknown } | null };
    if (typeof workspace?.id === 'string') return workspace.id;
    throw wrongAnswer(headers, 'The answer names no workspace: check baseUrl');
  }

  #initOf(call: Call): Init {
    const option = call.credential ?? 'token';
    const credential = call.bearer ?? this.#settings[option];
    if (credential === undefined) throw new OptionError(option, 'is required for this call');
    const headers: Record<string, string> = { authorization: `Bearer ${credential}`, accept: 'application/json' };
    // A browser sends its own, and for this one it would first ask the server with a preflight request.
    if (!('document' in globalThis)) headers['user-agent'] = `posthorn-sdk/typescript/${VERSION}`;
    if (call.method === 'POST' && call.idempotencyKey !== null) {
      headers['idempotency-key'] = requireVisible('idempotencyKey', call.idempotencyKey ?? newKey());
    }
    for (const [name, value] of Object.entries(call.headers ?? {})) if (value !== undefined) headers[name] = value;
    if (call.bytes !== undefined) {
      headers['content-type'] = call.bytes.contentType;
      return { method: call.method, headers, body: call.bytes.content };
    }
    if (call.body === undefined) return { method: call.method, headers };
    headers['content-type'] = 'application/json';
    return { method: call.method, headers, body: requireJson('body', call.body) };
  }
}

type Init = { method: string; headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> };

type Answered = { kind: 'answered'; value: unknown; headers: Headers };
type Failed = Failure & { error: Error };

/** An idempotency key that the library makes. */
export function newKey(): string {
  return `auto_${crypto.randomUUID()}`;
}

/** Builds a path from encoded arguments. Refuses an argument that would change the path, such as `..`. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((whole, part, n) => {
    const value = values[n - 1];
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new OptionError('id', 'must be a text that is not empty');
    }
    if (/\p{Cs}/u.test(value)) throw new OptionError('id', 'must not contain half of a surrogate pair');
    return whole + encodeURIComponent(value) + part;
  });
}

function readAnswer(response: Response, text: string, method: string): Answered | Failed {
  const { status, headers } = response;
  if (response.ok) {
    const value = parseJson(text);
    // Only a DELETE has a response without a body. An empty response of a proxy must not look like an accepted event.
    if (value !== undefined || (text === '' && method === 'DELETE')) return { kind: 'answered', value, headers };
  }
  const error = toApiError(response, text);
  return { kind: 'refused', status, retryAfter: error.retryAfter, error };
}

function toApiError({ status, headers }: Response, text: string): ApiError {
  const body = parseJson(text) as { error?: { code?: unknown; message?: unknown; details?: unknown } } | undefined;
  const { code, message, details } = body?.error ?? {};
  const isOurs = typeof code === 'string';
  return createApiError({
    status,
    code: isOurs ? code : 'unexpected_answer',
    message: isOurs ? String(message ?? code) : unexpected(status, headers),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after')),
    details: Array.isArray(details) ? details : undefined,
  });
}

function isNotFound(error: Error): boolean {
  return error instanceof ApiError && error.status === 404 && error.code === 'not_found';
}

/** The answer is JSON, but not what Posthorn answers. */
function wrongAnswer(headers: Headers, message: string): ApiError {
  return new ApiError({
    status: 200,
    code: 'unexpected_answer',
    message,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: undefined,
    details: undefined,
  });
}

function unexpected(status: number, headers: Headers): string {
  if (status === 0 || (status >= 300 && status < 400)) {
    return 'The server answered with a redirect, which is not followed: check baseUrl';
  }
  const type = headers.get('content-type') ?? 'no content type';
  return `The answer ${status} (${type}) does not come from Posthorn: check baseUrl and the proxies before it`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function queryOf(values: Record<string, QueryValue>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) query.append(name, queryText(name, value));
  }
  return query.size > 0 ? `?${query}` : '';
}

function queryText(name: string, value: Exclude<QueryValue, null | undefined>): string {
  return String(value instanceof Date ? requireTime(name, value) : value);
}

function nextCursorOf(by: Paging['by'], fields: Record<string, unknown>, headers: Headers): string | null {
  if (by === 'link') return cursorOfLink(headers.get('link'));
  return by === 'cursor' ? ((fields.nextCursor ?? null) as string | null) : nextNumber(fields);
}

/** The cursor in `Link: <…?cursor=…>; rel="next"`. */
function cursorOfLink(link: string | null): string | null {
  const next = link?.split(',').find((one) => one.includes('rel="next"'));
  const query = next?.slice(next.indexOf('?') + 1, next.indexOf('>'));
  return query === undefined ? null : new URLSearchParams(query).get('cursor');
}

function nextNumber({ page, pageSize, total }: Record<string, unknown>): string | null {
  return Number(page) * Number(pageSize) < Number(total) ? String(Number(page) + 1) : null;
}

function orAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
