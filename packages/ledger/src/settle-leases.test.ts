import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { extendLeases } from './lease-deliveries.ts';
import { afterLease } from './lease-outcome.ts';
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
