import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isFactorRequired, isUnauthorized } from './api-error.ts';

const FRESH_MS = 10_000;
const MAX_RETRIES = 2;
/** A page shows an answer that asks for a longer wait as an error. */
const MAX_RETRY_AFTER_MS = 10_000;
/** The input and the answer of a change may be secrets, so they are forgotten soon after its form has closed. */
const CHANGE_KEPT_MS = 1_000;

/**
 * The cache of answers. `onUnauthorized` is called when any operation finds that the session has ended. A change with the meta
 * `asksPassword` is also refused for a wrong password, and says so itself. `onFactorRequired` is called when nothing can be
 * read before the person has set up a second factor.
 */
export function createAppQueryClient(onUnauthorized: () => void, onFactorRequired?: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isUnauthorized(error)) onUnauthorized();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isFactorRequired(error)) onFactorRequired?.();
        else onError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _input, _result, { meta }) => {
        if (meta?.asksPassword !== true) onError(error);
      },
    }),
    defaultOptions: {
      // A browser that says it is offline may reach an installation on localhost or in its own network. By default the
      // library would hold requests back without a word, and make the held changes when the browser is online again.
      queries: {
        staleTime: FRESH_MS,
        retry: isWorthRetrying,
        retryDelay: delayOf,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always', gcTime: CHANGE_KEPT_MS },
    },
  });
}

/** A refusal is final; no answer, and an answer that asks to try again soon, are not. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const { status, retryAfterMs } = error instanceof ApiError ? error : { status: 0, retryAfterMs: null };
  if (failures >= MAX_RETRIES || (retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return false;
  return status === 0 || status === 429 || status === 503;
}

/** The time that the answer asks for; without one, a second and then two. */
function delayOf(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : null;
  return asked ?? 1_000 * 2 ** failures;
}
