/** Parses a URL; undefined for any other text. Older browsers have no other way to test a text. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
