import { oneOf } from '../../../components/one-of.ts';
import { searchOf } from '../../search-of.ts';

/** The time spans to choose from, each with the step of its points. The service derives the span from the step. */
export const SPANS = { '1h': 'minute', '24h': 'hour', '7d': 'day' } as const;

export type Span = keyof typeof SPANS;

export const isSpan = oneOf(SPANS);

/** The span of the page. Without one, it depends on the age of the workspace. */
export const readOverviewSearch = searchOf({ span: isSpan });

const HOUR_MS = 3_600_000;

/** The default span. With a day as span, the first two hours of a workspace would be only one or two points. */
export function spanOfAge(createdAt: string, nowMs: number): Span {
  return nowMs - Date.parse(createdAt) < 2 * HOUR_MS ? '1h' : '24h';
}
