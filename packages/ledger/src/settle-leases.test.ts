import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { cancelDeliveries, cancelDelivery } from './cancel.ts';
import { claimDeliveries } from './claim.ts';
import { deliveryIdFor } from './delivery-id.ts';
import { expireDeliveries } from './expire.ts';
import { extendLeases } from './lease-deliveries.ts';
import { afterLease } from './lease-outcome.ts';
import { retryDeliveries } from './retry-deliveries.ts';
import { retryDeliveryNow } from './retry-now.ts';
import { expiredLeases, type HeldDelivery, heldDeliveries, settleLeases } from './settle-leases.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
const { endpointId } = endpoint;
await db.endpoint.update({ where: { id: endpointId }, data: { isPulled: true } });
afterAll(() => database.drop());

const settle = (held: HeldDelivery, kind: 'acked' | 'expired') => {
  const after = afterLease({ kind }, held, { retryDelaySeconds: undefined, secondsLeft: 60 });
  return settleLeases(db, [{ held, after, attempt: null, mayStillAnswer: kind === 'expired' }]);
};

const statusOf = async (id: string) => (await db.delivery.findUniqueOrThrow({ where: { id } })).status;

test('docs/interface.md, Pull: a lease that is extended as it ends is held on, and can be answered', async () => {
  const leaseToken = randomUUID();
  const leased = { isPulled: true, status: 'delivering', leaseToken, dueInSeconds: -1 } as const;
  const { deliveryId } = await insertDelivery(db, endpoint, leased);
  const [expired] = await expiredLeases(db, 10);
  if (expired?.deliveryId !== deliveryId) throw new Error('the lease has not ended');
  expect(await extendLeases(db, endpointId, [{ deliveryId, leaseToken, leaseSeconds: 60 }])).toHaveLength(1);
  expect(await settle(expired, 'expired')).toEqual(new Set());
  expect([await statusOf(deliveryId), await expiredLeases(db, 10)]).toEqual(['delivering', []]);
  const held = (await heldDeliveries(db, endpointId, [{ deliveryId, leaseToken }])).get(deliveryId);
  expect(held && (await settle(held, 'acked'))).toEqual(new Set([deliveryId]));
  expect(await statusOf(deliveryId)).toBe('delivered');
});

describe('docs/interface.md, Pull: a success that arrives after the end of its lease counts, if the delivery meanwhile', () => {
  const setActive = (isActive: boolean) => db.endpoint.update({ where: { id: endpointId }, data: { isActive } });

  test.each<[string, string, (id: string) => Promise<unknown>]>([
    ['was retried by hand', 'pending', (id) => retryDeliveryNow(db, id, 100)],
    [
      'was retried with others',
      'pending',
      (id) =>
        inTransaction(db, (one) =>
          retryDeliveries(one, {
            ...{ deliveryIds: [id], operationId: randomUUID(), trigger: 'manual', mostRetries: 100 },
            statuses: ['scheduled_retry', 'pending'],
          }),
        ),
    ],
    ['was cancelled', 'failed', (id) => cancelDelivery(db, id)],
    ['was cancelled with others', 'failed', (id) => inTransaction(db, (one) => cancelDeliveries(one, [id]))],
    ['came to the end of its retention', 'failed', () => expireDeliveries(db, 0)],
    [
      'was ended at the inactive endpoint',
      'failed',
      async (deliveryId) => {
        await setActive(false);
        const options = { defaultTimeoutSeconds: 15 };
        await claimDeliveries(db, [{ deliveryId, eventId: deliveryId, endpointId }], options);
        await setActive(true);
      },
    ],
  ])('%s', async (_how, status, change) => {
    const leaseToken = randomUUID();
    const key = deliveryIdFor(lowestKeyAt(new Date(Date.now() - 3_600_000)), randomUUID());
    const { deliveryId } = await insertDelivery(db, endpoint, { isPulled: true, leaseToken, lostLeases: 1, key });
    await change(deliveryId);
    expect(await statusOf(deliveryId)).toBe(status);
    const held = (await heldDeliveries(db, endpointId, [{ deliveryId, leaseToken }])).get(deliveryId);
    expect(held && (await settle(held, 'acked'))).toEqual(new Set([deliveryId]));
    expect(await statusOf(deliveryId)).toBe('delivered');
  });
});

test('docs/interface.md, Pull: a lease that has ended is an attempt, also at the end of the retention', async () => {
  const leaseToken = randomUUID();
  const key = deliveryIdFor(lowestKeyAt(new Date(Date.now() - 3_600_000)), randomUUID());
  const leased = { isPulled: true, status: 'delivering', leaseToken, dueInSeconds: -1, key } as const;
  const { deliveryId } = await insertDelivery(db, endpoint, leased);
  await expireDeliveries(db, 0);
  expect(await statusOf(deliveryId)).toBe('delivering');
  const expired = (await expiredLeases(db, 10)).find((one) => one.deliveryId === deliveryId);
  expect(expired && (await settle(expired, 'expired'))).toEqual(new Set([deliveryId]));
  await expireDeliveries(db, 0);
  expect(await statusOf(deliveryId)).toBe('failed');
});
