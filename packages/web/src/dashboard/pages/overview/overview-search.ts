import { oneOf } from '../../../components/one-of.ts';
import { searchOf } from '../../search-of.ts';

/** The spans that the page offers, each with the step of its points; the service gives a step its span. */
export const SPANS = { '1h': 'minute', '24h': 'hour', '7d': 'day' } as const;

export type Span = keyof typeof SPANS;

export const isSpan = oneOf(SPANS);

/** The span of the page. When absent, it follows the age of the workspace. */
export const readOverviewSearch = searchOf({ span: isSpan });

const HOUR_MS = 3_600_000;

/** In a day, all that happened in the first two hours of a workspace would be one or two points. */
export function spanOfAge(createdAt: string, nowMs: number): Span {
  return nowMs - Date.parse(createdAt) < 2 * HOUR_MS ? '1h' : '24h';
}
