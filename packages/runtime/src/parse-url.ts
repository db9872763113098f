/**
 * Parses a URL; undefined for any other text. Do not use `URL.canParse`: on Node 20 and 22, after some thousand calls,
 * it refuses every URL with é, ü, ß or ñ, because its fast path reads Latin-1 as UTF-8.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
