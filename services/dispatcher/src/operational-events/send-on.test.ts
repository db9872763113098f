import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, parseSealingKeys } from '@posthorn/crypto/seal';
import { inTransaction } from '@posthorn/db/transaction';
import type { FanOutRequest } from '@posthorn/queue/jobs';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createMetrics } from '../metrics.ts';
import { raiseExpiringKeys } from './expiring-keys.ts';
import { createSendOn } from './send-on.ts';
import { OF_WORKSPACE_AT_ONCE, WORKSPACES_AT_ONCE } from './take-raised.ts';

const keys = parseSealingKeys(`test:${Buffer.alloc(32).toString('base64')}`);

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let enqueued: FanOutRequest[];
let warnings: string[];
let redisIsAway: boolean;
beforeEach(async () => {
  await Promise.all([db.event.deleteMany(), db.pendingFanOut.deleteMany(), db.operationalEvent.deleteMany()]);
  endpoint = await publishing('posthorn.delivery.failed');
  [enqueued, warnings, redisIsAway] = [[], [], false];
});

const dispatcher = () =>
  createSendOn({
    db,
    producer: {
      async enqueueFanOut(events) {
        if (redisIsAway) throw new Error('Redis is away');
        enqueued.push(...events);
      },
    },
    clock: systemClock,
    keys,
    stats: { countIngested: () => {} },
    live: { eventAccepted: () => {} },
    metrics: createMetrics(),
    logger: { warn: (message) => void warnings.push(message) },
  });

async function publishing(name: string): Promise<EndpointRow> {
  const row = await insertEndpoint(db);
  const { workspaceId, environmentId } = row;
  await db.eventType.create({
    data: { id: newUuid(new Date()), workspaceId, name, published: { create: [{ environmentId }] } },
  });
  return row;
}

const fail = (id: string) => db.delivery.update({ where: { id }, data: { status: 'failed', failureReason: 'gone' } });

async function raise(count: number, of = endpoint) {
  for (let n = 0; n < count; n += 1) await fail((await insertDelivery(db, of)).deliveryId);
}

const operational = () => db.event.findMany({ where: { eventType: { startsWith: 'posthorn.' } } });

test('a change that is rolled back raises nothing, and one that is committed raises its event with it', async () => {
  const { deliveryId } = await insertDelivery(db, endpoint);
  const undone = inTransaction(db, async (transaction) => {
    await transaction.delivery.update({ where: { id: deliveryId }, data: { status: 'failed' } });
    expect(await transaction.operationalEvent.count()).toBe(1);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await db.operationalEvent.count()).toBe(0);
  await fail(deliveryId);
  expect(await db.operationalEvent.count()).toBe(1);
});

test('nothing is raised where no event type of that name is published in the environment', async () => {
  const other = await publishing('posthorn.delivery.dead_letter');
  await raise(1, other);
  await db.publishedEventType.deleteMany({ where: { environmentId: endpoint.environmentId } });
  await raise(1);
  expect(await db.operationalEvent.count()).toBe(0);
});

test('each raised event becomes one event, sealed, that waits for its fan-out, also with several dispatchers', async () => {
  await raise(60);
  await Promise.all([dispatcher()(), dispatcher()(), dispatcher()()]);
  await dispatcher()();
  expect(await db.operationalEvent.count()).toBe(0);
  const events = await operational();
  expect(new Set(enqueued.map(({ eventId }) => eventId))).toEqual(new Set(events.map(({ id }) => id)));
  expect([events.length, enqueued.length, await db.pendingFanOut.count()]).toEqual([60, 60, 60]);
  const bodies = events.map(({ id, payload, payloadSize }) => {
    const opened = open(keys, payload ?? Buffer.alloc(0), sealContext.payload(id));
    const text = opened.kind === 'opened' ? opened.plaintext : Buffer.alloc(0);
    expect(text.length).toBe(payloadSize);
    return JSON.parse(text.toString());
  });
  expect(new Set(bodies.map(({ data }) => data.deliveryId)).size).toBe(60);
  expect(bodies[0]).toMatchObject({
    type: 'posthorn.delivery.failed',
    data: { failureReason: 'gone', totalAttempts: 0 },
  });
});

test('an event that cannot be enqueued is stored, for the reconciler', async () => {
  await raise(1);
  redisIsAway = true;
  await dispatcher()();
  expect([await db.pendingFanOut.count(), warnings.length]).toEqual([1, 1]);
});

test('a workspace with very many raised events does not delay another, and all are sent on', async () => {
  const many = OF_WORKSPACE_AT_ONCE + 10;
  const [first, second] = [endpoint, await publishing('posthorn.delivery.failed')];
  await raise(many, first);
  await raise(1, second);
  const round = dispatcher();
  const waitMs = await round();
  const sent = await operational();
  expect(sent.filter(({ workspaceId }) => workspaceId === first.workspaceId)).toHaveLength(OF_WORKSPACE_AT_ONCE);
  expect(sent.filter(({ workspaceId }) => workspaceId === second.workspaceId)).toHaveLength(1);
  const idleMs = await round();
  expect([await db.operationalEvent.count(), waitMs < idleMs]).toEqual([0, true]);
});

test('more workspaces than a round takes have their turn one after another', async () => {
  const others = [];
  for (let n = 0; n <= WORKSPACES_AT_ONCE; n += 1) others.push(await publishing('posthorn.delivery.failed'));
  for (const one of others) await raise(2, one);
  const round = dispatcher();
  await round();
  expect(await operational()).toHaveLength(2 * WORKSPACES_AT_ONCE);
  await round();
  expect(await operational()).toHaveLength(2 * others.length);
});

test('an API key is told of once, however many dispatchers look; one that ended or was rotated is not', async () => {
  const { environmentId } = await publishing('posthorn.api_key.expiring');
  await db.environment.update({ where: { id: environmentId }, data: { isDefault: true } });
  const now = Date.now();
  const keyEnding = (inSeconds: number, revokedAt: Date | null = null) =>
    db.apiKey.create({
      data: {
        ...{
          id: newUuid(new Date()),
          environmentId,
          name: `${inSeconds}`,
          digest: randomBytes(32),
          preview: '',
          revokedAt,
        },
        expiresAt: new Date(now + inSeconds * 1_000),
      },
    });
  await Promise.all([
    keyEnding(60),
    keyEnding(6 * 86_400),
    keyEnding(-60),
    keyEnding(8 * 86_400),
    keyEnding(60, new Date()),
  ]);
  const raised = await Promise.all([raiseExpiringKeys(db), raiseExpiringKeys(db), raiseExpiringKeys(db)]);
  expect([raised.reduce((sum, count) => sum + count), await raiseExpiringKeys(db)]).toEqual([2, 0]);
  const told = (await db.operationalEvent.findMany()).map(({ facts }) => facts);
  expect(new Set(told.map((facts) => Reflect.get(Object(facts), 'name')))).toEqual(new Set(['60', `${6 * 86_400}`]));
});

test('an API key that no rule is about is told of when a workspace asks for it later', async () => {
  const { workspaceId, environmentId } = endpoint;
  await db.environment.update({ where: { id: environmentId }, data: { isDefault: true } });
  const key = { id: newUuid(new Date()), environmentId, name: 'Shop', digest: randomBytes(32), preview: '' };
  await db.apiKey.create({ data: { ...key, expiresAt: new Date(Date.now() + 86_400_000) } });
  const applicationId = newUuid(new Date());
  await db.application.create({ data: { id: applicationId, workspaceId, name: 'Acme' } });
  const ofCustomer = { applicationId, isOfPortal: true, events: ['posthorn.api_key.expiring'], quietMinutes: 60 };
  const target = { name: 'Ann', channel: 'slack', targetSealed: new Uint8Array(1), targetShown: 'x' };
  await db.alertRule.create({ data: { id: newUuid(new Date()), workspaceId, ...ofCustomer, ...target } });
  expect(await raiseExpiringKeys(db)).toBe(0);
  const name = 'posthorn.api_key.expiring';
  await db.eventType.create({
    data: { id: newUuid(new Date()), workspaceId, name, published: { create: [{ environmentId }] } },
  });
  expect([await raiseExpiringKeys(db), await raiseExpiringKeys(db)]).toEqual([1, 0]);
});
