import { parseUrl } from './parse-url.ts';

/**
 * Keeps the session's return address with this entry of the browser's history, and with every later one, so that a
 * reloaded page, which has lost its token, still knows the way back. It is not a secret.
 */
export function keepReturnUrl(returnUrl: string): () => void {
  const keep = () => window.history.replaceState({ returnUrl }, '');
  keep();
  window.addEventListener('hashchange', keep);
  return () => window.removeEventListener('hashchange', keep);
}

/** The address that was kept, if it is one of the web. */
export function keptReturnUrl(): string | null {
  const state: unknown = window.history.state;
  const url: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'returnUrl') : null;
  return typeof url === 'string' && isWebAddress(url) ? url : null;
}

function isWebAddress(url: string): boolean {
  return ['https:', 'http:'].includes(parseUrl(url)?.protocol ?? '');
}
