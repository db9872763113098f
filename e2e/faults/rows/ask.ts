/** A response. The status is 0 if there was none. */
export type Reply = { status: number; text: string; headers: Headers; afterMs: number };

export type Asked = {
  token?: string | undefined;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object | undefined;
  /** Sent unchanged, instead of `body`. */
  bytes?: Uint8Array;
  /** The time limit for the response, in ms. Default 30 s. */
  withinMs?: number;
};

const ANSWER_WITHIN_MS = 30_000;

/** Sends one request and reads the whole response, or only the head of a stream. Never throws: a failure is a value. */
export async function ask(method: string, url: string, asked: Asked = {}): Promise<Reply> {
  const { token, headers, body, bytes, withinMs = ANSWER_WITHIN_MS } = asked;
  const content = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const beganMs = performance.now();
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(withinMs),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? '' : await response.text();
    if (isStream) await response.body?.cancel();
    return { status: response.status, text, headers: response.headers, afterMs: performance.now() - beganMs };
  } catch (error) {
    return { status: 0, text: String(error), headers: new Headers(), afterMs: performance.now() - beganMs };
  }
}

/** A field of a JSON object; undefined if the text is not a JSON object. */
export function field(reply: Pick<Reply, 'text'>, name: string): unknown {
  const value = jsonOf(reply.text);
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The error code, or the status if there is none. */
export function codeOf(reply: Reply): string {
  const error = field(reply, 'error');
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : String(reply.status);
}

/** Processes all items, at most `atOnce` at a time, and returns the results in order. */
export async function inTurns<Given, Result>(
  given: readonly Given[],
  atOnce: number,
  work: (one: Given, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < given.length) {
      const index = begun;
      begun += 1;
      for (const one of given.slice(index, index + 1)) results[index] = await work(one, index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON, so it has no fields.
  }
}
