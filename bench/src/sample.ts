import { now } from './load.ts';
import type { Point } from './plot.ts';
import type { Stack } from './stack.ts';

/** Values read at regular times. */
export type Samples = {
  points: Point[];
  peak: () => number;
  /** The increase per second between readings. */
  rates: () => Point[];
};

/** Reads a value at an interval until it is stopped; times are seconds since the first reading. */
export function sampleEvery(intervalMs: number, read: () => number | undefined): { stop: () => Samples } {
  const points: Point[] = [];
  const startedAt = now();
  const take = () => {
    const value = read();
    if (value !== undefined) points.push([(now() - startedAt) / 1_000, value]);
  };
  take();
  const timer = setInterval(take, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      take();
      return {
        points,
        peak: () => Math.max(...points.map(([, value]) => value)),
        rates: () => ratesOf(points),
      };
    },
  };
}

function ratesOf(points: readonly Point[]): Point[] {
  return points.slice(1).flatMap(([at, value], index): Point[] => {
    const [earlier, before] = points[index] ?? [at, value];
    return at > earlier ? [[at, (value - before) / (at - earlier)]] : [];
  });
}

const REDIS_SAMPLE_MS = 250;

/** The peak of the memory that Redis reports, in MiB. */
export function sampleRedis({ redis }: Pick<Stack, 'redis'>): { stop: () => number } {
  let peak = 0;
  const look = async () => {
    const info = await redis.info('memory').catch(() => '');
    peak = Math.max(peak, Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0) / 2 ** 20);
  };
  const timer = setInterval(look, REDIS_SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}
