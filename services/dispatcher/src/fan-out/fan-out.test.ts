import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createMetrics } from '../metrics.ts';
import { createFanOut } from './fan-out.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

let rung: DeliveryTicket[];
let first: EndpointRow;
let typeId: string;
beforeEach(async () => {
  rung = [];
  first = await insertEndpoint(db);
  typeId = await newType('order.created');
  await subscribe(first.endpointId);
});

const fanOut = (eventIds: string[]) =>
  createFanOut({ db, metrics: createMetrics(), ring: (tickets) => rung.push(...tickets) })({ eventIds });

async function newType(name: string): Promise<string> {
  const id = randomUUID();
  await db.eventType.create({ data: { id, workspaceId: first.workspaceId, name } });
  await db.publishedEventType.create({ data: { environmentId: first.environmentId, eventTypeId: id } });
  return id;
}

const subscribe = (endpointId: string, eventTypeId = typeId) =>
  db.subscription.create({ data: { id: randomUUID(), endpointId, eventTypeId } });

async function another(given: object = {}): Promise<string> {
  const { workspaceId, environmentId } = first;
  const id = randomUUID();
  await db.endpoint.create({ data: { id, workspaceId, environmentId, url: 'https://receiver.test/', ...given } });
  return id;
}

async function newEvent(given: object = {}): Promise<string> {
  const { workspaceId, environmentId } = first;
  const id = newUuid(new Date());
  const event = { workspaceId, environmentId, eventType: 'order.created', payloadSize: 0, published: true };
  await db.event.create({ data: { ...event, id, ...given } });
  await db.pendingFanOut.create({ data: { eventId: id } });
  return id;
}

const deliveriesOf = (eventId: string) => db.delivery.findMany({ where: { eventId } });
const endpointsOf = async (eventId: string) => (await deliveriesOf(eventId)).map((row) => row.endpointId).sort();
const isWaiting = async (eventId: string) => (await db.pendingFanOut.count({ where: { eventId } })) === 1;

describe('fan-out', () => {
  test('makes a pending delivery, due now, for every endpoint that matches, and rings for each', async () => {
    const second = await another();
    await subscribe(second);
    const eventId = await newEvent();
    await fanOut([eventId]);
    const made = await deliveriesOf(eventId);
    expect(await endpointsOf(eventId)).toEqual([first.endpointId, second].sort());
    for (const row of made) {
      const { workspaceId, environmentId } = first;
      expect(row).toMatchObject({ status: 'pending', workspaceId, environmentId, eventType: 'order.created' });
      expect(row.dueAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    }
    expect(rung.map((ticket) => ticket.deliveryId).sort()).toEqual(made.map((row) => row.id).sort());
    expect(rung.every((ticket) => ticket.eventId === eventId && ticket.generation === 0)).toBe(true);
    expect(await isWaiting(eventId)).toBe(false);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['an inactive endpoint', async () => subscribe(await another({ isActive: false }))],
    ['a deleted endpoint', async () => subscribe(await another({ deletedAt: new Date() }))],
    ['an endpoint of another type', async () => subscribe(await another(), await newType('order.deleted'))],
    ['an endpoint without a subscription', () => another()],
    [
      'an endpoint of another environment',
      async () => {
        const { workspaceId } = first;
        const environmentId = randomUUID();
        await db.environment.create({ data: { id: environmentId, workspaceId, name: 'Staging', slug: 'staging' } });
        await db.publishedEventType.create({ data: { environmentId, eventTypeId: typeId } });
        await subscribe(await another({ environmentId }));
      },
    ],
  ])('passes over %s', async (_case, arrange) => {
    await arrange();
    const eventId = await newEvent();
    await fanOut([eventId]);
    expect(await endpointsOf(eventId)).toEqual([first.endpointId]);
  });

  test('of an event for one customer reaches that customer’s endpoints only', async () => {
    const { workspaceId } = first;
    const [ours, theirs] = [randomUUID(), randomUUID()];
    for (const id of [ours, theirs]) await db.application.create({ data: { id, workspaceId, name: 'Customer' } });
    const own = await another({ applicationId: ours });
    for (const id of [own, await another({ applicationId: theirs })]) await subscribe(id);
    const [forOne, forAll] = [await newEvent({ applicationId: ours }), await newEvent()];
    await fanOut([forOne, forAll]);
    expect(await endpointsOf(forOne)).toEqual([own]);
    expect(await endpointsOf(forAll)).toHaveLength(3);
  });

  test('of an event whose type is no longer published makes nothing, and is done', async () => {
    await db.publishedEventType.deleteMany({ where: { eventTypeId: typeId } });
    const eventId = await newEvent();
    await fanOut([eventId]);
    expect([await endpointsOf(eventId), await isWaiting(eventId), rung]).toEqual([[], false, []]);
  });

  test('of an event that retention has taken makes nothing, and is done', async () => {
    const eventId = newUuid(new Date());
    await db.pendingFanOut.create({ data: { eventId } });
    await fanOut([eventId]);
    expect([await endpointsOf(eventId), await isWaiting(eventId)]).toEqual([[], false]);
  });

  test('run again, or by ten at once, inserts nothing twice', async () => {
    for (let n = 0; n < 5; n += 1) await subscribe(await another());
    const eventIds = await Promise.all(Array.from({ length: 20 }, () => newEvent()));
    await Promise.all(Array.from({ length: 10 }, (_, n) => fanOut(n % 2 ? eventIds : [...eventIds].reverse())));
    await fanOut(eventIds);
    expect(await db.delivery.count({ where: { workspaceId: first.workspaceId } })).toBe(120);
    expect(new Set(rung.map((ticket) => ticket.deliveryId)).size).toBe(120);
    expect(rung).toHaveLength(120);
  });

  test('does not make again what was delivered meanwhile, when its end was lost', async () => {
    const eventId = await newEvent();
    await fanOut([eventId]);
    await db.delivery.updateMany({ where: { eventId }, data: { status: 'delivered', dueAt: null } });
    await db.pendingFanOut.create({ data: { eventId } });
    rung = [];
    await fanOut([eventId]);
    expect(await deliveriesOf(eventId)).toMatchObject([{ status: 'delivered' }]);
    expect([rung, await isWaiting(eventId)]).toEqual([[], false]);
  });
});
