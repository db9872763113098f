import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import { createEndpointCache } from '@posthorn/messages/endpoint-cache';
import { systemClock } from '@posthorn/runtime/clock';
import { createGate } from '@posthorn/runtime/gate';
import { createGatherer } from '@posthorn/stats/gather';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Outcome } from '@posthorn/transform/outcome';
import { createMetrics } from '../metrics.ts';
import { createLease, type Leased } from './lease.ts';
import { createWaiting } from './waiting.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);

let database: TestDatabase;
let endpoint: EndpointRow;
/** The monotonic clock moves by this with each transformation. */
let transformMs: number;
let transformed: (eventId: string) => Outcome;
let nowMs: number;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  [nowMs, transformMs] = [0, 0];
  transformed = () => ({ kind: 'made', body: Buffer.from('{}'), contentType: null, headers: {}, path: null });
  endpoint = await insertEndpoint(database.db);
  const id = randomUUID();
  const sealed = seal(keys, Buffer.from(newSigningSecret()), sealContext.signingSecret(id));
  await database.db.signingSecret.create({
    data: { id, endpointId: endpoint.endpointId, sealed: new Uint8Array(sealed) },
  });
  const transformation = { code: 'export default (event) => event' };
  await database.db.endpoint.update({
    where: { id: endpoint.endpointId },
    data: { isPulled: true, type: 'pull', config: { transformation } },
  });
});

/** Ten messages that wait, the one that is due for longest first. */
async function insertTen(): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const { deliveryId } = await insertDelivery(database.db, endpoint, { isPulled: true });
    await database.db.event.updateMany({ where: { id: deliveryId }, data: { payload: null, payloadSize: 0 } });
    await database.db
      .$executeRaw`update delivery set due_at = due_of(now() - make_interval(secs => ${100 - n}::int), true)
      where id = ${deliveryId}::uuid`;
    ids.push(deliveryId);
  }
  return ids;
}

const waits = createGate({ atOnce: 4, share: 1, refusal: () => new Error('too many calls wait') });
/** Ends the calls that wait. */
let goAway: (() => void)[] = [];

type Call = { leaseSeconds?: number; waitSeconds?: number; ownerId?: string };

/** A call of a consumer that asks for everything. */
function lease({ leaseSeconds = 30, waitSeconds = 0, ownerId = endpoint.workspaceId }: Call = {}): Promise<Leased> {
  const { db } = database;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const call = createLease({
    ...{ db, keys, clock, tracing: undefined, random: () => 0.5, retrySchedule: [60], retentionDays: 7 },
    endpoints: createEndpointCache(db, keys, clock),
    waiting: createWaiting({ nextDue: async () => new Map(), listen: () => {}, onError: () => {} }),
    turns: createGate({ atOnce: 1, refusal: () => new Error('refused') }),
    waits,
    lastUsed: { leased: () => {} },
    live: { deliveryChanged: () => {} },
    stats: createGatherer({ nowMs: Date.now, onFull: () => {}, onDropped: () => {} }),
    metrics: createMetrics(),
    wakeConsumers: () => {},
    transformer: {
      async transform(_claimant, { event }) {
        nowMs += transformMs;
        return transformed(event.id);
      },
    },
  });
  const { endpointId, workspaceId } = endpoint;
  const consumer = { endpointId, workspaceId, ownerId, pullKeyId: randomUUID(), endpointRevision: '1' };
  const body = { max: 100, waitSeconds, leaseSeconds };
  return call(consumer, body, { isGone: () => false, onGone: (run) => void goAway.push(run) });
}

const waitingIds = async () => {
  const rows = await database.db.delivery.findMany({
    where: { endpointId: endpoint.endpointId, status: 'pending', totalAttempts: 0 },
    orderBy: { dueAt: 'asc' },
  });
  return rows.map(({ id }) => id);
};

test('messages whose making would take more than a third of the lease are given back, in their places', async () => {
  const ids = await insertTen();
  transformMs = 4_000;
  const { answer } = await lease();
  // Two are made in 8 s, and the third is ready only after 12 s of 30.
  expect(answer.messages).toHaveLength(2);
  expect(await waitingIds()).toEqual(ids.slice(2));
  expect(answer).toMatchObject({ waiting: 8 });
  expect(answer.oldestAgeSeconds).toBeGreaterThan(90);
});

test('a single message is given even if its making takes longer', async () => {
  const ids = await insertTen();
  transformMs = 12_000;
  expect((await lease()).answer.messages).toHaveLength(1);
  expect(await waitingIds()).toEqual(ids.slice(1));
});

test('a page of which nothing can be made ends after a third of the lease, too', async () => {
  const ids = await insertTen();
  transformMs = 6_000;
  transformed = () => ({ kind: 'cancelled', reason: 'not wanted' });
  expect((await lease()).answer.messages).toEqual([]);
  expect(await waitingIds()).toEqual(ids.slice(2));
});

test('messages that could not be written to the consumer are where they were', async () => {
  const ids = await insertTen();
  const { answer, release } = await lease();
  expect(answer.messages).toHaveLength(10);
  await release();
  expect(await waitingIds()).toEqual(ids);
});

test('an owner’s calls wait only while as many places stay free for others, and places of calls that went are free', async () => {
  goAway = [];
  const wait = (ownerId: string) => lease({ waitSeconds: 30, ownerId });
  const mine = [wait('mine'), wait('mine')];
  await expect(wait('mine')).rejects.toThrow('too many calls wait');
  const other = wait('other');
  await waitFor(() => goAway.length === 3, { what: 'all calls to wait' });
  for (const go of goAway) go();
  for (const call of [...mine, other]) expect((await call).answer.messages).toEqual([]);
  expect(waits.isIdle()).toBe(true);
});
