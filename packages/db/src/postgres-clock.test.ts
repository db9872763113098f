import { expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { readPostgresClock } from './postgres-clock.ts';

test("Postgres' clock is read with an error of at most half the round trip", async () => {
  const { db, drop } = await createTestDatabase();
  const monotonicMs = () => performance.now();
  await db.$queryRaw`select 1`;
  const { instantMs, atMs, errorMs } = await readPostgresClock(db, monotonicMs);
  // Postgres runs on the same host, so its clock is this wall clock. The process may be suspended between two readings.
  const beforeMs = monotonicMs();
  const nowMs = Date.now();
  const betweenMs = monotonicMs() - beforeMs;
  const wallMs = nowMs - (beforeMs - atMs);
  expect(Math.abs(instantMs - wallMs)).toBeLessThanOrEqual(errorMs + betweenMs + 2);
  await drop();
});
