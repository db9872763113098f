/** The spans that the page offers, each with the step of its points; the service gives a step its span. */
export const SPANS = { '1h': 'minute', '24h': 'hour', '7d': 'day' } as const;

export type Span = keyof typeof SPANS;

/** The span of the page, as its address has it; 24 hours when absent. */
export type OverviewSearch = { span?: Span };

export function readOverviewSearch({ span }: Record<string, unknown>): OverviewSearch {
  return isSpan(span) ? { span } : {};
}

export function isSpan(value: unknown): value is Span {
  return typeof value === 'string' && Object.hasOwn(SPANS, value);
}
