import { CommandError, EXIT } from './failure.ts';

// The operations of a person's account. They are not in the management interface, so the client library lacks them.

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

/** The answer of an operation under `/api`; undefined if it has no body. Throws a CommandError. */
export async function askAccount<Answer>(baseUrl: string, question: Question): Promise<Answer> {
  const { method, path, body, token, signal } = question;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const url = `${baseUrl.replace(/\/$/, '')}/api${path}`;
  const ask = async () => {
    const response = await fetch(url, {
      method,
      headers,
      // A redirect could hand the credential to another server.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, text: await response.text() };
  };
  const { response, text } = await ask().catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new CommandError({
      exitCode: EXIT.unavailable,
      code: 'no_connection',
      message: `${new URL(url).host} does not answer`,
      next: 'check the address and the network',
    });
  });
  if (response.status === 204) return undefined as Answer;
  const answer = readJson(text);
  if (response.ok && answer !== undefined) return answer as Answer;
  throw refusal(response, answer);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal({ status, headers }: Response, answer: unknown): CommandError {
  const { error } = (answer ?? {}) as { error?: { code?: unknown; message?: unknown } };
  if (typeof error?.code !== 'string') {
    return new CommandError({
      exitCode: EXIT.unavailable,
      code: 'unexpected_answer',
      message: `The answer ${status} does not come from this version of Posthorn`,
      next: 'check the address',
    });
  }
  const requestId = headers.get('x-request-id') ?? undefined;
  const verdict = VERDICTS[status] ?? (status >= 500 ? FAULT : REFUSAL);
  return new CommandError({ code: error.code, message: String(error.message), requestId, ...verdict });
}

type Verdict = { exitCode: number; next: string };

const REFUSAL: Verdict = { exitCode: EXIT.refused, next: 'change the request: --help shows an example' };
const FAULT: Verdict = { exitCode: EXIT.other, next: 'give the operator the request id' };
const AWAY: Verdict = { exitCode: EXIT.unavailable, next: 'try again in a minute' };

const VERDICTS: Record<number, Verdict> = {
  401: { exitCode: EXIT.unauthorized, next: 'log in again: posthorn login' },
  403: { exitCode: EXIT.unauthorized, next: 'use a credential that may do this: posthorn whoami shows yours' },
  404: { exitCode: EXIT.notFound, next: 'check the address' },
  429: { exitCode: EXIT.refused, next: 'try again in a minute' },
  502: AWAY,
  503: AWAY,
  504: AWAY,
};
