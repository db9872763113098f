import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { claimDeliveries } from './claim.ts';
import { MAX_CLAIMED_PAYLOAD_BYTES } from './claimed-event.ts';
import { createAndClaim, createPage } from './create.ts';
import { deliveryIdFor } from './delivery-id.ts';
import { leaseDeliveries } from './lease-deliveries.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());

/** Creates deliveries of an event as a paged fan-out does. Returns the ids of the new ones. */
async function createPages(eventId: string, deliveryIds: readonly string[], isLast = false): Promise<string[]> {
  const deliveries = deliveryIds.map((deliveryId) => ({
    ...endpoint,
    deliveryId,
    eventId,
    eventType: 'order.created',
  }));
  const created = await createPage(db, { deliveries, event: { ...endpoint, eventId }, isLast, isUnmatched: false });
  return created.map((row) => row.id).sort();
}

async function letWait(eventId: string): Promise<void> {
  const { environmentId } = endpoint;
  await db.pendingFanOut.create({ data: { eventId, environmentId } });
}

test('each new delivery is pending and due now; an existing one is neither changed nor returned', async () => {
  const existing = await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  const ids = ['one', 'other'].map((endpointId) => deliveryIdFor(existing.eventId, endpointId));
  await letWait(existing.eventId);
  expect(await createPages(existing.eventId, [...ids, existing.deliveryId])).toEqual(ids.sort());
  const [row] = await db.$queryRaw<{ due: boolean }[]>`
    select bool_and(status = 'pending' and due_at <= now() and generation = 0) as due from delivery
    where id = any(${ids}::uuid[])`;
  expect(row).toEqual({ due: true });
  const before = await db.delivery.findUniqueOrThrow({ where: { id: existing.deliveryId } });
  expect(before).toMatchObject({ status: 'delivered', dueAt: null });
  expect(await createPages(existing.eventId, ids)).toEqual([]);
});

test('the last page ends the waiting of its event, and none is made afterwards', async () => {
  const { eventId } = await insertDelivery(db, endpoint);
  await letWait(eventId);
  const [one = '', two = '', three = ''] = ['one', 'two', 'three'].map((name) => deliveryIdFor(eventId, name));
  expect(await createPages(eventId, [one])).toEqual([one]);
  expect(await createPages(eventId, [two], true)).toEqual([two]);
  expect(await db.pendingFanOut.count({ where: { eventId } })).toBe(0);
  expect(await createPages(eventId, [three])).toEqual([]);
});

/** The claim of a delivery that is created now, and of one that was created before. */
async function claimBoth(payload: Buffer) {
  const { endpointId, workspaceId, environmentId } = endpoint;
  const created = await insertDelivery(db, endpoint);
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const eventId = lowestKeyAt(new Date()).replace(/0$/, '7');
  await db.event.create({ data: { id: eventId, workspaceId, environmentId, payloadSize: 1, published: true } });
  await db.$executeRaw`
    update event set payload = ${payload} where id in (${created.eventId}::uuid, ${eventId}::uuid)`;
  await db.$executeRaw`insert into pending_fan_out (event_id, environment_id)
    values (${eventId}::uuid, ${environmentId}::uuid)`;
  const ids = { deliveryId: deliveryIdFor(eventId, endpointId), eventId, endpointId, workspaceId, environmentId };
  const { claimed } = await createAndClaim(db, {
    deliveries: [{ ...ids, eventType: 'order.created', isClaimed: true }],
    events: [ids],
    routingRevisions: new Map([[environmentId, routingRevision]]),
    defaultTimeoutSeconds: 15,
  });
  const claims = await claimDeliveries(db, [created], { defaultTimeoutSeconds: 15 });
  return [...claimed, ...claims.filter((claim) => claim.kind === 'claimed')].map(({ event }) => ({
    payload: event?.payload && Buffer.from(event.payload),
    leftOutBytes: event?.leftOutBytes,
  }));
}

test('a claim, also at the creation, returns a small payload and only the size of a large one', async () => {
  const small = Buffer.alloc(MAX_CLAIMED_PAYLOAD_BYTES, 'a');
  const ofSmall = { payload: small, leftOutBytes: null };
  expect(await claimBoth(small)).toEqual([ofSmall, ofSmall]);
  const ofLarge = { payload: null, leftOutBytes: MAX_CLAIMED_PAYLOAD_BYTES + 1 };
  expect(await claimBoth(Buffer.alloc(MAX_CLAIMED_PAYLOAD_BYTES + 1, 'a'))).toEqual([ofLarge, ofLarge]);
});

/** Accepts an event of this age, or one that was scheduled and is due at its time, and fans it out. */
async function fanOutToConsumers(
  pulled: EndpointRow,
  { ageMs, deliverAt = null }: { ageMs: number; deliverAt?: Date | null },
) {
  const { endpointId, workspaceId, environmentId } = pulled;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const eventId = lowestKeyAt(new Date(Date.now() - ageMs)).replace(/0$/, '7');
  const event = { id: eventId, workspaceId, environmentId, payloadSize: 1, published: true, deliverAt };
  await db.event.create({ data: event });
  await db.pendingFanOut.create({ data: { eventId, environmentId } });
  const ids = { deliveryId: deliveryIdFor(eventId, endpointId), eventId, endpointId, workspaceId, environmentId };
  await createAndClaim(db, {
    deliveries: [{ ...ids, eventType: 'order.created', isClaimed: false }],
    events: [ids],
    routingRevisions: new Map([[environmentId, routingRevision]]),
    defaultTimeoutSeconds: 15,
  });
  return eventId;
}

test('consumers get the oldest event first, although later ones were fanned out before it; a scheduled one counts from its time', async () => {
  const pulled = await insertEndpoint(db);
  await db.endpoint.update({ where: { id: pulled.endpointId }, data: { isPulled: true } });
  const second = await fanOutToConsumers(pulled, { ageMs: 2_000 });
  const third = await fanOutToConsumers(pulled, { ageMs: 9_000, deliverAt: new Date(Date.now() - 1_000) });
  const first = await fanOutToConsumers(pulled, { ageMs: 3_000 });
  const leaseOne = async () => {
    const lease = { leaseToken: randomUUID(), most: 1, leaseSeconds: 60, mostBytes: 1_000_000 };
    return (await leaseDeliveries(db, { endpointId: pulled.endpointId, ...lease })).map(({ eventId }) => eventId);
  };
  expect([await leaseOne(), await leaseOne(), await leaseOne()]).toEqual([[first], [second], [third]]);
});
