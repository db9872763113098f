import { CommandError, EXIT } from './failure.ts';

// The operations of a person. The management interface does not have them, so the client library does not either.

export type Person = { id: string; email: string; name: string };
export type OwnWorkspace = { id: string; name: string; role: string };

type Question = {
  method: 'GET' | 'POST';
  path: string;
  body?: Record<string, unknown>;
  token?: string;
  signal: AbortSignal;
};

const TIMEOUT_MS = 15_000;

/** The answer of an operation below `/api`; undefined where it has no body. Throws a CommandError. */
export async function askAccount<Answer>(baseUrl: string, question: Question): Promise<Answer> {
  const { method, path, body, token, signal } = question;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const url = `${baseUrl.replace(/\/$/, '')}/api${path}`;
  const response = await fetch(url, {
    method,
    headers,
    // Another server must not get the credential.
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new CommandError({
      exitCode: EXIT.unavailable,
      code: 'no_connection',
      message: `${new URL(url).host} does not answer`,
      next: 'check the address and the network',
    });
  });
  const text = await response.text();
  if (response.status === 204) return undefined as Answer;
  const answer = readJson(text);
  if (response.ok && answer !== undefined) return answer as Answer;
  throw refusal(response.status, answer);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, answer: unknown): CommandError {
  const { error } = (answer ?? {}) as { error?: { code?: unknown; message?: unknown; requestId?: unknown } };
  if (typeof error?.code !== 'string') {
    return new CommandError({
      exitCode: EXIT.unavailable,
      code: 'unexpected_answer',
      message: `The answer ${status} does not come from this version of Posthorn`,
      next: 'check the address',
    });
  }
  const exitCode = EXIT_OF_STATUS[status] ?? (status >= 500 ? EXIT.unavailable : EXIT.refused);
  const requestId = typeof error.requestId === 'string' ? error.requestId : undefined;
  return new CommandError({ exitCode, code: error.code, message: String(error.message), requestId });
}

const EXIT_OF_STATUS: Record<number, number> = {
  401: EXIT.unauthorized,
  403: EXIT.unauthorized,
  404: EXIT.notFound,
};
