import type { Middleware } from 'openapi-fetch';
import { client } from '../client/api.ts';

/**
 * Takes the token out of the address's fragment and sends it with every request. It is kept in memory alone: the
 * address no longer has it, and a reload needs a new link.
 */
export function takeToken(): void {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token');
  window.history.replaceState(null, '', window.location.pathname);
  const authorization: Middleware = {
    onRequest({ request }) {
      if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
      return request;
    },
  };
  client.use(authorization);
}
