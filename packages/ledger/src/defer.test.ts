import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { claimDeliveries } from './claim.ts';
import { createAndClaim } from './create.ts';
import { deferDeliveries } from './defer.ts';
import { deliveryIdFor } from './delivery-id.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());

async function read({ deliveryId }: Pick<DeliveryRow, 'deliveryId'>) {
  const row = await db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
  const [clock] = await db.$queryRaw<{ dueIn: number }[]>`
    select extract(epoch from due_at - now())::float8 as "dueIn" from delivery where id = ${deliveryId}::uuid`;
  return { ...row, dueIn: clock?.dueIn ?? Number.NaN };
}

async function claim(delivery: DeliveryRow) {
  const [answer] = await claimDeliveries(db, [{ ...delivery, isolated: true }], { defaultTimeoutSeconds: 15 });
  if (answer?.kind !== 'claimed') throw new Error('the delivery was not claimed');
  return answer;
}

/** The lease of a newly claimed delivery, which can be released. */
async function lease(delivery: DeliveryRow, delaySeconds = 0) {
  const { deliveryId, leaseToken } = await claim(delivery);
  return { deliveryId, leaseToken, delaySeconds };
}

/** Expects the requested delay, less the time that a slow machine takes to read it. */
function expectDueIn(seconds: number, expected: number): void {
  expect(seconds).toBeLessThanOrEqual(expected);
  expect(seconds).toBeGreaterThan(expected - 15);
}

describe('a delivery without a lease', () => {
  test.each(['pending', 'scheduled_retry', 'delivering'] as const)(
    'that is %s and due (or whose lease has expired) is deferred, and its other columns do not change',
    async (status) => {
      const given = { status, scheduleStep: 2, totalAttempts: 3, lostLeases: 1, generation: 4 } as const;
      const leaseToken = status === 'delivering' ? randomUUID() : null;
      const { deliveryId } = await insertDelivery(db, endpoint, { ...given, leaseToken });
      expect(await deferDeliveries(db, [{ deliveryId, delaySeconds: 30 }])).toEqual([{ generation: 5 }]);
      const row = await read({ deliveryId });
      expect(row).toMatchObject({ ...given, leaseToken, generation: 5 });
      expectDueIn(row.dueIn, 30);
    },
  );

  test('whose expired lease is deferred still counts that lease as lost at its next claim', async () => {
    const delivery = await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID() });
    await deferDeliveries(db, [{ deliveryId: delivery.deliveryId, delaySeconds: 0 }]);
    expect(await claim(delivery)).toMatchObject({ lostLeases: 1, attemptNumber: 1 });
  });

  test.each([
    ['not due yet', { dueInSeconds: 60 }],
    ['leased by a worker', { status: 'delivering', dueInSeconds: 60 }],
    ['ended', { status: 'failed', dueInSeconds: null }],
  ] as const)('does not change when it is %s', async (_case, given) => {
    const delivery = await insertDelivery(db, endpoint, given);
    const { dueIn: _dueIn, ...before } = await read(delivery);
    expect(await deferDeliveries(db, [{ deliveryId: delivery.deliveryId, delaySeconds: 30 }])).toEqual([undefined]);
    expect(await read(delivery)).toMatchObject(before);
  });
});

describe('a lease that is released', () => {
  test.each([
    ['pending', 0],
    ['scheduled_retry', 3],
  ] as const)('makes a delivery %s again, due after the delay, with no attempt spent', async (status, scheduleStep) => {
    const given = { status, scheduleStep, totalAttempts: scheduleStep, nextTrigger: 'manual', lostLeases: 1 } as const;
    const delivery = await insertDelivery(db, endpoint, given);
    expect(await deferDeliveries(db, [await lease(delivery, 30)])).toEqual([{ generation: 1 }]);
    const row = await read(delivery);
    expect(row).toMatchObject({ ...given, leaseToken: null, leasedUntil: null });
    expectDueIn(row.dueIn, 30);
  });

  test('without a delay is due at once: its next claim has the same attempt number and trigger', async () => {
    const delivery = await insertDelivery(db, endpoint, { totalAttempts: 3, scheduleStep: 3, nextTrigger: 'manual' });
    await deferDeliveries(db, [await lease(delivery)]);
    expect(await claim(delivery)).toMatchObject({ attemptNumber: 4, trigger: 'manual', lostLeases: 0 });
  });

  test('does not change a delivery that another worker has claimed since, that is pending again, or that has ended', async () => {
    const rows = await Promise.all([1, 2, 3].map(() => insertDelivery(db, endpoint)));
    const leases = await Promise.all(rows.map((row) => lease(row, 30)));
    const changes = [
      { leaseToken: randomUUID() },
      { status: 'pending', leaseToken: null, leasedUntil: null },
      { status: 'delivered', dueAt: null },
    ] as const;
    for (const [n, data] of changes.entries()) {
      await db.delivery.update({ where: { id: rows[n]?.deliveryId ?? '' }, data });
    }
    const readAll = async () => (await Promise.all(rows.map(read))).map(({ dueIn: _dueIn, ...row }) => row);
    const before = await readAll();
    expect(await deferDeliveries(db, leases)).toEqual([undefined, undefined, undefined]);
    expect(await readAll()).toEqual(before);
  });

  test('is not released by a call without a token', async () => {
    const delivery = await insertDelivery(db, endpoint);
    const { deliveryId, leaseToken } = await claim(delivery);
    expect(await deferDeliveries(db, [{ deliveryId, delaySeconds: 0 }])).toEqual([undefined]);
    expect(await read(delivery)).toMatchObject({ status: 'delivering', leaseToken, generation: 0 });
  });
});

test('one call releases leases and defers unleased deliveries, each by its own delay, and returns results in order', async () => {
  const rows = await Promise.all([0, 1, 2, 3].map((n) => insertDelivery(db, endpoint, { generation: 10 * n })));
  const [released, deferred, stale, taken] = rows;
  if (!released || !deferred || !stale || !taken) throw new Error('four rows were inserted');
  const leaseOfReleased = await lease(released, 100);
  const leaseOfStale = await lease(stale, 200);
  await lease(taken);
  await db.delivery.update({ where: { id: stale.deliveryId }, data: { leaseToken: randomUUID() } });
  const asked = [
    { deliveryId: taken.deliveryId, delaySeconds: 300 },
    leaseOfStale,
    { deliveryId: deferred.deliveryId, delaySeconds: 400 },
    leaseOfReleased,
  ];
  expect(await deferDeliveries(db, asked)).toEqual([undefined, undefined, { generation: 11 }, { generation: 1 }]);
  expect(await read(released)).toMatchObject({ status: 'pending', leaseToken: null });
  expectDueIn((await read(released)).dueIn, 100);
  expectDueIn((await read(deferred)).dueIn, 400);
  for (const row of [stale, taken]) expect(await read(row)).toMatchObject({ status: 'delivering' });
});

test('a delivery that is requested twice, by many callers at once, is deferred once', async () => {
  const rows = await Promise.all([1, 2, 3].map(() => insertDelivery(db, endpoint)));
  const asked = rows.flatMap(({ deliveryId }) => [1, 2].map(() => ({ deliveryId, delaySeconds: 30 })));
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => deferDeliveries(db, n % 2 ? asked : asked.toReversed())),
  );
  expect(answers.flat().filter((answer) => answer !== undefined)).toHaveLength(3);
  for (const row of rows) expect(await read(row)).toMatchObject({ generation: 1 });
});

describe('a delivery that enters a line with its next turn in an hour', () => {
  const nextTurnIn = async () => {
    const [line] = await db.$queryRaw<{ seconds: number }[]>`
      select extract(epoch from next_at - now())::float8 as seconds from endpoint_line
      where endpoint_id = ${endpoint.endpointId}::uuid`;
    return line?.seconds ?? Number.NaN;
  };
  const keepLine = async () => {
    const { endpointId, workspaceId } = endpoint;
    await db.endpointLine.deleteMany();
    await db.endpointLine.create({ data: { endpointId, workspaceId, nextAt: new Date(Date.now() + 7_200_000) } });
  };
  const isWaiting = async () =>
    (
      await db.$queryRaw<unknown[]>`select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'transactionid' and not l.granted and a.datname = current_database()`
    ).length > 0;
  const deferred = async () => {
    const { deliveryId } = await insertDelivery(db, endpoint);
    await deferDeliveries(db, [{ deliveryId, delaySeconds: 3_600, entersLine: true }]);
  };
  const created = async () => {
    const { eventId } = await insertDelivery(db, endpoint);
    const { environmentId } = endpoint;
    await db.pendingFanOut.create({ data: { eventId, environmentId } });
    const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
    const ids = { ...endpoint, eventId, deliveryId: deliveryIdFor(eventId, endpoint.endpointId) };
    await createAndClaim(db, {
      deliveries: [{ ...ids, eventType: 'order.created', isClaimed: false, delaySeconds: 3_600, entersLine: true }],
      events: [ids],
      routingRevisions: new Map([[environmentId, routingRevision]]),
      defaultTimeoutSeconds: 15,
    });
  };

  describe.each([
    ['when it is deferred', deferred],
    ['when it is created', created],
  ])('%s', (_, enter) => {
    test('keeps that turn in a line that others wait in', async () => {
      await keepLine();
      await enter();
      expectDueIn(await nextTurnIn(), 3_600);
    });

    test('gives a new line its first turn within a second, also if the former line ends at that moment', async () => {
      await db.endpointLine.deleteMany();
      await enter();
      expect(await nextTurnIn()).toBeLessThanOrEqual(1);
      await keepLine();
      let entered: Promise<unknown> = Promise.resolve();
      await inTransaction(db, async (transaction) => {
        await transaction.endpointLine.deleteMany();
        entered = enter();
        await waitFor(isWaiting, { what: 'the delivery to wait for the end of the line' });
      });
      await entered;
      expect(await nextTurnIn()).toBeLessThanOrEqual(1);
    });
  });
});
