import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDb } from '@posthorn/db/client';
import { claimDeliveries } from '@posthorn/ledger/claim';
import type { Settlement } from '@posthorn/ledger/settle';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createOutage } from './outage.ts';
import { createSettleWithRetry } from './settle-with-retry.ts';

let database: TestDatabase;
let gate: TcpGate;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await startTcpGate(database.databaseUrl);
});
afterAll(async () => {
  await gate.close();
  await database.drop();
});

async function claimed(count: number): Promise<Settlement[]> {
  const endpoint = await insertEndpoint(database.db);
  const rows = await Promise.all(Array.from({ length: count }, () => insertDelivery(database.db, endpoint)));
  const claims = await claimDeliveries(database.db, rows, { defaultTimeoutSeconds: 15 });
  return claims.flatMap((claim) => {
    if (claim.kind !== 'claimed') return [];
    const { deliveryId, endpointId, leaseToken } = claim;
    return [{ deliveryId, endpointId, leaseToken, attempt: null, next: { status: 'failed', failureReason: 'gone' } }];
  });
}

test('results are kept through a Postgres outage, and written when it is over; no lease is taken over before', async () => {
  const own = createDb({ databaseUrl: gate.url, maxConnections: 2, onIdleError: () => {} });
  const warnings: string[] = [];
  const outage = createOutage(systemClock);
  const logger = { warn: (message: string) => void warnings.push(message) };
  const settle = createSettleWithRetry(own, logger, undefined, undefined, outage);
  const settlements = await claimed(20);
  await gate.shut();
  const settling = Promise.all(settlements.map(settle));
  await waitFor(() => warnings.length > 1, { what: 'the outage to be noticed' });
  expect(outage.takeOver()).toMatchObject({ endedBy: null });
  await gate.open();
  expect((await settling).map((settled) => settled.kind)).toEqual(Array(20).fill('settled'));
  expect(outage.takeOver()).toMatchObject({ endedBy: expect.any(Date) });
  expect(warnings).toContain('results could not be settled; they are kept and tried again');
  await own.$disconnect();
});

test('a result that Postgres refuses does not fail its neighbours', async () => {
  const settle = createSettleWithRetry(database.db, { warn: () => {} });
  const [bad, ...good] = await claimed(5);
  if (bad === undefined) throw new Error('nothing was claimed');
  const refused = { ...bad, deliveryId: 'not a uuid' };
  const results = await Promise.allSettled([refused, ...good].map(settle));
  expect(results.map((result) => result.status)).toEqual(['rejected', ...Array(4).fill('fulfilled')]);
  const settled = await settle({ ...bad, leaseToken: randomUUID() });
  expect(settled).toEqual({ kind: 'stale' });
});

test('a result is kept through a fault of an unknown kind, and written when it is over; leases of others are taken over meanwhile', async () => {
  const warnings: string[] = [];
  const outage = createOutage(systemClock);
  const logger = { warn: (message: string) => void warnings.push(message) };
  const settle = createSettleWithRetry(database.db, logger, undefined, undefined, outage);
  const settlements = await claimed(3);
  // 0A000: the reason has nothing to do with the rows.
  await database.db.$executeRaw`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'not now' using errcode = '0A000'; end $$`;
  await database.db.$executeRaw`create trigger refuse before update on delivery execute function refuse()`;
  const settling = Promise.all(settlements.map(settle));
  await waitFor(() => warnings.length > 1, { what: 'the fault to be noticed' });
  expect(outage.takeOver()).toMatchObject({ endedBy: expect.any(Date) });
  await database.db.$executeRaw`drop trigger refuse on delivery`;
  expect((await settling).map((settled) => settled.kind)).toEqual(Array(3).fill('settled'));
});

test('results whose connection went silent are written over another one', async () => {
  const options = { databaseUrl: gate.url, maxConnections: 1, answersWithinMs: 1_000, onIdleError: () => {} };
  const own = createDb(options);
  const settle = createSettleWithRetry(own, { warn: () => {} });
  const settlements = await claimed(3);
  await own.$queryRaw`select 1`;
  gate.freeze('existing');
  const settled = await Promise.all(settlements.map(settle));
  expect(settled.map(({ kind }) => kind)).toEqual(Array(3).fill('settled'));
  await own.$disconnect();
});

test.each([
  ['', systemClock],
  [', also where the clock of the host is behind', { now: () => new Date(Date.now() + 600_000) }],
])('a late result of an event that was erased meanwhile leaves no content%s', async (_case, clock) => {
  const settle = createSettleWithRetry(database.db, { warn: () => {} }, undefined, clock);
  const [kept, erased] = await claimed(2);
  if (kept === undefined || erased === undefined) throw new Error('nothing was claimed');
  const sealed = new Uint8Array([1]);
  const attempt = {
    ...({ id: randomUUID(), number: 1, trigger: 'schedule', succeeded: true, durationMs: 5 } as const),
    ...{
      startedAt: new Date(clock.now().getTime() - 600_000),
      url: 'https://receiver.test/',
      requestHeaders: { 'x-name': 'Ann' },
    },
    ...{ timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null }, remoteAddress: null },
    ...{ responseStatus: 200, responseHeadersSealed: sealed, responseBodySealed: sealed, responseTruncated: false },
    ...{ errorCode: null, errorMessage: null },
  };
  await database.db.event.updateMany({ where: { id: erased.deliveryId }, data: { payload: null } });
  for (const one of [kept, erased]) {
    await settle({ ...one, attempt: { ...attempt, id: randomUUID() }, next: { status: 'delivered' } });
  }
  const where = { deliveryId: { in: [kept.deliveryId, erased.deliveryId] } };
  const attempts = await database.db.attempt.findMany({ where });
  const bodies = new Map(attempts.map((row) => [row.deliveryId, row.responseBodySealed]));
  expect([bodies.get(kept.deliveryId), bodies.get(erased.deliveryId)]).toEqual([sealed, null]);
});
