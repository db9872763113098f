import type { Db } from './client.ts';

/**
 * Reads Postgres' clock: at `atMs` of the caller's monotonic clock it showed `instantMs`. The error is at most
 * `errorMs`, half of the round trip.
 */
export async function readPostgresClock(
  db: Db,
  monotonicMs: () => number,
): Promise<{ instantMs: number; atMs: number; errorMs: number }> {
  const askedMs = monotonicMs();
  const [row] = await db.$queryRaw<{ instantMs: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "instantMs"`;
  const errorMs = (monotonicMs() - askedMs) / 2;
  if (row === undefined) throw new Error('Postgres returned no time');
  return { instantMs: row.instantMs, atMs: askedMs + errorMs, errorMs };
}
