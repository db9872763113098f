import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isUnauthorized } from './api-error.ts';

const FRESH_MS = 10_000;
const MOST_RETRIES = 2;

/** The cache of answers. `onUnauthorized` is called when any operation finds that the session has ended. */
export function createAppQueryClient(onUnauthorized: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isUnauthorized(error)) onUnauthorized();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: isWorthRetrying },
    },
  });
}

/** A refusal is final; no answer, and an answer that asks to try again, are not. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 0;
  return failures < MOST_RETRIES && (status === 0 || status === 503);
}
