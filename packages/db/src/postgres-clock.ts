import type { Db } from './client.ts';

/**
 * Reads Postgres' clock: at `atMs` of the caller's monotonic clock it was `instantMs`, give or take `errorMs`, half of
 * the time that the answer took.
 */
export async function readPostgresClock(
  db: Db,
  monotonicMs: () => number,
): Promise<{ instantMs: number; atMs: number; errorMs: number }> {
  const askedMs = monotonicMs();
  const [row] = await db.$queryRaw<{ instantMs: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "instantMs"`;
  const errorMs = (monotonicMs() - askedMs) / 2;
  if (row === undefined) throw new Error('Postgres gave no time');
  return { instantMs: row.instantMs, atMs: askedMs + errorMs, errorMs };
}
