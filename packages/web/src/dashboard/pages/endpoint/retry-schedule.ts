const MAX_RETRIES = 20;
const LONGEST_STEP = 86_400;
const LONGEST_TOGETHER = 5 * 86_400;

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, min: 60, m: 60, h: 3_600, d: 86_400 };

export type TypedSchedule = { kind: 'schedule'; seconds: number[] } | { kind: 'wrong'; why: string };

/**
 * Reads a typed schedule, such as `5 s, 5 min, 2 h`. A number without a unit is in seconds. An empty text means no
 * retry.
 */
export function readSchedule(text: string): TypedSchedule {
  const parts = text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
  const seconds: number[] = [];
  for (const part of parts) {
    const step = secondsOf(part);
    if (step === undefined)
      return wrong(`“${part}” is not a time. Write 30 s, 5 min, 2 h or 1 d, with commas between.`);
    if (step < 1 || step > LONGEST_STEP) return wrong(`“${part}” is not between 1 s and 1 d.`);
    seconds.push(step);
  }
  if (seconds.length > MAX_RETRIES)
    return wrong(`There are ${seconds.length} retries; at most ${MAX_RETRIES} are allowed.`);
  if (sum(seconds) > LONGEST_TOGETHER) return wrong('Together they are longer than 5 days.');
  return { kind: 'schedule', seconds };
}

/** A schedule in the form in which people type it. */
export function scheduleText(seconds: readonly number[]): string {
  return seconds.map(stepText).join(', ');
}

export type RetryPoint = { number: number; stepSeconds: number; afterSeconds: number; share: number };

/**
 * The first attempt (number 0) and every retry, each with its time after the first attempt and its position on the axis
 * from 0 to 1. The position grows with the logarithm of the time, so that both seconds and days are visible.
 */
export function retryPoints(seconds: readonly number[]): RetryPoint[] {
  const total = sum(seconds);
  const points: RetryPoint[] = [{ number: 0, stepSeconds: 0, afterSeconds: 0, share: 0 }];
  let after = 0;
  for (const [index, step] of seconds.entries()) {
    after += step;
    points.push({ number: index + 1, stepSeconds: step, afterSeconds: after, share: shareOf(after, total) });
  }
  return points;
}

/** The round times below the total that label the axis, each with its position. */
export function axisTicks(totalSeconds: number): { seconds: number; share: number }[] {
  return [10, 60, 600, 3_600, 21_600, 86_400, 259_200]
    .filter((seconds) => seconds < totalSeconds)
    .map((seconds) => ({ seconds, share: shareOf(seconds, totalSeconds) }));
}

function shareOf(seconds: number, total: number): number {
  return Math.log1p(seconds) / Math.log1p(total);
}

function secondsOf(part: string): number | undefined {
  const unitAt = [...part].findIndex((character) => character < '0' || character > '9');
  const digits = unitAt === -1 ? part : part.slice(0, unitAt);
  const unit = UNITS[unitAt === -1 ? '' : part.slice(unitAt).trim()];
  return digits === '' || unit === undefined ? undefined : Number(digits) * unit;
}

function stepText(seconds: number): string {
  for (const unit of ['d', 'h', 'min']) {
    const size = UNITS[unit] ?? 1;
    if (seconds >= size && seconds % size === 0) return `${seconds / size} ${unit}`;
  }
  return `${seconds} s`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function wrong(why: string): TypedSchedule {
  return { kind: 'wrong', why };
}
