import { isJsonType } from '@posthorn/contract/ingest';

/** The part of an event that filters see. */
export type Payload =
  | { kind: 'json'; value: unknown }
  /** Not JSON by its content type, or empty. */
  | { kind: 'other' }
  /** It cannot be opened, or is gone. */
  | { kind: 'unreadable' };

/** Reads a stored body, undefined where it cannot be opened. JSON is UTF-8; a BOM is allowed (RFC 8259 §8.1). */
export function payloadOf(contentType: string | null, body: Uint8Array | undefined): Payload {
  if (body === undefined) return { kind: 'unreadable' };
  if (body.length === 0 || !isJsonType(contentType ?? undefined)) return { kind: 'other' };
  try {
    return { kind: 'json', value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    // Ingestion has checked it. A body that is not JSON all the same matches no filter.
    return { kind: 'other' };
  }
}
