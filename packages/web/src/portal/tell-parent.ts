import { useEffect } from 'react';
import type { Access } from './access.ts';
import { parseUrl } from './parse-url.ts';

/** A message from the portal to the page that frames it (docs/interface/applications.md, Messages of the frame). */
type Message = { type: 'posthorn.portal.height'; height: number } | { type: 'posthorn.portal.ended' };

let parentOrigin: string | null = null;

/**
 * Posts the height of the content, and each change of it, to the page that frames the portal. Only pages of the
 * workspace's `portalOrigins` get it.
 */
export function useToldHeight(origins: readonly string[] | undefined): void {
  useEffect(() => {
    parentOrigin = originOfParent(origins ?? []) ?? parentOrigin;
    const content = document.querySelector('#app');
    if (content === null || parentOrigin === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const height = Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0);
      if (height > 0) tell({ type: 'posthorn.portal.height', height });
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, [origins]);
}

/** Tells the page that frames the portal that the session has ended, so that it can get a new link. */
export function useToldEnd(access: Access): void {
  useEffect(() => {
    if (access === 'ended') tell({ type: 'posthorn.portal.ended' });
  }, [access]);
}

function tell(message: Message): void {
  if (parentOrigin !== null) window.parent.postMessage(message, parentOrigin);
}

/** The origin of the framing page, if it is allowed; null if it is not, or if nothing frames this page. */
function originOfParent(origins: readonly string[]): string | null {
  if (window.parent === window) return null;
  // Not every browser has `ancestorOrigins`. `referrer` is empty if the framing page sends none.
  const given = window.location.ancestorOrigins?.[0] ?? document.referrer;
  const url = parseUrl(given);
  if (url === undefined) return null;
  const { origin, protocol, hostname } = url;
  // An allowed origin such as `http://localhost:*` matches any port.
  const anyPort = `${protocol}//${hostname}:*`;
  return origins.some((one) => one === origin || one === anyPort) ? origin : null;
}
