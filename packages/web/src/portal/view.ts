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

/** Where the portal stands. The fragment of the address has it, so that the browser's back button works in a frame. */
export type View = { page: Page; id: string | null; tab: string | null };

/** The view of a fragment such as `#endpoints/ep_…/testing`; the list of endpoints for one that is unknown. */
export function readView(fragment: string): View {
  const [page = '', id = '', tab = null] = fragment.slice(1).split('/');
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

export function useView(): View {
  const fragment = useSyncExternalStore(onFragment, () => window.location.hash);
  return useMemo(() => readView(fragment), [fragment]);
}

function onFragment(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function isPage(page: string): page is Page {
  return Object.hasOwn(PAGES, page);
}
