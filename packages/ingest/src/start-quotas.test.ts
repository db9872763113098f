import { afterAll, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startQuotas } from './start-quotas.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

test('one process never exceeds a quota, although an event is counted while the counts before it are written', async () => {
  let writes = 0;
  let mayWrite = Promise.resolve();
  let release = () => {};
  const slow = new Proxy(db, {
    get(target, name) {
      if (name !== '$executeRaw') return Reflect.get(target, name);
      return async (...given: Parameters<typeof db.$executeRaw>) => {
        writes += 1;
        await mayWrite;
        return target.$executeRaw(...given);
      };
    },
  });
  const quotas = startQuotas({
    db: slow,
    clock: { ...systemClock, monotonicMs: () => 0 },
    logger: { warn: (message) => expect(message).toBe('') },
    retentionDays: 30,
    onRefused: () => {},
  });
  const [limited, other] = [(await insertEndpoint(db)).workspaceId, (await insertEndpoint(db)).workspaceId];
  const limits = { eventsPerDay: 3, bytesKept: null, attemptBytesKept: null };
  const take = (workspaceId: string) => quotas.take({ workspaceId, limits, bytes: 1 });
  const send = async () => (await take(limited)).count(new Date());
  const stored = async () =>
    Number((await db.workspaceUsage.findFirst({ where: { workspaceId: limited } }))?.events ?? 0);
  await take(limited).then((room) => room.release());
  mayWrite = new Promise((resolve) => (release = resolve));
  await send();
  await waitFor(() => writes === 1, { what: 'the write of the first event' });
  await send();
  release();
  await waitFor(async () => (await stored()) === 2, { what: 'both events to be written' });
  // Another workspace waits for a whole round.
  (await take(other)).release();
  await send();
  await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
  await quotas.stop();
});
