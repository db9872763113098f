import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '@posthorn/db/transaction';
import type { EventGroup } from '@posthorn/queue/jobs';
import type { Takers } from '@posthorn/queue/takers';
import { createRoutes } from '@posthorn/routing/routes';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createDoor } from './match-at-door.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let first: EndpointRow;
let typeId: string;
let takers: Takers;
let nowMs: number;
beforeEach(async () => {
  [takers, nowMs] = ['ready', 0];
  first = await insertEndpoint(db);
  typeId = randomUUID();
  const { workspaceId, environmentId } = first;
  await db.eventType.create({ data: { id: typeId, workspaceId, name: 'order.created' } });
  await db.publishedEventType.create({ data: { environmentId, eventTypeId: typeId } });
  await subscribe(first.endpointId);
});

const subscribe = (endpointId: string, filter?: object) =>
  db.subscription.create({ data: { id: randomUUID(), endpointId, eventTypeId: typeId, ...(filter && { filter }) } });

async function another(given: object = {}, filter?: object): Promise<string> {
  const { workspaceId, environmentId } = first;
  const id = randomUUID();
  await db.endpoint.create({ data: { id, workspaceId, environmentId, url: 'https://receiver.test/', ...given } });
  await subscribe(id, filter);
  return id;
}

const revision = async () =>
  (await db.environment.findUniqueOrThrow({ where: { id: first.environmentId } })).routingRevision;

const open = () => createDoor({ db, takers: () => takers, clock: { monotonicMs: () => nowMs } });
const group = (): EventGroup => {
  const { workspaceId, environmentId } = first;
  return { workspaceId, environmentId, eventType: 'order.created', applicationId: null };
};

/** An event with this payload, whose reading takes `readMs` on the clock. */
function event(value: unknown, { bytes = 100, readMs = 0 } = {}) {
  const read = () => {
    nowMs += readMs;
    return { isJson: true as const, value };
  };
  return { group: group(), ownerId: 'owner', payload: { bytes, read } };
}

describe('at the door, an event', () => {
  test('is matched with the endpoints that fan-out would find, at the revision of its environment', async () => {
    const second = await another();
    await another({ isActive: false });
    const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: first.environmentId } });
    const matched = await open().match(event({}));
    expect(matched).toMatchObject({ routingRevision, payloadRetention: 'workspace' });
    expect([...(matched?.endpointIds ?? [])].sort()).toEqual([first.endpointId, second].sort());
  });

  test('goes to those endpoints whose filters it passes', async () => {
    const wanted = await another({}, { total: { gt: 100 } });
    const matched = await open().match(event({ total: 101 }));
    expect([...(matched?.endpointIds ?? [])].sort()).toEqual([first.endpointId, wanted].sort());
    expect((await open().match(event({ total: 100 })))?.endpointIds).toEqual([first.endpointId]);
  });

  test('is left to fan-out while no dispatcher takes deliveries', async () => {
    takers = 'none';
    expect(await open().match(event({}))).toBeUndefined();
    takers = 'behind';
    expect(await open().match(event({}))).toBeDefined();
  });

  test('with more than eight endpoints is left to fan-out', async () => {
    for (let n = 1; n < 8; n += 1) await another();
    expect((await open().match(event({})))?.endpointIds).toHaveLength(8);
    await another();
    expect(await open().match(event({}))).toBeUndefined();
  });

  test('with many endpoints costs no read of them all', async () => {
    for (let n = 1; n < 40; n += 1) await another();
    const fetched = await inTransaction(db, async (transaction) => {
      const readSoFar = async () => {
        const [row] = await transaction.$queryRaw<{ endpoints: number }[]>`
          select sum(pg_stat_get_xact_tuples_fetched(indexrelid))::int as endpoints
          from pg_index where indrelid = 'endpoint'::regclass`;
        return row?.endpoints ?? Number.NaN;
      };
      const before = await readSoFar();
      const [route] = await createRoutes(transaction, { ofType: 8, ofApplication: 8 }).of([group()]);
      expect(route).toMatchObject({ isWide: true, endpointIds: [] });
      return (await readSoFar()) - before;
    });
    expect(fetched).toBe(9);
  });

  test.each<[string, object]>([
    ['a rate limit', { config: { rateLimit: { limit: 1, periodSeconds: 1 } } }],
    ['a limit of concurrent requests', { config: { maxConcurrency: 1 } }],
    ['consumers that fetch', { isPulled: true }],
    ['the expiry of an agent’s subscription', { isTemporary: true }],
  ])('of an endpoint with %s is left to fan-out', async (_what, given) => {
    await another(given);
    expect(await open().match(event({}))).toBeUndefined();
  });

  test.each<[string, object, object]>([
    ['limits', { config: { maxConcurrency: 1 } }, { config: {} }],
    ['consumers that fetch', { isPulled: true }, { isPulled: false }],
  ])('of an endpoint that has no %s any more is matched again', async (_what, given, after) => {
    const id = await another(given);
    const door = open();
    expect(await door.match(event({}))).toBeUndefined();
    const before = await revision();
    await db.endpoint.update({ where: { id }, data: after });
    expect(await revision()).not.toBe(before);
    door.learn(first.environmentId, await revision());
    expect((await door.match(event({})))?.endpointIds).toHaveLength(2);
  });

  test('that is large is left to fan-out when an endpoint has a filter', async () => {
    const large = { bytes: 16 * 1024 + 1 };
    expect(await open().match(event({}, large))).toBeDefined();
    await another({}, { total: 1 });
    expect(await open().match(event({}, large))).toBeUndefined();
  });

  test('whose filters take longer than a millisecond is left to fan-out', async () => {
    await another({}, { total: 1 });
    expect(await open().match(event({ total: 1 }, { readMs: 1.1 }))).toBeUndefined();
  });

  test('of an owner whose filters took a twentieth of this second is left to fan-out, and no other is', async () => {
    await another({}, { total: 1 });
    const door = open();
    for (let n = 0; n < 60; n += 1) await door.match(event({ total: 1 }, { readMs: 0.9 }));
    expect(await door.match(event({ total: 1 }))).toBeUndefined();
    expect(await door.match({ ...event({ total: 1 }), ownerId: 'other' })).toBeDefined();
    nowMs += 1_000;
    expect(await door.match(event({ total: 1 }))).toBeDefined();
  });

  test('is matched anew once it is known that the routing of its environment has changed', async () => {
    const door = open();
    expect((await door.match(event({})))?.endpointIds).toHaveLength(1);
    await another();
    expect((await door.match(event({})))?.endpointIds).toHaveLength(1);
    door.learn(first.environmentId, await revision());
    expect((await door.match(event({})))?.endpointIds).toHaveLength(2);
  });

  test('of any route of the environment is matched anew then, and one late word of an earlier revision costs one read', async () => {
    const application = { ...group(), applicationId: randomUUID() };
    const door = open();
    const matchBoth = async () => [await door.match(event({})), await door.match({ ...event({}), group: application })];
    await matchBoth();
    const earlier = await revision();
    await another();
    const now = await revision();
    door.learn(first.environmentId, now);
    expect(await matchBoth()).toMatchObject([{ routingRevision: now }, { routingRevision: now }]);
    door.learn(first.environmentId, earlier);
    expect(await matchBoth()).toMatchObject([{ routingRevision: now }, { routingRevision: now }]);
  });
});
