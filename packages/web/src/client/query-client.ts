import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isUnauthorized } from './api-error.ts';

const FRESH_MS = 10_000;
const MAX_RETRIES = 2;
/** The input and the answer of a change may be secrets, so they are forgotten soon after its form has closed. */
const CHANGE_KEPT_MS = 1_000;

/**
 * The cache of answers. `onUnauthorized` is called when any operation finds that the session has ended. A change with the meta
 * `asksPassword` is also refused for a wrong password, and says so itself.
 */
export function createAppQueryClient(onUnauthorized: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isUnauthorized(error)) onUnauthorized();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _input, _result, { meta }) => {
        if (meta?.asksPassword !== true) onError(error);
      },
    }),
    defaultOptions: {
      // A browser that says it is offline may reach an installation on localhost or in its own network. By default the
      // library would hold requests back without a word, and make the held changes when the browser is online again.
      queries: { staleTime: FRESH_MS, retry: isWorthRetrying, networkMode: 'always', refetchOnReconnect: true },
      mutations: { networkMode: 'always', gcTime: CHANGE_KEPT_MS },
    },
  });
}

/** A refusal is final; no answer, and an answer that asks to try again, are not. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 0;
  return failures < MAX_RETRIES && (status === 0 || status === 503);
}
