import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { cancelDelivery } from './cancel.ts';
import { claimDeliveries } from './claim.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());

test.each(['pending', 'scheduled_retry'] as const)(
  'a %s delivery fails as cancelled and is never claimed',
  async (status) => {
    const delivery = await insertDelivery(db, endpoint, { status, generation: 4 });
    expect(await cancelDelivery(db, delivery.deliveryId)).toEqual({ kind: 'cancelled', from: status });
    const ended = { status: 'failed', failureReason: 'cancelled', dueAt: null, generation: 5 };
    expect(await db.delivery.findUnique({ where: { id: delivery.deliveryId } })).toMatchObject(ended);
    expect(await claimDeliveries(db, [delivery], { defaultTimeoutSeconds: 15 })).toEqual([{ kind: 'nothing' }]);
  },
);

test('a delivery that is being delivered does not change; once its lease has ended, it waits, and is cancelled', async () => {
  const delivery = await insertDelivery(db, endpoint, { status: 'delivering', dueInSeconds: 60 });
  expect(await cancelDelivery(db, delivery.deliveryId)).toEqual({ kind: 'in_progress' });
  expect(await db.delivery.findUnique({ where: { id: delivery.deliveryId } })).toMatchObject({ status: 'delivering' });
  await db.$executeRaw`update delivery set leased_until = now() where id = ${delivery.deliveryId}::uuid`;
  expect(await cancelDelivery(db, delivery.deliveryId)).toEqual({ kind: 'cancelled', from: 'delivering' });
});

test.each(['delivered', 'failed', 'dead_letter'] as const)('a %s delivery does not change', async (status) => {
  const delivery = await insertDelivery(db, endpoint, { status, dueInSeconds: null });
  expect(await cancelDelivery(db, delivery.deliveryId)).toEqual({ kind: 'ended' });
  expect(await db.delivery.findUnique({ where: { id: delivery.deliveryId } })).toMatchObject({ status });
});

test('a missing delivery is missing', async () => {
  expect(await cancelDelivery(db, randomUUID())).toEqual({ kind: 'missing' });
});
