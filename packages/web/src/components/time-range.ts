import { t } from '../language/language.ts';

/** The ranges of time that a list offers, in milliseconds. */
const RANGES = { '1h': 3_600_000, '24h': 86_400_000, '3d': 259_200_000 } as const;

export type Range = keyof typeof RANGES;

/** The ranges as the options of a filter. */
export const RANGE_OPTIONS: readonly { value: Range; label: string }[] = [
  { value: '1h', label: t('Last hour') },
  { value: '24h', label: t('Last 24 hours') },
  { value: '3d', label: t('Last 3 days') },
];

export function isRange(value: unknown): value is Range {
  return typeof value === 'string' && Object.hasOwn(RANGES, value);
}

/** The start of a range that ends now, at a whole minute, so that a list does not change its filter at every render. */
export function startOf(range: Range | undefined, nowMs: number): string | undefined {
  if (range === undefined) return undefined;
  return new Date(Math.floor((nowMs - RANGES[range]) / 60_000) * 60_000).toISOString();
}
