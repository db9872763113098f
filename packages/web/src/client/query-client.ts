import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isFactorRequired, isUnauthorized } from './api-error.ts';

const FRESH_MS = 10_000;
const MAX_RETRIES = 2;
/** The longest wait before a retry. If a response asks for a longer one, the page shows it as an error. */
const MAX_RETRY_AFTER_MS = 10_000;
/** Input and result of a change may be secrets, so they are dropped soon after the form has closed. */
const CHANGE_KEPT_MS = 1_000;

/**
 * The cache of answers. `onUnauthorized` is called when any operation finds that the session has ended. Changes with
 * the meta `asksPassword` are exempt: a wrong password also refuses them, and they show that error themselves.
 * `onFactorRequired` is called when the person must set up a second factor before anything can be read.
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
      // A browser that reports to be offline may still reach an installation on localhost or in its own network. By
      // default the library would silently hold back requests, and make the held changes when the browser is online
      // again.
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

/** True for no response, and for a response that asks to try again soon. Other refusals are final. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const { status, retryAfterMs } = error instanceof ApiError ? error : { status: 0, retryAfterMs: null };
  if (failures >= MAX_RETRIES || (retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return false;
  return status === 0 || status === 429 || status === 503;
}

/** The wait that the response asks for; without one, a second and then two. */
function delayOf(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : null;
  return asked ?? 1_000 * 2 ** failures;
}
