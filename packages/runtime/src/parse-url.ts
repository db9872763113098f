/**
 * A URL, or undefined for a text that is none. `URL.canParse` must not be asked: on Node 20 and 22 it refuses every URL with
 * é, ü, ß or ñ once it was called some thousand times, because its fast path reads Latin-1 as UTF-8.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
