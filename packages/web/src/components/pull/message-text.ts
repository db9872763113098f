/** Decodes the base64 body of a leased message or an attempt as text. If it is not text, returns the base64. */
export function messageText(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return base64;
  }
}
