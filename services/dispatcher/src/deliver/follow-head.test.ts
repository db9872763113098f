import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { claimDeliveries } from '@posthorn/ledger/claim';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createFollowHead } from './follow-head.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

test('an order at an inactive endpoint whose deliveries consumers fetch does not wait for the next turn of its line', async () => {
  const endpoint = await insertEndpoint(db, { isActive: false });
  const { endpointId } = endpoint;
  await db.endpoint.update({ where: { id: endpointId }, data: { isFifo: true, isPulled: true } });
  const [first = '', second = ''] = [newUuid(new Date()), newUuid(new Date())].sort();
  const row = { ...endpoint, isPulled: true, dueAt: new Date(Date.now() - 1_000), orderingKey: 'a' };
  await db.delivery.create({ data: { ...row, id: first, eventId: first, orderingNumber: 1 } });
  await db.delivery.create({ data: { ...row, id: second, eventId: second, orderingNumber: 2 } });
  const request = { deliveryId: first, eventId: first, endpointId };
  expect(await claimDeliveries(db, [request], { defaultTimeoutSeconds: 15 })).toMatchObject([{ kind: 'ended' }]);
  const hurried: string[] = [];
  const taken: unknown[] = [];
  const followHead = createFollowHead({
    db,
    take: async (deliveries) => void taken.push(...deliveries),
    hurryLine: (id) => void hurried.push(id),
    live: { deliveryChanged() {} },
    logger: { warn: () => {} },
  });
  followHead({ endpointId, orderingKey: 'a' });
  await waitFor(() => hurried.length > 0, { what: 'the line to be hurried' });
  expect([hurried, taken]).toEqual([[endpointId], []]);
});
