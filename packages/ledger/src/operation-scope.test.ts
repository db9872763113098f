import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type OperationScope, selectedDeliveries, summaryOf } from './operation-scope.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const keyAt = (at: Date) => lowestKeyAt(at).slice(0, 14) + randomUUID().slice(14);

/** Inserts 1,000 deliveries without their events. */
async function insertMany(at: EndpointRow, given: object, time = new Date()): Promise<void> {
  const ids = Array.from({ length: 1_000 }, () => keyAt(time));
  await db.delivery.createMany({ data: ids.map((id) => ({ ...at, id, eventId: id, ...given })) });
}

/** How many rows of deliveries the connection has read lately. */
async function fetched(transaction: DbTransaction): Promise<number> {
  const [row] = await transaction.$queryRaw<{ count: bigint }[]>`
    select sum(idx_tup_fetch + seq_tup_read)::bigint as count from pg_stat_xact_user_tables
    where relname like 'delivery\\_2%'`;
  return Number(row?.count);
}

type Walked = { others: object; ofOthers: object; selected: object; statuses: OperationScope['statuses'] };
const WALKS: [string, Walked][] = [
  [
    'failed deliveries behind any number that a transformation cancelled',
    {
      others: { status: 'failed', failureReason: 'cancelled_by_transformation' },
      ofOthers: { status: 'dead_letter', failureReason: 'retries_exhausted' },
      selected: { status: 'dead_letter', dueInSeconds: null },
      statuses: ['failed', 'dead_letter'],
    },
  ],
  [
    'open deliveries behind any number that were delivered, while any number of earlier ones at other endpoints are open',
    {
      others: { status: 'delivered' },
      ofOthers: { status: 'scheduled_retry', dueAt: new Date() },
      selected: { status: 'pending' },
      statuses: ['pending', 'scheduled_retry'],
    },
  ],
];

test.each(WALKS)('a page reads a limited number of rows: %s', async (_, { others, ofOthers, selected, statuses }) => {
  const [endpoint, other] = [await insertEndpoint(db), await insertEndpoint(db)];
  await insertMany(endpoint, others);
  await insertMany(other, ofOthers, new Date(Date.now() - 7_200_000));
  const { deliveryId } = await insertDelivery(db, endpoint, selected);
  await db.$executeRaw`analyze delivery`;
  const [after, end] = [-3_600_000, 3_600_000].map((ms) => lowestKeyAt(new Date(Date.now() + ms)));
  if (after === undefined || end === undefined) throw new Error('there are two keys');
  const scope: OperationScope = { workspaceId: endpoint.workspaceId, statuses, missed: false, after, end };
  const found: string[] = [];
  let mostFetched = 0;
  for (let position: string | undefined = after; position !== undefined; ) {
    const walk = { endpointId: endpoint.endpointId, after: position, read: 100 };
    const page = await inTransaction(db, async (transaction) => {
      const before = await fetched(transaction);
      const read = await selectedDeliveries(transaction, scope, walk);
      mostFetched = Math.max(mostFetched, (await fetched(transaction)) - before);
      return read;
    });
    found.push(...page.rows.map((row) => row.deliveryId));
    position = page.next;
  }
  expect(found).toEqual([deliveryId]);
  expect(mostFetched).toBeLessThanOrEqual(200);
});

test('counts are added up by event type, also by a type that is named like a property of every object', () => {
  const oldest = '01930000-0000-7000-8000-000000000000';
  const newest = '01940000-0000-7000-8000-000000000000';
  const rows = [
    { eventType: 'constructor', count: 2, oldest, newest: oldest },
    { eventType: 'order.created', count: 1, oldest: newest, newest },
    { eventType: 'constructor', count: 3, oldest: newest, newest },
    { eventType: null, count: 4, oldest: newest, newest },
  ];
  const { eventTypes, ...rest } = summaryOf(rows);
  expect(rest).toEqual({ matched: 10, oldest, newest });
  expect(Object.entries(eventTypes)).toEqual([
    ['constructor', 5],
    ['order.created', 1],
  ]);
});
