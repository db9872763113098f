import { LRUCache } from 'lru-cache';
import type { TlsPlace } from './own-tls.ts';
import type { WebRequest, WebSender } from './send.ts';

type Owned = { sender: WebSender; revision: string; sending: number; isRetired: boolean };

const MAX_SENDERS = 200;
const IDLE_MS = 60_000;

/**
 * A sender for each endpoint with its own TLS settings, so that no connection serves another endpoint or another
 * revision. It is closed after a minute without a request, or once the endpoint has changed and no request is open.
 */
export function createTlsSenders(create: (place: TlsPlace) => WebSender) {
  const all = new Set<Owned>();
  let isAborted = false;
  const closeIfUnused = (one: Owned) => {
    if (!one.isRetired || one.sending > 0 || !all.delete(one)) return;
    one.sender.close();
  };
  const kept = new LRUCache<string, Owned>({
    max: MAX_SENDERS,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose(one) {
      one.isRetired = true;
      closeIfUnused(one);
    },
  });
  const senderOf = (place: TlsPlace): Owned => {
    const present = kept.get(place.endpointId);
    if (present?.revision === place.revision) return present;
    const made = { sender: create(place), revision: place.revision, sending: 0, isRetired: false };
    if (isAborted) made.sender.abortAll();
    all.add(made);
    kept.set(place.endpointId, made);
    return made;
  };
  return {
    async send(place: TlsPlace, request: WebRequest) {
      const one = senderOf(place);
      one.sending += 1;
      try {
        return await one.sender.send(request);
      } finally {
        one.sending -= 1;
        closeIfUnused(one);
      }
    },
    abortAll() {
      isAborted = true;
      for (const { sender } of all) sender.abortAll();
    },
    close() {
      kept.clear();
      for (const { sender } of all) sender.close();
    },
  };
}
