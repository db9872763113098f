import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { createTestDatabase } from '@posthorn/testkit/database';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { clearDeletedEndpoints } from './clear-deleted-endpoints.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const DELETED_AT = new Date('2026-11-20T12:00:00.000Z');

async function insertEndpoint(place: { workspaceId: string; environmentId: string }, deletedAt: Date | null) {
  const id = newUuid(new Date());
  const secrets = {
    secretHeaders: { 'x-key': 'c2VhbGVk' },
    credentials: { tlsClientKey: 'c2VhbGVk' },
    authUsername: 'ann',
    authPasswordSealed: Buffer.from('sealed'),
  };
  await db.endpoint.create({ data: { id, ...place, url: 'https://example.com', deletedAt, ...secrets } });
  await db.signingSecret.create({ data: { id: newUuid(new Date()), endpointId: id, sealed: Buffer.from('sealed') } });
  const key = { name: 'Worker of Ann', digest: randomBytes(32), preview: 'phpl_…abcd' };
  await db.pullKey.create({ data: { id: newUuid(new Date()), endpointId: id, ...key } });
  return id;
}

test('of deleted endpoints every subscription, secret and pull key goes, in pages; routes of others stay valid', async () => {
  await seedWorkspace(db, {});
  const environment = await db.environment.findFirstOrThrow();
  const { id: environmentId, workspaceId } = environment;
  const types = Array.from({ length: 5_500 }, (_, n) => ({ id: newUuid(new Date()), workspaceId, name: `type.n${n}` }));
  await db.eventType.createMany({ data: types });
  const [gone, kept] = [
    await insertEndpoint({ workspaceId, environmentId }, DELETED_AT),
    await insertEndpoint({ workspaceId, environmentId }, null),
  ];
  for (const endpointId of [gone, kept]) {
    const data = types.map(({ id: eventTypeId }) => ({ id: newUuid(new Date()), endpointId, eventTypeId }));
    await db.subscription.createMany({ data });
  }
  // Without an event in the period, no ended subscription would be kept.
  await db.event.create({
    data: { id: newUuid(new Date()), workspaceId, environmentId, payloadSize: 0, published: true },
  });
  const { routingRevision } = await db.environment.findFirstOrThrow();

  expect(await clearDeletedEndpoints(db)).toBe(1);

  const left = await db.subscription.groupBy({ by: ['endpointId'], _count: true });
  expect(left).toEqual([{ endpointId: kept, _count: 5_500 }]);
  expect(await db.signingSecret.findMany({ select: { endpointId: true } })).toEqual([{ endpointId: kept }]);
  expect(await db.pullKey.findMany({ select: { endpointId: true } })).toEqual([{ endpointId: kept }]);
  const cleared = await db.endpoint.findUniqueOrThrow({ where: { id: gone } });
  expect(cleared).toMatchObject({ secretHeaders: {}, credentials: {}, authUsername: null, authPasswordSealed: null });
  expect(await db.endpoint.findUniqueOrThrow({ where: { id: kept } })).toMatchObject({ authUsername: 'ann' });
  expect((await db.environment.findFirstOrThrow()).routingRevision).toBe(routingRevision);
  // The subscriptions ended with the endpoint, as an event's trace needs to know.
  const ended = await db.endedSubscription.groupBy({ by: ['endedAt'], _count: true });
  expect(ended).toEqual([{ endedAt: DELETED_AT, _count: 5_500 }]);
  expect(await clearDeletedEndpoints(db)).toBe(0);
});

test('owners of workspaces take turns: many deleted endpoints of one delay those of another by one', async () => {
  const places = [];
  for (let n = 0; n < 3; n += 1) {
    const { workspaceId } = await seedWorkspace(db, {});
    const { id, workspaceId: key } = await db.environment.findFirstOrThrow({
      where: { workspaceId: fromId('ws', workspaceId) ?? '' },
    });
    places.push({ workspaceId: key, environmentId: id });
  }
  const [first, second, other] = places as [(typeof places)[number], (typeof places)[number], (typeof places)[number]];
  const createdBy = newUuid(new Date());
  const ids = [first.workspaceId, second.workspaceId];
  await db.workspace.updateMany({ where: { id: { in: ids } }, data: { createdBy } });
  const ofMany = [];
  for (const place of [first, second, first, second]) ofMany.push(await insertEndpoint(place, DELETED_AT));
  const ofOther = await insertEndpoint(other, new Date());
  expect(await clearDeletedEndpoints(db)).toBe(5);
  const cleared = await db.endpoint.findMany({
    where: { id: { in: [...ofMany, ofOther] } },
    orderBy: { clearedAt: 'asc' },
    select: { id: true },
  });
  expect(cleared.slice(0, 2).map(({ id }) => id)).toContain(ofOther);
});
