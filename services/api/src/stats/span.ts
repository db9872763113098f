import type { StatsStep } from '@posthorn/contract/stats';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const STEP_MS: Record<StatsStep, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** The longest span of each step, besides the retention, and the span that is read when `from` is not given. */
const MAX_MS: Record<StatsStep, number> = { minute: DAY_MS, hour: 7 * DAY_MS, day: Number.POSITIVE_INFINITY };
const USUAL_MS: Record<StatsStep, number> = { minute: HOUR_MS, hour: DAY_MS, day: 7 * DAY_MS };
const MAX_WORDS = { minute: '24 hours', hour: '7 days', day: 'the retention' };

export type Span = { fromMs: number; toMs: number };
export type SpanRequest = {
  from: string | undefined;
  to: string | undefined;
  step: StatsStep;
  nowMs: number;
  retentionMs: number;
};

/**
 * The whole steps that a request asks for: `from` is rounded down and `to` up, in UTC. Nothing lies before the retention
 * or after the current step. A string is the reason for a refusal.
 */
export function spanOf({ from, to, step, nowMs, retentionMs }: SpanRequest): Span | string {
  const untilMs = to === undefined ? nowMs : Date.parse(to);
  const sinceMs = from === undefined ? untilMs - USUAL_MS[step] : Date.parse(from);
  if (sinceMs >= untilMs) return 'from must be before to';
  if (untilMs - sinceMs > MAX_MS[step]) {
    return `from and to must be at most ${MAX_WORDS[step]} apart with step=${step}`;
  }
  const stepMs = STEP_MS[step];
  const beginOf = (ms: number) => Math.floor(ms / stepMs) * stepMs;
  const [firstMs, endMs] = [beginOf(nowMs - retentionMs), beginOf(nowMs) + stepMs];
  const fromMs = Math.min(Math.max(beginOf(sinceMs), firstMs), endMs);
  const toMs = Math.min(Math.ceil(untilMs / stepMs) * stepMs, endMs);
  // Of a span that is wholly before the retention or after now, no step is left.
  return { fromMs, toMs: Math.max(toMs, fromMs) };
}

/** The beginning of each step. */
export function stepsOf({ fromMs, toMs }: Span, step: StatsStep): number[] {
  const stepMs = STEP_MS[step];
  return Array.from({ length: (toMs - fromMs) / stepMs }, (_, index) => fromMs + index * stepMs);
}
