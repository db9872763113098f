export type Payload = { isJson: true; value: unknown } | { isJson: false };

/** Reads a body as JSON in UTF-8; a BOM is allowed (RFC 8259 §8.1). A body that is not JSON matches no filter. */
export function parsePayload(body: Uint8Array): Payload {
  if (body.length === 0) return { isJson: false };
  try {
    return { isJson: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return { isJson: false };
  }
}
