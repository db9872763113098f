import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { explaining } from '@posthorn/testkit/explain';
import { leaseDeliveries } from './lease-deliveries.ts';
import { restoreLines } from './line.ts';
import { pullStates } from './pull-state.ts';

const WAITING = 20_000;

let database: TestDatabase;
let endpoint: EndpointRow;
beforeAll(async () => {
  database = await createTestDatabase();
  endpoint = await insertEndpoint(database.db);
  await database.db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isPulled: true } });
  const { endpointId, workspaceId, environmentId } = endpoint;
  await database.db.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, is_pulled, due_at)
    select id, id, ${endpointId}::uuid, ${workspaceId}::uuid, ${environmentId}::uuid, true,
      due_of(now() - make_interval(secs => n), true)
    from (select n, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000b'
      || lpad(to_hex(n), 15, '0'))::uuid as id from generate_series(1, ${WAITING}::int) n) made`;
});
afterAll(() => database.drop());

const leaseFrom = (db: TestDatabase['db']) =>
  leaseDeliveries(db, {
    endpointId: endpoint.endpointId,
    leaseToken: randomUUID(),
    most: 100,
    leaseSeconds: 60,
    mostBytes: 4_000_000,
  });

test('a lease of 100 of many waiting deliveries is one statement that reads the line of its endpoint, and nothing else', async () => {
  const { db, plans } = explaining(database.db);
  const leased = await leaseFrom(db);
  expect(leased).toHaveLength(100);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain('endpoint_id_due_at');
  expect(plans[0]).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"delivery/);
});

test('consumers that lease at the same time never get the same delivery, and each gets those that are due for longest', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => leaseFrom(database.db)));
  const ids = answers.flat().map(({ deliveryId }) => deliveryId);
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
});

test('what is leased does not count as waiting, and a count ends at 10,000', async () => {
  const state = (await pullStates(database.db, [endpoint.endpointId])).get(endpoint.endpointId);
  expect(state).toMatchObject({ waiting: 10_000, lastLeaseAt: null });
  expect(state?.oldestAgeSeconds).toBeGreaterThan(0);
});

test('the line of a pull endpoint gets a turn only while the endpoint is inactive, which is not reported as a fault', async () => {
  const lines = () => database.db.endpointLine.count();
  expect([await restoreLines(database.db), await lines()]).toEqual([[], 0]);
  await database.db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } });
  expect([await restoreLines(database.db), await lines()]).toEqual([[], 1]);
});
