/** The browser's time in milliseconds. No other file reads it, so that tests can pass their own time. */
export function nowMs(): number {
  return Date.now();
}
