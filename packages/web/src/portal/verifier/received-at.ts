const ZONE = /(z|gmt|utc|[+-]\d\d:?\d\d)$/i;

/** The typed time in milliseconds, in UTC unless it names a zone; `nowMs` for an empty text, and NaN for one that is no time. */
export function receivedAtMs(typed: string, nowMs: number): number {
  const text = typed.trim();
  if (text === '') return nowMs;
  return Date.parse(ZONE.test(text) ? text : `${text}Z`);
}
