import { t } from '../language/language.ts';
import { oneOf } from './one-of.ts';

/** The ranges of time that a list offers, in milliseconds. */
const RANGES = { '1h': 3_600_000, '24h': 86_400_000, '3d': 259_200_000 } as const;

export type Range = keyof typeof RANGES;

/** The ranges as the options of a filter. */
export const RANGE_OPTIONS: readonly { value: Range; label: string }[] = [
  { value: '1h', label: t('Last hour') },
  { value: '24h', label: t('Last 24 hours') },
  { value: '3d', label: t('Last 3 days') },
];

export const isRange = oneOf(RANGES);

/** The start of a range that ends now, at a whole minute, so that a list's filter does not change at every render. */
export function startOf(range: Range | undefined, nowMs: number): string | undefined {
  if (range === undefined) return undefined;
  return new Date(Math.floor((nowMs - RANGES[range]) / 60_000) * 60_000).toISOString();
}

/** Half of the time span around a chosen time. */
const AROUND_MS = 1_800_000;

/** True for a minute in UTC, in the format of the address: `2026-11-25T12:00Z`. */
export function isClockTime(value: unknown): value is string {
  return typeof value === 'string' && value.length === 17 && value.endsWith('Z') && !Number.isNaN(Date.parse(value));
}

/** The instant of a date and time input, read as UTC; undefined when it is incomplete. */
export function utcOf(input: string): string | undefined {
  const ms = Date.parse(`${input}Z`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** The half hours before and after a chosen time; undefined for none. */
export function spanAround(at: string | undefined): { from: string; to: string } | undefined {
  if (at === undefined) return undefined;
  const [from, to] = [-AROUND_MS, AROUND_MS].map((ms) => new Date(Date.parse(at) + ms).toISOString());
  return { from: from ?? '', to: to ?? '' };
}

type TimeFilters = { since?: Range; at?: string };

/** The filters after a change. A range and a chosen time replace each other. */
export function withFilter<Search extends TimeFilters>(
  before: Search,
  name: string,
  value: string | undefined,
): Search {
  const { since, at, ...others } = before;
  const kept = name === 'since' || name === 'at' ? others : before;
  return { ...kept, [name]: value } as Search;
}
