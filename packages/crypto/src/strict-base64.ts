/**
 * The bytes of a canonical base64 (padded) or base64url (unpadded) text; `undefined` for any other encoding of them.
 * Node itself silently accepts foreign characters, missing padding and trailing bits.
 */
export function decodeStrictBase64(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
