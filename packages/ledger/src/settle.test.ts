import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { claimDeliveries } from './claim.ts';
import type { NextState } from './next-state.ts';
import { retryDeliveryNow } from './retry-now.ts';
import { type AttemptRecord, type Settlement, settleDeliveries } from './settle.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
});

const retry: NextState = { status: 'scheduled_retry', delaySeconds: 300 };

function attempt(given: Partial<AttemptRecord> = {}): AttemptRecord {
  const succeeded = given.succeeded ?? false;
  return {
    id: randomUUID(),
    number: 1,
    trigger: 'schedule',
    succeeded,
    startedAt: new Date('2026-11-21T10:00:00.123Z'),
    durationMs: 12,
    timings: { dnsMs: 1, connectMs: 2, tlsMs: null, ttfbMs: 4 },
    url: 'https://receiver.test/',
    requestHeaders: { 'webhook-attempt': '1' },
    requestBody: new Uint8Array([7, 0, 255]),
    responseStatus: succeeded ? 200 : 500,
    responseHeadersSealed: Buffer.from([1, 0, 254]),
    responseBodySealed: Buffer.from([0, 255, 10]),
    responseTruncated: false,
    errorCode: succeeded ? null : 'http_status',
    errorMessage: succeeded ? null : 'The endpoint answered with status 500',
    remoteAddress: '203.0.113.7',
    reconnected: false,
    ...given,
  };
}

/** A delivery with a held lease, and the settlement for it. */
async function claimed(given: Parameters<typeof insertDelivery>[2] = {}) {
  const delivery = await insertDelivery(db, endpoint, given);
  return { delivery, settlement: await claim(delivery) };
}

async function claim(delivery: DeliveryRow) {
  const [answer] = await claimDeliveries(db, [{ ...delivery, isolated: true }], { defaultTimeoutSeconds: 15 });
  if (answer?.kind !== 'claimed') throw new Error('the delivery was not claimed');
  const { deliveryId, endpointId, leaseToken } = answer;
  return (next: NextState, record: Partial<AttemptRecord> | null = {}): Settlement => ({
    deliveryId,
    endpointId,
    leaseToken,
    attempt: record === null ? null : attempt({ number: answer.attemptNumber, ...record }),
    next,
  });
}

async function settle(settlement: Settlement) {
  const [settled] = await settleDeliveries(db, [settlement]);
  return settled;
}

async function read({ deliveryId }: DeliveryRow) {
  const row = await db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
  const [clock] = await db.$queryRaw<{ dueIn: number | null }[]>`
    select extract(epoch from due_at - now())::float8 as "dueIn" from delivery where id = ${deliveryId}::uuid`;
  return { ...row, dueIn: clock?.dueIn ?? null };
}

/** Whether a statement waits for a row lock. */
const isWaiting = async () =>
  (
    await db.$queryRaw<unknown[]>`select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
  ).length > 0;

const attemptsOf = ({ deliveryId }: DeliveryRow) => db.attempt.findMany({ where: { deliveryId } });
const health = () => db.endpointHealth.findUnique({ where: { endpointId: endpoint.endpointId } });
/** Ends the lease now. */
const loseLease = ({ deliveryId }: DeliveryRow) =>
  db.$executeRaw`update delivery set leased_until = now() where id = ${deliveryId}::uuid`;

describe('a settled attempt', () => {
  test('with a success delivers', async () => {
    const { delivery, settlement } = await claimed();
    const settled = await settle(settlement({ status: 'delivered' }, { succeeded: true }));
    expect(settled).toEqual({ kind: 'settled', generation: 1, delayMs: null });
    expect(await read(delivery)).toMatchObject({
      status: 'delivered',
      dueAt: null,
      leaseToken: null,
      leasedUntil: null,
      failureReason: null,
      totalAttempts: 1,
      lastResponseStatus: 200,
      firstAttemptAt: new Date('2026-11-21T10:00:00.123Z'),
      deliveredAt: expect.any(Date),
    });
  });

  test('is stored with whether it went on over a new connection', async () => {
    for (const reconnected of [true, false, undefined]) {
      const { delivery, settlement } = await claimed();
      const record = { succeeded: true, ...(reconnected === undefined ? {} : { reconnected }) };
      await settle(settlement({ status: 'delivered' }, record));
      expect(await attemptsOf(delivery)).toMatchObject([{ reconnected: reconnected ?? false }]);
    }
  });

  test('with a failure and a step left is due again after it, by Postgres’ clock, under a new generation', async () => {
    const { delivery, settlement } = await claimed({ lostLeases: 1 });
    expect(await settle(settlement(retry))).toEqual({ kind: 'settled', generation: 1, delayMs: 300_000 });
    const row = await read(delivery);
    expect(row).toMatchObject({
      status: 'scheduled_retry',
      scheduleStep: 1,
      totalAttempts: 1,
      lastResponseStatus: 500,
    });
    expect(row).toMatchObject({ lostLeases: 0, leaseToken: null, deliveredAt: null, generation: 1 });
    expect(row.dueIn).toBeGreaterThan(290);
    expect(row.dueIn).toBeLessThanOrEqual(300);
  });

  test.each<NextState>([
    { status: 'dead_letter', failureReason: 'retries_exhausted' },
    { status: 'failed', failureReason: 'gone' },
    { status: 'failed', failureReason: 'aborted_by_receiver' },
    { status: 'failed', failureReason: 'blocked_address' },
  ])('that ends the delivery as %j records the reason', async (next) => {
    const { delivery, settlement } = await claimed();
    expect(await settle(settlement(next))).toEqual({ kind: 'settled', generation: 1, delayMs: null });
    expect(await read(delivery)).toMatchObject({ ...next, dueAt: null, leaseToken: null });
  });

  test('without a request spends no attempt', async () => {
    const { delivery, settlement } = await claimed({ lastResponseStatus: 503, totalAttempts: 2 });
    await settle(settlement({ status: 'failed', failureReason: 'payload_unreadable' }, null));
    expect(await read(delivery)).toMatchObject({ status: 'failed', totalAttempts: 2, lastResponseStatus: 503 });
    expect([await attemptsOf(delivery), await health()]).toEqual([[], null]);
  });

  test('is stored with every field', async () => {
    const { delivery, settlement } = await claimed();
    const given = settlement(retry, { errorMessage: 'a\0b', responseTruncated: true });
    await settle(given);
    const { timings, ...columns } = { ...attempt(), ...given.attempt };
    expect(await attemptsOf(delivery)).toEqual([
      {
        ...columns,
        deliveryId: delivery.deliveryId,
        ...timings,
        errorMessage: 'ab',
        acknowledgement: null,
        settledAt: expect.any(Date),
        // Rows of an older version have these unsealed.
        responseHeaders: null,
        responseBody: null,
        responseHeadersSealed: new Uint8Array([1, 0, 254]),
        responseBodySealed: new Uint8Array([0, 255, 10]),
      },
    ]);
  });

  test('is stored where what a broker said has half of a pair of surrogates', async () => {
    const { delivery, settlement } = await claimed();
    const said = { errorMessage: 'a\ud83d', acknowledgement: { messageId: '\ude00b', offset: 7 } };
    expect(await settle(settlement(retry, said))).toMatchObject({ kind: 'settled' });
    const acknowledgement = { messageId: '\ufffdb', offset: 7 };
    expect(await attemptsOf(delivery)).toMatchObject([{ errorMessage: 'a\ufffd', acknowledgement }]);
  });

  test('keeps the first attempt’s time, and the highest number', async () => {
    const firstAttemptAt = new Date('2026-11-20T00:00:00.000Z');
    const { delivery, settlement } = await claimed({ firstAttemptAt, totalAttempts: 4 });
    await settle(settlement(retry));
    expect(await read(delivery)).toMatchObject({ firstAttemptAt, totalAttempts: 5 });
  });

  test('returns to the schedule after a manual retry', async () => {
    const { delivery, settlement } = await claimed({ nextTrigger: 'manual' });
    await settle(settlement(retry));
    expect(await read(delivery)).toMatchObject({ nextTrigger: 'schedule' });
  });
});

describe('a stale lease', () => {
  async function stale() {
    const { delivery, settlement } = await claimed();
    await loseLease(delivery);
    return { delivery, late: settlement, current: await claim(delivery) };
  }

  test('stores its failed attempt and changes no status', async () => {
    const { delivery, late, current } = await stale();
    const before = await read(delivery);
    expect(await settle(late({ status: 'failed', failureReason: 'gone' }))).toEqual({ kind: 'stale' });
    const { dueIn, ...after } = await read(delivery);
    expect({ ...after, dueIn: before.dueIn }).toEqual(before);
    expect(await settle(current(retry))).toMatchObject({ kind: 'settled' });
    expect((await attemptsOf(delivery)).map((row) => row.number)).toEqual([1, 1]);
    expect(await read(delivery)).toMatchObject({ totalAttempts: 1 });
  });

  test.each([
    ['delivering under another lease', 'delivering', null],
    ['waiting for a retry', 'scheduled_retry', null],
    ['pending', 'pending', null],
    ['failed', 'failed', 'endpoint_inactive'],
    ['dead', 'dead_letter', 'retries_exhausted'],
  ] as const)('with a success makes a delivery delivered that is %s', async (_case, status, failureReason) => {
    const { delivery, late } = await stale();
    await db.delivery.update({ where: { id: delivery.deliveryId }, data: { status, failureReason } });
    expect(await settle(late({ status: 'delivered' }, { succeeded: true }))).toMatchObject({ kind: 'settled' });
    expect(await read(delivery)).toMatchObject({ status: 'delivered', dueAt: null, failureReason: null });
  });

  // Postgres checks the row again after the wait. Only this second check needs the attempts that this statement has
  // written.
  test('with a success delivers what lost its lease while the settle waited for the row', async () => {
    const { delivery, settlement } = await claimed();
    let settled: ReturnType<typeof settle> = Promise.resolve(undefined);
    await inTransaction(db, async (transaction) => {
      await transaction.$executeRaw`
        update delivery set lease_token = gen_random_uuid() where id = ${delivery.deliveryId}::uuid`;
      settled = settle(settlement({ status: 'delivered' }, { succeeded: true }));
      await waitFor(isWaiting, { what: 'the settle to wait for the row' });
    });
    expect(await settled).toMatchObject({ kind: 'settled' });
    expect(await read(delivery)).toMatchObject({ status: 'delivered', dueAt: null });
  });

  test('cannot change a delivered row: neither with a failure nor with another success', async () => {
    const { delivery, late, current } = await stale();
    await settle(late({ status: 'delivered' }, { succeeded: true }));
    const before = await read(delivery);
    expect(await settle(current(retry))).toEqual({ kind: 'stale' });
    expect(await settle(current({ status: 'dead_letter', failureReason: 'retries_exhausted' }))).toEqual({
      kind: 'stale',
    });
    expect(await settle(current({ status: 'delivered' }, { succeeded: true }))).toEqual({ kind: 'stale' });
    expect(await read(delivery)).toEqual(before);
    expect(await attemptsOf(delivery)).toHaveLength(4);
  });

  test('with a success wins over a failure of the current lease, settled together, in either order', async () => {
    for (const order of [1, -1]) {
      const { delivery, late, current } = await stale();
      const both = [late({ status: 'delivered' }, { succeeded: true }), current(retry)];
      await settleDeliveries(db, order === 1 ? both : both.reverse());
      expect(await read(delivery)).toMatchObject({ status: 'delivered' });
      expect(await attemptsOf(delivery)).toHaveLength(2);
    }
  });
});

describe('settling again because the first reply was lost', () => {
  test('writes nothing twice, and returns the retry with the time that is left until it', async () => {
    const { delivery, settlement } = await claimed();
    const same = settlement(retry);
    await settle(same);
    const [before, healthBefore] = [await read(delivery), await health()];
    const again = await settle(same);
    if (again?.kind !== 'settled') throw new Error('the settlement has no effect');
    expect(again).toEqual({ kind: 'settled', generation: before.generation, delayMs: expect.any(Number) });
    expect(again.delayMs).toBeGreaterThan(200_000);
    expect(again.delayMs).toBeLessThanOrEqual(300_000);
    const { dueIn, ...after } = await read(delivery);
    expect({ ...after, dueIn: before.dueIn }).toEqual(before);
    expect(await attemptsOf(delivery)).toHaveLength(1);
    expect(await health()).toEqual(healthBefore);
  });

  test('returns no time for a delivery that has ended', async () => {
    const { delivery, settlement } = await claimed();
    const same = settlement({ status: 'delivered' }, { succeeded: true });
    await settle(same);
    const { generation } = await read(delivery);
    expect(await settle(same)).toEqual({ kind: 'settled', generation, delayMs: null });
  });
});

test('a failure that is settled again after its retry was claimed is stale', async () => {
  const { delivery, settlement } = await claimed();
  const same = settlement({ ...retry, delaySeconds: 0 });
  await settle(same);
  await claim(delivery);
  expect(await settle(same)).toEqual({ kind: 'stale' });
});

test('a success that is settled again after a manual retry does not cancel the retry', async () => {
  const { delivery, settlement } = await claimed();
  const same = settlement({ status: 'delivered' }, { succeeded: true });
  await settle(same);
  await retryDeliveryNow(db, delivery.deliveryId, 100);
  expect(await settle(same)).toEqual({ kind: 'stale' });
  expect(await read(delivery)).toMatchObject({ status: 'pending', nextTrigger: 'manual' });
});

describe('many at once', () => {
  test('returns results in the order given', async () => {
    const rows = await Promise.all([claimed(), claimed(), claimed(), claimed()]);
    const settlements = rows.reverse().map(({ settlement }, n) => settlement({ ...retry, delaySeconds: n + 1 }));
    const settled = await settleDeliveries(db, settlements);
    expect(settled.map((one) => one.kind === 'settled' && one.delayMs)).toEqual([1_000, 2_000, 3_000, 4_000]);
  });

  test('from ten callers with the same leases changes each row once', async () => {
    const rows = await Promise.all(Array.from({ length: 30 }, () => claimed()));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        const settlements = rows.map(({ settlement }) => settlement(retry));
        return settleDeliveries(db, n % 2 ? settlements : settlements.reverse());
      }),
    );
    expect(answers.flat().filter((answer) => answer.kind === 'settled')).toHaveLength(30);
    for (const { delivery } of rows) expect(await read(delivery)).toMatchObject({ generation: 1, scheduleStep: 1 });
  });
});

describe('the endpoint’s health', () => {
  const fail = async (record: Partial<AttemptRecord> = {}) => settle((await claimed()).settlement(retry, record));
  const succeed = async () => settle((await claimed()).settlement({ status: 'delivered' }, { succeeded: true }));

  test('is not written while every attempt succeeds', async () => {
    await succeed();
    expect(await health()).toBeNull();
  });

  test('counts failures in a row, and the time of the first', async () => {
    await fail();
    const since = (await health())?.failingSince;
    await fail();
    expect(await health()).toMatchObject({
      consecutiveFailures: 2,
      failingSince: since,
      lastFailureAt: expect.any(Date),
    });
  });

  test('is reset by a success', async () => {
    await fail();
    await succeed();
    expect(await health()).toMatchObject({ consecutiveFailures: 0, failingSince: null });
  });

  test('does not count errors of the dispatcher itself', async () => {
    await fail({ errorCode: 'internal' });
    expect(await health()).toBeNull();
  });

  test('counts every failure of one batch', async () => {
    const rows = await Promise.all([claimed(), claimed(), claimed()]);
    await settleDeliveries(
      db,
      rows.map(({ settlement }) => settlement(retry)),
    );
    expect(await health()).toMatchObject({ consecutiveFailures: 3 });
  });
});
