import type { Middleware } from 'openapi-fetch';
import { client } from '../client/api.ts';

let token: string | null = null;

/** The session's token, for a configuration that the customer copies; null without one. */
export function portalToken(): string | null {
  return token;
}

/**
 * Takes the token out of the address's fragment, and sends it with every request. It is only kept in memory: the
 * address no longer has it, and a reload needs the link again. When the link is opened again in the same page, the page
 * keeps its view, and `onToken` is called. Returns whether there is a token.
 */
export function takeToken(onToken: () => void): boolean {
  token = takeFromAddress('');
  const authorization: Middleware = {
    onRequest({ request }) {
      if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
      return request;
    },
  };
  client.use(authorization);
  window.addEventListener('hashchange', ({ oldURL }) => {
    const next = takeFromAddress(new URL(oldURL).hash);
    if (next === null) return;
    token = next;
    onToken();
  });
  return token !== null;
}

/** Takes a token out of the fragment, and puts the view in its place. */
function takeFromAddress(view: string): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (token !== null) window.history.replaceState(null, '', `${window.location.pathname}${view}`);
  return token;
}
