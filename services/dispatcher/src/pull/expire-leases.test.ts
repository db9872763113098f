import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createMetrics } from '../metrics.ts';
import { expireLeases } from './expire-leases.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

test('a lease that ends counts as an attempt in the metrics and the statistics; the lease of a test does not', async () => {
  const endpoint = await insertEndpoint(db);
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isPulled: true } });
  const leased = { isPulled: true, status: 'delivering', dueInSeconds: -1 } as const;
  const { deliveryId } = await insertDelivery(db, endpoint, { ...leased, leaseToken: newUuid(new Date()) });
  const ofTest = { ...leased, isTest: true, nextTrigger: 'test' } as const;
  const tested = await insertDelivery(db, endpoint, { ...ofTest, leaseToken: newUuid(new Date()) });
  const metrics = createMetrics();
  const counted: unknown[] = [];
  await expireLeases({
    db,
    clock: systemClock,
    random: () => 0.5,
    stats: { countAttempt: (delivery) => void counted.push(delivery), countAttemptBytes: () => {} },
    live: { deliveryChanged: () => {} },
    metrics,
    wakeConsumers: () => {},
    retrySchedule: [5],
    retentionDays: 7,
  });
  expect(await db.delivery.findUnique({ where: { id: tested.deliveryId } })).toMatchObject({ status: 'dead_letter' });
  expect(counted).toMatchObject([{ deliveryId }]);
  const read = (name: string) => metrics.registry.getSingleMetricAsString(name);
  expect(await read('posthorn_attempts_total')).toContain('{outcome="lease_expired"} 1');
  expect(await read('posthorn_deliveries_ended_total')).toContain('{reason="retries_exhausted"} 0');
});
