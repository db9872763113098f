import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, percentile } from './figures.ts';
import { type Ingest, postSteadily } from './load.ts';
import type { Receivers } from './receivers.ts';

const PER_SECOND = 50;

export type LatencyInput = { scenario: string; ingest: Ingest; receivers: Receivers; seconds: number };

/** At 50 events a second: from the scheduled send to the answer, and to the receiver. */
export async function measureLatency({ scenario, ingest, receivers, seconds }: LatencyInput): Promise<Figure[]> {
  await postSteadily(ingest, PER_SECOND, 3);
  await pause(1_000);
  await receivers.takeArrivals();
  const posts = await postSteadily(ingest, PER_SECOND, seconds);
  await pause(2_000);
  const arrivals = await receivers.takeArrivals();
  const answered = posts.map((post) => post.answeredAt - post.scheduledAt);
  const arrived = posts.flatMap((post) => {
    const at = arrivals.get(post.id);
    return at === undefined ? [] : [at - post.scheduledAt];
  });
  const figure = (name: string, value: number) => ({ scenario, figure: name, value, unit: 'ms' });
  return [
    figure('answer p50 at 50/s', percentile(answered, 50)),
    figure('answer p99 at 50/s', percentile(answered, 99)),
    figure('receiver p50 at 50/s', percentile(arrived, 50)),
    figure('receiver p99 at 50/s', percentile(arrived, 99)),
    { scenario, figure: 'not arrived', value: posts.length - arrived.length, unit: '' },
  ];
}
