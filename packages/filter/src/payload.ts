import { isJsonType } from '@posthorn/contract/ingest';

/** The part of an event that filters see. */
export type Payload =
  | { kind: 'json'; value: unknown }
  /** Empty, or not JSON according to its content type. */
  | { kind: 'other' }
  /** The payload cannot be opened, or is gone. */
  | { kind: 'unreadable' };

/** Reads a stored body; undefined if it cannot be opened. JSON is UTF-8, and a BOM is allowed (RFC 8259 §8.1). */
export function payloadOf(contentType: string | null, body: Uint8Array | undefined): Payload {
  if (body === undefined) return { kind: 'unreadable' };
  if (body.length === 0 || !isJsonType(contentType ?? undefined)) return { kind: 'other' };
  try {
    return { kind: 'json', value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    // Ingestion has checked the body. If it is not JSON after all, it matches no filter.
    return { kind: 'other' };
  }
}
