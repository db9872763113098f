/** A URL, or undefined for a text that is none. Older browsers have no other way to ask. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
