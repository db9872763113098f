type Acknowledgement = Readonly<Record<string, string | number | boolean>>;

/** Bytes in base64, for the JSON of a statement. */
export function toBase64(bytes: Uint8Array | null | undefined): string | null {
  return bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString('base64');
}

/**
 * A text that Postgres can store. A receiver's or broker's text may contain a NUL or half a surrogate pair, either of
 * which would make the statement fail, with all results of its batch.
 */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '');
}

/** The reason that a transformation gave for cancelling the event. */
export function cancelReasonOf(next: { cancelReason?: string | undefined } | object): string | null {
  return 'cancelReason' in next && next.cancelReason !== undefined ? storableText(next.cancelReason) : null;
}

/** A broker's acknowledgement that Postgres can store. */
export function storableAcknowledgement(
  given: Acknowledgement | null | undefined,
): Record<string, string | number | boolean> | null {
  if (given === null || given === undefined) return null;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? storableText(value) : value]),
  );
}
