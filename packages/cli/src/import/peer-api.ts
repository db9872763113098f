import { CommandError, EXIT } from '../failure.ts';

export type PeerApi = {
  /** The JSON at a path of the other service. Throws a `CommandError` for any other answer. */
  get: (path: string, query?: Record<string, string | undefined>) => Promise<unknown>;
  /** As `get`, but undefined if this installation of the service does not have the path. */
  find: (path: string) => Promise<unknown>;
};

const WITHIN_MS = 30_000;
const RETRIES = 3;
/** Stops a list that never ends. */
export const MOST_PAGES = 2_000;

/** Reads the API of another service. It never changes anything there. */
export function createPeerApi(baseUrl: string, authorization: string, signal: AbortSignal): PeerApi {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  const answered = async (url: URL): Promise<Response> => {
    for (let tried = 0; ; tried += 1) {
      const response = await ask(url, authorization, signal);
      const mayPass = response.status === 429 || (response.status >= 500 && response.status !== NOT_IMPLEMENTED);
      if (!mayPass || tried === RETRIES) return response;
      await pause(secondsOf(response.headers.get('retry-after'), tried), signal);
    }
  };
  return {
    async get(path, query = {}) {
      const url = new URL(path, base);
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
      const response = await answered(url);
      if (response.ok) return readJson(response, url);
      throw refused(url, response.status, await response.text());
    },
    async find(path) {
      const url = new URL(path, base);
      const response = await answered(url);
      if (response.ok) return readJson(response, url);
      if (ABSENT.includes(response.status)) return undefined;
      throw refused(url, response.status, await response.text());
    },
  };
}

const NOT_IMPLEMENTED = 501;
const ABSENT = [404, 405, NOT_IMPLEMENTED];

async function ask(url: URL, authorization: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    const message = `${url.origin} cannot be reached: ${String((error as Error).cause ?? (error as Error).message)}`;
    throw new CommandError({ exitCode: EXIT.unavailable, code: 'no_connection', message, next: 'check --from-url' });
  }
}

async function readJson(response: Response, url: URL): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    const message = `${url.href} did not answer with JSON`;
    throw new CommandError({
      exitCode: EXIT.unavailable,
      code: 'unexpected_answer',
      message,
      next: 'check --from-url',
    });
  }
}

function refused(url: URL, status: number, body: string): CommandError {
  const exitCode = status === 401 || status === 403 ? EXIT.unauthorized : status === 404 ? EXIT.notFound : EXIT.refused;
  const message = `${url.href} answered ${status}: ${body.slice(0, 200)}`;
  return new CommandError({ exitCode, code: 'peer_refused', message, next: 'check --from-url and --from-token' });
}

function secondsOf(retryAfter: string | null, tried: number): number {
  const given = Number(retryAfter);
  return retryAfter !== null && Number.isFinite(given) ? Math.min(60, given) : 2 ** tried;
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
