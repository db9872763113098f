import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { raiseIdlePulls } from './pull-state.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const HOUR_MS = 3_600_000;

/** An endpoint that was created this many hours ago, and from which nobody has fetched. */
async function pulledEndpoint(hours: number): Promise<EndpointRow> {
  const endpoint = await insertEndpoint(db);
  const createdAt = new Date(Date.now() - hours * HOUR_MS);
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isPulled: true, createdAt } });
  return endpoint;
}

async function wait(endpoint: EndpointRow): Promise<void> {
  const { deliveryId } = await insertDelivery(db, endpoint, { isPulled: true });
  await db.$executeRaw`update delivery set due_at = due_of(due_at, true) where id = ${deliveryId}::uuid`;
}

const rule = ({ workspaceId }: EndpointRow) =>
  db.alertRule.create({
    data: {
      ...{ id: randomUUID(), workspaceId, name: 'On call', channel: 'slack', quietMinutes: 60 },
      ...{ targetSealed: Buffer.from('sealed'), targetShown: 'x', events: ['posthorn.endpoint.failing'] },
    },
  });

const alertsOf = ({ workspaceId }: EndpointRow) => db.raisedAlert.findMany({ where: { workspaceId } });

test('an endpoint from which nobody fetches for a day while a message waits raises an alert for rules, once', async () => {
  const [idle, quick, empty] = [await pulledEndpoint(25), await pulledEndpoint(23), await pulledEndpoint(25)];
  for (const endpoint of [idle, quick, empty]) await rule(endpoint);
  for (const endpoint of [idle, quick]) await wait(endpoint);
  expect([await raiseIdlePulls(db), await raiseIdlePulls(db)]).toEqual([1, 0]);
  const { endpointId, environmentId } = idle;
  expect(await alertsOf(idle)).toMatchObject([
    { endpointId, environmentId, eventType: 'posthorn.endpoint.failing', facts: { failingSince: expect.any(String) } },
  ]);
  expect([...(await alertsOf(quick)), ...(await alertsOf(empty))]).toEqual([]);
});
