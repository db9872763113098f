import { systemClock } from '@posthorn/runtime/clock';
import { flagOf, text, type Values } from './command.ts';
import { Usage } from './failure.ts';

/** An ISO 8601 time begins with a whole date. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]|$)/;

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration in milliseconds: `90s`, `15m`, `2h` or `7d`. Undefined for any other text. */
function parseDuration(value: string): number | undefined {
  const unit = UNIT_MS[value.slice(-1)];
  const count = Number(value.slice(0, -1));
  return unit !== undefined && value.length > 1 && Number.isInteger(count) && count >= 0 ? count * unit : undefined;
}

/** The instant that an option gives: an ISO 8601 time, or how long ago, such as `2h`. Undefined if it is not given. */
export function moment(values: Values, name: string, now: Date = systemClock.now()): Date | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const ago = parseDuration(value);
  const instant = ago === undefined ? readTime(value) : new Date(now.getTime() - ago);
  if (Number.isNaN(instant.getTime()))
    throw new Usage(`${flagOf(name)} must be a time (2026-11-25T09:00:00Z) or an age (2h)`);
  return instant;
}

/** Checks the form first, because `new Date` reads `3` as a month of 2001. */
function readTime(value: string): Date {
  return new Date(ISO_TIME.test(value) ? value : Number.NaN);
}

/** A duration from an option, in seconds. */
export function seconds(values: Values, name: string): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const ms = parseDuration(value);
  if (ms === undefined) throw new Usage(`${flagOf(name)} must be a length of time: 90s, 15m, 2h or 7d`);
  return ms / 1_000;
}
