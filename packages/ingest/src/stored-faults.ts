import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { SchemaFault } from '@posthorn/json-schema/node';

/**
 * The faults of a payload, as stored with its event: texts without the payload's keys. If the full texts differ, they
 * are stored too, sealed, because they contain parts of the payload.
 */
export type StoredFaults = readonly string[] | { shown: readonly string[]; sealed: string };

export function storeFaults(
  keys: SealingKeys,
  eventId: string,
  faults: readonly SchemaFault[] | null,
): StoredFaults | null {
  if (faults === null) return null;
  const shown = faults.map(({ withoutKeys }) => withoutKeys);
  const texts = faults.map(({ text }) => text);
  if (texts.every((text, index) => text === shown[index])) return shown;
  const sealed = seal(keys, Buffer.from(JSON.stringify(texts)), sealContext.schemaErrors(eventId));
  return { shown, sealed: sealed.toString('base64') };
}

/** The stored faults of an event. A reader that may see payloads gets them with the payload's keys. */
export function readFaults(stored: unknown, eventId: string, keys: SealingKeys | undefined): string[] | null {
  if (stored === null || typeof stored !== 'object') return null;
  if (Array.isArray(stored)) return stored.map(String);
  if (!('shown' in stored && Array.isArray(stored.shown) && 'sealed' in stored)) return null;
  const shown = stored.shown.map(String);
  if (keys === undefined) return shown;
  const opened = open(keys, Buffer.from(String(stored.sealed), 'base64'), sealContext.schemaErrors(eventId));
  return opened.kind === 'opened' ? JSON.parse(opened.plaintext.toString()) : shown;
}
