/** Calls the public HTTP interface. `path` is below the server's address. */
export type Api = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

export type ApiAnswer = { status: number; body: unknown };

const TIMEOUT_MS = 10_000;

/** Calls the interface with a Bearer credential; rejects only when no answer came. */
export function createApi(address: string, credential: string, signal: AbortSignal): Api {
  return async (method, path, body) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

/** Like `api`, but a refusal is an Error with the API's message, for calls that are expected to succeed. */
export function strict(api: Api): Api {
  return async (method, path, body) => {
    const answer = await api(method, path, body);
    if (answer.status < 300) return answer;
    const message = field(field(answer.body, 'error'), 'message');
    throw new Error(`${method} ${path} was answered ${answer.status}: ${String(message)}`);
  };
}

/** A text field of an answer's body; throws if it is missing. */
export function textField(body: unknown, name: string): string {
  const value = field(body, name);
  if (typeof value === 'string') return value;
  throw new Error(`an answer of the API has no ${name}`);
}

/** A field of an answer's body, or undefined. */
export function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}
