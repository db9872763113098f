import { useMemo, useSyncExternalStore } from 'react';

/** The pages, each with the prefix of the ids that its address may have. */
const PAGES = {
  endpoints: 'ep_',
  deliveries: 'dlv_',
  messages: 'msg_',
  'event-types': null,
  statistics: null,
  alerts: null,
  activity: null,
  verifier: null,
  agent: null,
} as const;

export type Page = keyof typeof PAGES;

/** The current page, id and tab. They are in the address's fragment, so that the back button also works in a frame. */
export type View = { page: Page; id: string | null; tab: string | null };

/** Reads a fragment such as `#endpoints/ep_…/testing`. An unknown one gives the list of endpoints. */
export function readView(fragment: string): View {
  const [page = '', id = '', tab = null] = pathOf(fragment).split('/');
  if (!isPage(page)) return { page: 'endpoints', id: null, tab: null };
  const prefix = PAGES[page];
  const hasId = prefix !== null && id.startsWith(prefix);
  return { page, id: hasId ? id : null, tab: hasId ? tab : null };
}

export function hrefOf(page: Page, id?: string, tab?: string): string {
  return `#${[page, id, tab].filter((part) => part !== undefined).join('/')}`;
}

export function go(href: string): void {
  window.location.hash = href;
}

/**
 * A filter of the page. The fragment keeps it, such as `#messages?type=order.created`, so that the way back leads to the same
 * rows. To set it is no step of the history.
 */
export function useFilter(name: string): [value: string | null, set: (value: string | null) => void] {
  const fragment = useFragment();
  const set = (value: string | null) => window.location.replace(withFilter(window.location.hash, name, value));
  return [readFilter(fragment, name), set];
}

export function readFilter(fragment: string, name: string): string | null {
  return new URLSearchParams(queryOf(fragment)).get(name);
}

/** The fragment with another value of a filter; null for none. */
export function withFilter(fragment: string, name: string, value: string | null): string {
  const filters = new URLSearchParams(queryOf(fragment));
  if (value === null) filters.delete(name);
  else filters.set(name, value);
  return `#${[pathOf(fragment), filters.toString()].filter((part) => part !== '').join('?')}`;
}

const pathOf = (fragment: string) => fragment.slice(1).split('?', 1)[0] ?? '';
const queryOf = (fragment: string) => fragment.slice(1 + pathOf(fragment).length);

export function useView(): View {
  const fragment = useFragment();
  return useMemo(() => readView(fragment), [fragment]);
}

function useFragment(): string {
  return useSyncExternalStore(onFragment, () => window.location.hash);
}

function onFragment(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function isPage(page: string): page is Page {
  return Object.hasOwn(PAGES, page);
}
