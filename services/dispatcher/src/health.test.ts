import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { createHealthApp } from './health.ts';
import { createMetrics } from './metrics.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('a process is not ready before it takes work, and requests within half a second ping the stores once', async () => {
  let [pings, nowMs, takesWork] = [0, 0, false];
  const producer = {
    kind: 'redis' as const,
    ping: async () => {
      pings += 1;
    },
  };
  const clock = { now: () => new Date(), monotonicMs: () => nowMs };
  const server = createServer(
    createHealthApp({
      db: database.db,
      producer,
      queues: { isMixed: () => false },
      clock,
      registries: [createMetrics().registry],
      takesWork: () => takesWork,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;
  const ask = async () => (await fetch(url)).status;
  expect(await ask()).toBe(503);
  takesWork = true;
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(200));
  expect(pings).toBe(1);
  nowMs = 500;
  expect([await ask(), pings]).toEqual([200, 2]);
  server.closeAllConnections();
  server.close();
});
