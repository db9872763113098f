/**
 * The bytes of a canonical base64 (padded) or base64url (unpadded) text, `undefined` for any other spelling of them:
 * Node itself skips foreign characters, missing padding and trailing bits without a word.
 */
export function decodeStrictBase64(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
