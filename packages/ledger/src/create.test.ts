import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createDeliveries } from './create.ts';
import { deliveryIdFor } from './delivery-id.ts';

let database: TestDatabase;
let db: Db;
let endpoint: EndpointRow;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  endpoint = await insertEndpoint(db);
});
afterAll(() => database.drop());

async function create(ids: string[]): Promise<string[]> {
  const { endpointId, workspaceId, environmentId } = endpoint;
  const source = Prisma.sql`(select id, id as event_id, ${endpointId}::uuid as endpoint_id,
    ${workspaceId}::uuid as workspace_id, ${environmentId}::uuid as environment_id, 'order.created' as event_type
    from unnest(${ids}::uuid[]) as given(id)) d`;
  const rows = await db.$queryRaw<{ id: string }[]>(createDeliveries(source));
  return rows.map((row) => row.id).sort();
}

test('each new delivery is pending and due now; an existing one is neither changed nor returned', async () => {
  const existing = await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  const ids = ['one', 'other'].map((endpointId) => deliveryIdFor(existing.eventId, endpointId));
  expect(await create([...ids, existing.deliveryId])).toEqual(ids.sort());
  const [row] = await db.$queryRaw<{ due: boolean }[]>`
    select bool_and(status = 'pending' and due_at <= now() and generation = 0) as due from delivery
    where id = any(${ids}::uuid[])`;
  expect(row).toEqual({ due: true });
  const before = await db.delivery.findUniqueOrThrow({ where: { id: existing.deliveryId } });
  expect(before).toMatchObject({ status: 'delivered', dueAt: null });
  expect(await create(ids)).toEqual([]);
});
