import { afterAll, afterEach, expect, test } from '@jest/globals';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { createTestDatabase, testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openQueues } from './open-queues.ts';
import type { OpenQueuesDeps, Queues } from './queues.ts';

const { databaseUrl, db, drop } = await createTestDatabase();
const { redisUrl, prefix } = testRedis();
let opened: Queues[] = [];
afterEach(async () => {
  await Promise.all(opened.map((queues) => queues.close()));
  opened = [];
});
afterAll(() => drop());

/** The queues of one process. */
async function open(kind: Queues['kind'], role: OpenQueuesDeps['role']): Promise<Queues> {
  const queues = await openQueues(
    {
      ...(kind === 'redis' && { REDIS_URL: redisUrl }),
      ...{ QUEUE_PREFIX: prefix, DELIVER_QUEUE_SHARDS: 1, DATABASE_URL: databaseUrl },
      SEALING_KEYS: parseSealingKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`),
    },
    { db, role, monotonicMs: () => performance.now(), onError: () => {} },
  );
  opened.push(queues);
  return queues;
}

const shown = () => db.$queryRaw<{ queue: string; role: string }[]>`select queue, role from worker order by queue`;

test('services know when some of them have their queues elsewhere, and when these have ended', async () => {
  const [api, dispatcher] = [await open('postgres', 'api'), await open('redis', 'dispatcher')];
  await waitFor(() => api.isMixed() && dispatcher.isMixed(), { what: 'both to see each other' });
  await dispatcher.close();
  await waitFor(() => !api.isMixed(), { what: 'the API to see the end of the dispatcher' });
  expect(await shown()).toEqual([{ queue: 'postgres', role: 'api' }]);
}, 60_000);

test('services of one kind are not mixed, and a command of an operator makes them no other kind', async () => {
  const [one, other] = [await open('redis', 'api'), await open('redis', 'dispatcher')];
  await open('postgres', 'admin');
  await open('redis', 'admin');
  await waitFor(async () => (await shown()).length === 3, { what: 'the processes to show themselves' });
  const late = await open('redis', 'api');
  await waitFor(async () => (await shown()).length === 4, { what: 'the last process' });
  expect([one, other, late].map((queues) => queues.isMixed())).toEqual([false, false, false]);
  expect((await shown()).map(({ queue, role }) => `${queue} ${role}`).sort()).toEqual([
    ...['postgres admin', 'redis api', 'redis api', 'redis dispatcher'],
  ]);
}, 60_000);
