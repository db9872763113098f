import { sealContext } from './contexts.ts';
import { open, type SealingKeys } from './seal.ts';

/** The body of an event as it was ingested: empty if none is stored, undefined if no key opens it. */
export function openPayload(keys: SealingKeys, eventId: string, payload: Uint8Array | null): Buffer | undefined {
  if (payload === null) return Buffer.alloc(0);
  const opened = open(keys, payload, sealContext.payload(eventId));
  return opened.kind === 'opened' ? opened.plaintext : undefined;
}
