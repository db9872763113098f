import { expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { readPostgresClock } from './postgres-clock.ts';

test("Postgres' clock is told within half of the time that the answer took", async () => {
  const { db, drop } = await createTestDatabase();
  const monotonicMs = () => performance.now();
  await db.$queryRaw`select 1`;
  const { instantMs, atMs, errorMs } = await readPostgresClock(db, monotonicMs);
  // The same host: its wall clock is Postgres'.
  const wallMs = Date.now() - (monotonicMs() - atMs);
  expect(Math.abs(instantMs - wallMs)).toBeLessThanOrEqual(errorMs + 2);
  await drop();
});
