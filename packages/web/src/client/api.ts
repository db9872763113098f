import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
// Lets other files name the types of queries.
import type {} from 'openapi-typescript-helpers';
import type { paths } from '../generated/api.ts';
import { t } from '../language/language.ts';
import { ApiError, apiErrorOf } from './api-error.ts';

/** Turns every failure into an ApiError, so that a page handles one kind of error. */
const failures: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    const body: unknown = await response.json().catch(() => null);
    throw apiErrorOf(response, body);
  },
  onError({ error }) {
    if (error instanceof ApiError) return error;
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    const message = t('The service could not be reached. Check the connection, then try again.');
    return new ApiError({ status: 0, code: 'unreachable', message, requestId: null });
  },
};

/** The typed operations of docs/openapi.json. The browser sends the session cookie. */
export const client = createFetchClient<paths>({
  baseUrl: '',
  // A list in a query is one parameter with commas, as the OpenAPI document says.
  querySerializer: { array: { style: 'form', explode: false } },
});
client.use(failures);

/** The operations of docs/openapi.json with a pull key instead of the session. */
export function keyClient(key: string) {
  const keyed = createFetchClient<paths>({
    baseUrl: '',
    headers: { authorization: `Bearer ${key}` },
    credentials: 'omit',
  });
  keyed.use(failures);
  return keyed;
}

/** The same operations as TanStack queries and mutations. */
export const api = createQueryClient(client);
