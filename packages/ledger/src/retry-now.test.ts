import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { claimDeliveries } from './claim.ts';
import { retryDeliveryNow } from './retry-now.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());

const read = ({ deliveryId }: DeliveryRow) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });

async function claim(delivery: DeliveryRow) {
  const [answer] = await claimDeliveries(db, [{ ...delivery, isolated: true }], { defaultTimeoutSeconds: 15 });
  if (answer?.kind !== 'claimed') throw new Error('the delivery was not claimed');
  return answer;
}

describe('a manual retry', () => {
  test.each(['pending', 'scheduled_retry', 'delivered', 'failed', 'dead_letter'] as const)(
    'makes a delivery that is %s pending, due now, with one full schedule again',
    async (status) => {
      const at = new Date('2026-11-20T00:00:00.000Z');
      const kept = { totalAttempts: 9, firstAttemptAt: at, deliveredAt: at, lastResponseStatus: 500 };
      const delivery = await insertDelivery(db, endpoint, {
        ...kept,
        status,
        scheduleStep: 9,
        lostLeases: 2,
        generation: 4,
        failureReason: 'retries_exhausted',
        dueInSeconds: status === 'scheduled_retry' ? 3_600 : null,
      });
      expect(await retryDeliveryNow(db, delivery.deliveryId, 100)).toEqual({
        kind: 'retried',
        generation: 5,
        from: status,
      });
      expect(await read(delivery)).toMatchObject({
        ...kept,
        status: 'pending',
        scheduleStep: 0,
        lostLeases: 0,
        failureReason: null,
        nextTrigger: 'manual',
      });
      expect(await claim(delivery)).toMatchObject({ attemptNumber: 10, trigger: 'manual', scheduleStep: 0 });
    },
  );

  test('does not change a delivery that is being delivered', async () => {
    const delivery = await insertDelivery(db, endpoint);
    await claim(delivery);
    const before = await read(delivery);
    expect(await retryDeliveryNow(db, delivery.deliveryId, 100)).toEqual({ kind: 'in_progress' });
    expect(await read(delivery)).toEqual(before);
  });

  test('is made at most as often as allowed, even when all are requested at once', async () => {
    const delivery = await insertDelivery(db, endpoint, { status: 'failed', dueInSeconds: null });
    const kinds = await Promise.all(
      Array.from({ length: 5 }, async () => (await retryDeliveryNow(db, delivery.deliveryId, 3)).kind),
    );
    expect(kinds.sort()).toEqual(['limit_reached', 'limit_reached', 'retried', 'retried', 'retried']);
    await db.delivery.update({ where: { id: delivery.deliveryId }, data: { status: 'failed', dueAt: null } });
  });

  test('returns missing for a delivery that does not exist', async () => {
    expect(await retryDeliveryNow(db, randomUUID(), 100)).toEqual({ kind: 'missing' });
  });
});
