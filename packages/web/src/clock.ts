/** The browser's time in milliseconds. No other file reads it, so that a test of logic gives its own. */
export function nowMs(): number {
  return Date.now();
}
