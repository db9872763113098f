import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { deleteExpiredHistory } from './expire-history.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('what no trace or quota within the retention needs is deleted, in every table and over several batches; the rest stays', async () => {
  const { db } = database;
  const [workspaceId, environmentId, endpointId, eventTypeId] = [1, 2, 3, 4].map(() => newUuid(new Date())) as [
    string,
    string,
    string,
    string,
  ];
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
  const keys: Record<number, string> = { 7: newUuid(at(7)), 9: newUuid(at(9)) };
  const sourceId = newUuid(new Date());
  const { endpointId: _other, ...place } = await insertEndpoint(db);
  const times = { createdAt: new Date(), updatedAt: new Date() };
  await db.source.create({ data: { id: sourceId, ...place, name: 'Orders', type: 'kafka', config: {}, ...times } });
  for (const daysAgo of [7, 9]) {
    const [startedAt, endedAt, eventId] = [at(30), at(daysAgo), keys[daysAgo] ?? ''];
    await db.endedPublication.create({
      data: { environmentId, eventType: 'order.created', eventTypeId, startedAt, endedAt },
    });
    await db.endedSubscription.create({ data: { endpointId, eventTypeId, startedAt, endedAt } });
    await db.endedInactivity.create({ data: { endpointId, startedAt, endedAt } });
    await db.unmatchedEvent.create({ data: { eventId, workspaceId } });
    await db.cancelledEvent.create({ data: { eventId, workspaceId } });
    const record = { topic: 'orders', partition: 0, recordOffset: 1n, size: 1 };
    await db.sourceRejection.create({ data: { sourceId, id: eventId, ...record, reason: 'not_found', message: '' } });
    await db.changeCount.create({ data: { holderId: workspaceId, day: endedAt, changes: 1 } });
    await db.workspaceUsage.create({ data: { workspaceId, day: endedAt, events: 1, bytes: 1 } });
  }
  const today = new Date();
  for (const months of [13, 14]) {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, 28));
    const counts = { events: 1, deliveries: 1, attempts: 1, bytes: 1 };
    await db.applicationUsage.create({ data: { workspaceId, applicationId: endpointId, day, ...counts } });
  }
  const extra = 10_500;
  await db.$executeRaw`insert into ended_inactivity (endpoint_id, started_at, ended_at)
    select ${endpointId}::uuid, ${at(30)}::timestamptz, ${at(20)}::timestamptz + make_interval(secs => n / 1000.0)
    from generate_series(1, ${extra}::int) n`;
  expect(await deleteExpiredHistory(db, 8, systemClock)).toBe(9 + extra);
  expect(await deleteExpiredHistory(db, 8, systemClock)).toBe(0);
  expect(await Promise.all([db.endedPublication.count(), db.endedSubscription.count()])).toEqual([1, 1]);
  expect(await db.applicationUsage.count()).toBe(1);
  expect((await db.sourceRejection.findMany()).map(({ id }) => id)).toEqual([keys[7]]);
  expect([await db.endedInactivity.count(), await db.workspaceUsage.count()]).toEqual([1, 1]);
  for (const rows of [await db.unmatchedEvent.findMany(), await db.cancelledEvent.findMany()]) {
    expect(rows.map(({ eventId }) => eventId)).toEqual([keys[7]]);
  }
});
