import { parseUrl } from './parse-url.ts';

/**
 * Keeps the session's return URL in this and every later entry of the browser's history. So a reloaded page, which has
 * lost its token, still knows the way back. The URL is not a secret.
 */
export function keepReturnUrl(returnUrl: string): () => void {
  const keep = () => window.history.replaceState({ returnUrl }, '');
  keep();
  window.addEventListener('hashchange', keep);
  return () => window.removeEventListener('hashchange', keep);
}

/** The URL that was kept, if it is an http or https URL. */
export function keptReturnUrl(): string | null {
  const state: unknown = window.history.state;
  const url: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'returnUrl') : null;
  return typeof url === 'string' && isWebAddress(url) ? url : null;
}

function isWebAddress(url: string): boolean {
  return ['https:', 'http:'].includes(parseUrl(url)?.protocol ?? '');
}
