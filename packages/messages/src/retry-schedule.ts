const MAX_RETRY_AFTER_SECONDS = 86_400;
const JITTER = 0.2;
const SPREAD = 0.1;
const MOST_SPREAD_SECONDS = 30;

/** The schedule of an installation that sets none: ten attempts in three days. */
export const DEFAULT_RETRY_SCHEDULE = '5,300,1800,7200,18000,36000,50400,72000,86400';

/** Reads `5,300,1800`: seconds before each retry, 1–20 whole numbers of 1–86,400. Throws an Error that names the rule. */
export function parseRetrySchedule(text: string): number[] {
  const steps = text.split(',').map((step) => step.trim());
  const valid = steps.every((step) => /^\d{1,5}$/.test(step) && Number(step) >= 1 && Number(step) <= 86_400);
  if (!valid || steps.length > 20) throw new Error('must be 1 to 20 whole seconds of 1 to 86400, with commas between');
  return steps.map(Number);
}

export type RetryDelayInput = {
  schedule: readonly number[];
  /** The number of steps already used. */
  step: number;
  /** The `Retry-After` of a 429 or 503, in seconds. */
  retryAfterSeconds: number | undefined;
  /** A random number from 0 to 1, excluding 1. */
  random: number;
};

/**
 * The seconds to the next attempt: the schedule's step ±20 %, or the receiver's `Retry-After` (at most 24 h) if that
 * is later. Deliveries that were asked to wait for the same time are spread over a tenth of the wait, at most 30 s.
 * Undefined when no step is left.
 */
export function retryDelaySeconds({ schedule, step, retryAfterSeconds, random }: RetryDelayInput): number | undefined {
  const base = schedule[step];
  if (base === undefined) return undefined;
  const jittered = base * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return Math.max(jittered, asked + random * Math.min(asked * SPREAD, MOST_SPREAD_SECONDS));
}

/**
 * The seconds in a `Retry-After` header: a whole number, or the time from `now` to an HTTP date (RFC 9110 §10.2.3,
 * §5.6.7). Undefined for any other text, and for a time in the past.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,100}$/.test(text)) return Number(text);
  if (!HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  const seconds = (at - now.getTime()) / 1_000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

// The preferred form, the obsolete form of RFC 850, and the form of asctime.
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;
