type Acknowledgement = Readonly<Record<string, string | number | boolean>>;

/** Bytes as they travel in the JSON of a statement. */
export function toBase64(bytes: Uint8Array | null | undefined): string | null {
  return bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString('base64');
}

/**
 * A text that Postgres can store. What a receiver or a broker said may have a NUL or half of a pair of surrogates: with one
 * of them the statement would fail, and with it all results of its batch.
 */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '');
}

/** What a transformation says that cancelled the event. */
export function cancelReasonOf(next: { cancelReason?: string | undefined } | object): string | null {
  return 'cancelReason' in next && next.cancelReason !== undefined ? storableText(next.cancelReason) : null;
}

/** The same for what a broker acknowledged. */
export function storableAcknowledgement(
  given: Acknowledgement | null | undefined,
): Record<string, string | number | boolean> | null {
  if (given === null || given === undefined) return null;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? storableText(value) : value]),
  );
}
