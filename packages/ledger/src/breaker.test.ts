import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDb, type Db } from '@posthorn/db/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type Claim, type ClaimedDelivery, claimDeliveries } from './claim.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { findFailingEndpoints } from './failing-endpoints.ts';
import { forgetHealth } from './forget-health.ts';
import { type GatheredSuccesses, writeGathered } from './gathered-successes.ts';
import { takeLineTurns } from './line.ts';
import { type Settlement, settleDeliveries } from './settle.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
});

const claim = (rows: DeliveryRow[]) => claimDeliveries(db, rows, { defaultTimeoutSeconds: 15 });
const kinds = (claims: Claim[]) => claims.map((one) => one.kind);
const health = () => db.endpointHealth.findUnique({ where: { endpointId: endpoint.endpointId } });
const waiting = (count: number, given = {}) =>
  Promise.all(Array.from({ length: count }, () => insertDelivery(db, endpoint, given)));

/** Settles a batch of claimed attempts together. */
async function attempts(outcomes: { succeeded?: boolean; errorCode?: string }[]) {
  await settle(await claim(await waiting(outcomes.length)), outcomes);
}

async function settle(claims: Claim[], outcomes: { succeeded?: boolean; errorCode?: string }[]) {
  await settleDeliveries(
    db,
    claims.flatMap((one, n) => (one.kind === 'claimed' ? [settlement(one, outcomes[n] ?? {})] : [])),
  );
}

function settlement(
  { deliveryId, endpointId, leaseToken }: Pick<ClaimedDelivery, 'deliveryId' | 'endpointId' | 'leaseToken'>,
  { succeeded = false, errorCode = 'http_status' }: { succeeded?: boolean; errorCode?: string },
): Settlement {
  const nulls = { responseStatus: null, responseHeadersSealed: null, responseBodySealed: null, remoteAddress: null };
  return {
    deliveryId,
    endpointId,
    leaseToken,
    attempt: {
      ...nulls,
      id: randomUUID(),
      number: 1,
      trigger: 'schedule',
      succeeded,
      startedAt: new Date(),
      durationMs: 1,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
      url: 'https://receiver.test/',
      requestHeaders: {},
      responseTruncated: false,
      errorCode: succeeded ? null : errorCode,
      errorMessage: null,
    },
    next: succeeded ? { status: 'delivered' } : { status: 'scheduled_retry', delaySeconds: 3_600 },
  };
}

const failures = (count: number) => Array.from({ length: count }, () => ({}));
const successes = (count: number) => Array.from({ length: count }, () => ({ succeeded: true }));

/** Moves every stored time into the past by `seconds`. */
const age = (seconds: number) => db.$executeRaw`
  update endpoint_health set failing_since = failing_since - make_interval(secs => ${seconds}::int),
    window_started_at = window_started_at - make_interval(secs => ${seconds}::int),
    last_failure_at = last_failure_at - make_interval(secs => ${seconds}::int),
    open_until = open_until - make_interval(secs => ${seconds}::int)
  where endpoint_id = ${endpoint.endpointId}::uuid`;

/**
 * The seconds for which the last failure keeps the breaker open. Both times come from one statement, so this is exact.
 */
async function openSeconds(): Promise<number | null> {
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    select extract(epoch from open_until - last_failure_at)::float8 as seconds from endpoint_health
    where endpoint_id = ${endpoint.endpointId}::uuid`;
  return row?.seconds ?? null;
}

async function secondsToProbe(): Promise<number> {
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    select extract(epoch from open_until - now())::float8 as seconds from endpoint_health
    where endpoint_id = ${endpoint.endpointId}::uuid`;
  return row?.seconds ?? Number.NaN;
}

async function open() {
  await attempts(failures(9));
  await age(31);
  await attempts(failures(1));
  expect(await openSeconds()).toBe(30);
}

describe('the breaker opens', () => {
  test('after 10 failures in a row that span 30 s', open);

  test.each([
    ['9 failures in a row, however long', 8, 31],
    ['10 within 29 s', 9, 20],
  ])('not after %s', async (_case, before, seconds) => {
    await attempts(failures(before));
    await age(seconds);
    await attempts(failures(1));
    expect(await openSeconds()).toBeNull();
  });

  test('not when a success interrupts 9 failures and more', async () => {
    await attempts(failures(9));
    await attempts(successes(9));
    await age(31);
    await attempts(failures(9));
    expect(await openSeconds()).toBeNull();
  });

  test('when 14 of 20 failed over 30 s, also in batches with successes and failures', async () => {
    await attempts([...failures(6), ...successes(3)]);
    await attempts([...failures(4), ...successes(3)]);
    await age(31);
    await attempts([...failures(3), ...successes(0)]);
    expect(await openSeconds()).toBeNull();
    await attempts(failures(1));
    expect(await openSeconds()).toBe(30);
  });

  test.each([
    ['13 of 20', 13, 7, 31],
    ['13 of 19', 13, 6, 31],
    ['14 of 20, the first longer than 5 minutes ago', 14, 6, 301],
  ])('not when %s failed', async (_case, failed, succeeded, seconds) => {
    await attempts([...failures(failed - 1), ...successes(succeeded)]);
    await age(seconds);
    await attempts(failures(1));
    expect(await openSeconds()).toBeNull();
  });

  test('not by errors of the dispatcher itself', async () => {
    await attempts(failures(9));
    await age(31);
    await attempts([{ errorCode: 'internal' }]);
    expect(await openSeconds()).toBeNull();
  });
});

describe('while it is open', () => {
  beforeEach(open);

  test('due deliveries wait in the line of the endpoint until it may be probed: status kept, no attempt spent', async () => {
    const rows = [
      await insertDelivery(db, endpoint),
      await insertDelivery(db, endpoint, { status: 'scheduled_retry', scheduleStep: 2, totalAttempts: 2 }),
    ];
    expect(await claim(rows)).toEqual(rows.map(() => ({ kind: 'breaker_open' })));
    const [turn] = await takeLineTurns(db, { aheadSeconds: 31, hurried: [] });
    expect(turn).toMatchObject({ endpointId: endpoint.endpointId, isActive: true });
    expect(turn?.openSeconds).toBeGreaterThan(25);
    const [pending, retry] = await Promise.all(
      rows.map(({ deliveryId }) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } })),
    );
    expect(pending).toMatchObject({ status: 'pending', totalAttempts: 0, leaseToken: null });
    expect(retry).toMatchObject({ status: 'scheduled_retry', totalAttempts: 2, scheduleStep: 2 });
    expect(kinds(await claim(rows))).toEqual(['nothing', 'nothing']);
  });

  test('another endpoint is claimed in the same batch', async () => {
    const other = await insertDelivery(db, await insertEndpoint(db));
    expect(kinds(await claim([other, ...(await waiting(1))]))).toEqual(['claimed', 'breaker_open']);
  });

  test('a delivery whose endpoint is inactive is ended, and a delivery with a lost lease is claimed again', async () => {
    const lost = await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID() });
    expect(kinds(await claim([lost]))).toEqual(['claimed']);
    const rows = await waiting(1);
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } });
    expect(await claim(rows)).toMatchObject([{ kind: 'ended', reason: 'endpoint_inactive' }]);
  });

  test('when the probe is due, exactly one of 50 callers gets it, and the next one only after its lease', async () => {
    const rows = await waiting(50);
    await age(31);
    const claims = await Promise.all(rows.map((row) => claim([row])));
    expect(kinds(claims.flat()).filter((kind) => kind === 'claimed')).toHaveLength(1);
    expect(kinds(claims.flat()).filter((kind) => kind === 'breaker_open')).toHaveLength(49);
    // The lease has been running during the other claims.
    expect(await secondsToProbe()).toBeLessThanOrEqual(20);
    expect(await secondsToProbe()).toBeGreaterThan(10);
    expect(kinds(await claim(await waiting(3)))).toEqual(['breaker_open', 'breaker_open', 'breaker_open']);
    await age(21);
    expect(kinds(await claim(await waiting(3))).sort()).toEqual(['breaker_open', 'breaker_open', 'claimed']);
  });

  test('a suspect row becomes a probe only when it is claimed in isolation', async () => {
    await age(31);
    const [suspect] = await waiting(1, { lostLeases: 2 });
    if (suspect === undefined) throw new Error('no row');
    expect(kinds(await claim([suspect]))).toEqual(['nothing']);
    const isolated = { ...suspect, isolated: true };
    expect(kinds(await claim([isolated]))).toEqual(['claimed']);
  });

  test('a failed probe delays the next one: 1, 2, 5, 10, 10 minutes', async () => {
    for (const seconds of [60, 120, 300, 600, 600]) {
      await age(601);
      const claims = await claim(await waiting(2));
      expect(kinds(claims).sort()).toEqual(['breaker_open', 'claimed']);
      await settle(claims, failures(2));
      expect(await openSeconds()).toBe(seconds);
    }
  });

  test('a failure that is not a probe does not delay the probe', async () => {
    const before = await health();
    const lost = await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID() });
    await settle(await claim([lost]), failures(1));
    expect(before?.openUntil).toBeInstanceOf(Date);
    expect(await health()).toMatchObject({ openUntil: before?.openUntil, consecutiveFailures: 11 });
  });

  test('a success closes it and resets its counts', async () => {
    await age(31);
    await settle(await claim(await waiting(1)), successes(1));
    expect(await health()).toMatchObject({
      openUntil: null,
      openStep: 0,
      consecutiveFailures: 0,
      windowStartedAt: null,
    });
    expect(kinds(await claim(await waiting(3)))).toEqual(['claimed', 'claimed', 'claimed']);
    await attempts(failures(5));
    expect(await openSeconds()).toBeNull();
  });
});

test('a healthy endpoint has no row, however many deliveries succeed', async () => {
  await attempts(successes(30));
  expect(await health()).toBeNull();
});

describe('an endpoint is found as failing', () => {
  const DAY = 86_400;
  const find = async () => (await findFailingEndpoints(db)).find((one) => one.endpointId === endpoint.endpointId);
  const found = async () => (await find()) !== undefined;

  test('after 5 days without a success', async () => {
    await attempts(failures(1));
    await age(5 * DAY + 1);
    await attempts(failures(1));
    expect(await found()).toBe(true);
    const { endpointId } = endpoint;
    await disableEndpoint(db, { endpointId, reason: 'failing', auditEntryId: randomUUID(), publicId: 'ep_1' });
    expect(await found()).toBe(false);
    expect(await health()).toMatchObject({ consecutiveFailures: 2 });
  });

  test('when a person activated it again, only after 5 more days of failures', async () => {
    await attempts(failures(1));
    await age(5 * DAY + 1);
    await attempts(failures(1));
    const { endpointId } = endpoint;
    await disableEndpoint(db, { endpointId, reason: 'failing', auditEntryId: randomUUID(), publicId: 'ep_1' });
    await db.endpoint.update({ where: { id: endpointId }, data: { isActive: true } });
    await forgetHealth(db, endpointId);
    await age(DAY);
    await attempts(failures(1));
    expect(await found()).toBe(false);
    await age(5 * DAY + 1);
    await attempts(failures(1));
    expect(await found()).toBe(true);
  });

  test('and is not deactivated if a person has changed it since', async () => {
    await attempts(failures(1));
    await age(5 * DAY + 1);
    await attempts(failures(1));
    const failing = await find();
    if (failing === undefined) throw new Error('it was not found');
    const { endpointId } = failing;
    const given = { reason: 'failing', auditEntryId: randomUUID(), publicId: 'ep_1' } as const;
    await db.endpoint.update({ where: { id: endpointId }, data: { version: { increment: 1 } } });
    expect(await disableEndpoint(db, { ...failing, ...given })).toBe(false);
  });

  test('and is not deactivated if it has answered since', async () => {
    await attempts(failures(1));
    await age(5 * DAY + 1);
    await attempts(failures(1));
    const failing = await find();
    if (failing === undefined) throw new Error('it was not found');
    await attempts(successes(1));
    const given = { reason: 'failing', auditEntryId: randomUUID(), publicId: 'ep_1' } as const;
    expect(await disableEndpoint(db, { ...failing, ...given })).toBe(false);
    expect(await db.endpoint.count({ where: { id: failing.endpointId, isActive: true } })).toBe(1);
  });

  test('even when no event has come since its last failure', async () => {
    await attempts(failures(1));
    await age(DAY);
    await attempts(failures(1));
    await age(4 * DAY - 60);
    expect(await found()).toBe(false);
    await age(120);
    expect(await found()).toBe(true);
  });

  test('not before, and not after one failure', async () => {
    await attempts(failures(1));
    await age(5 * DAY - 60);
    expect(await found()).toBe(false);
    await age(120);
    expect(await found()).toBe(false);
    await age(-120);
    await attempts(failures(1));
    expect(await found()).toBe(false);
  });

  test('not when all its failures lie within 12 hours', async () => {
    await attempts(failures(2));
    await db.$executeRaw`update endpoint_health set failing_since = now() - interval '5 days 1 hour',
      last_failure_at = now() - interval '4 days 20 hours' where endpoint_id = ${endpoint.endpointId}::uuid`;
    expect(await found()).toBe(false);
  });

  test('not after a success', async () => {
    await attempts(failures(1));
    await age(5 * DAY + 1);
    await attempts(successes(1));
    await attempts(failures(1));
    expect(await found()).toBe(false);
  });
});

describe('successes that are gathered after a failure', () => {
  const gathered: GatheredSuccesses = new Map();
  beforeEach(() => gathered.clear());
  async function gather(outcomes: { succeeded?: boolean }[]) {
    const claims = await claim(await waiting(outcomes.length));
    const settlements = claims.flatMap((one, n) =>
      one.kind === 'claimed' ? [settlement(one, outcomes[n] ?? {})] : [],
    );
    return settleDeliveries(db, settlements, gathered);
  }
  const rowVersion = async () => {
    const [row] = await db.$queryRaw<{ version: string }[]>`
      select xmin::text as version from endpoint_health where endpoint_id = ${endpoint.endpointId}::uuid`;
    return row?.version;
  };

  test('do not write the row until they are flushed', async () => {
    await gather([...failures(1), ...successes(1)]);
    const version = await rowVersion();
    await gather(successes(2));
    await gather(successes(3));
    expect([await rowVersion(), [...gathered.values()]]).toEqual([version, [5]]);
    await writeGathered(db, gathered);
    expect([await health(), gathered.size]).toMatchObject([{ windowAttempts: 7, windowFailures: 1 }, 0]);
  });

  test('count towards the breaker when the same process settles the next failure', async () => {
    await gather([...failures(10), ...successes(1)]);
    await gather(successes(20));
    await age(31);
    // The gathered successes count: 14 of 35 failed, not 14 of 15.
    await gather(failures(4));
    expect([await openSeconds(), await health()]).toMatchObject([null, { windowAttempts: 35, windowFailures: 14 }]);
  });

  test('are written at once when they end a run of failures or close the breaker', async () => {
    await gather(failures(3));
    await gather(successes(1));
    expect([await health(), gathered.size]).toMatchObject([{ consecutiveFailures: 0, windowAttempts: 4 }, 0]);
    await open();
    await age(31);
    await gather(successes(1));
    expect([await openSeconds(), gathered.size]).toEqual([null, 0]);
  });

  test('of an endpoint without a failure are not gathered', async () => {
    await gather(successes(2));
    expect([gathered.size, await health()]).toEqual([0, null]);
  });
});

test('settles of several dispatchers that count outcomes of the same endpoints do not deadlock', async () => {
  const endpoints = await Promise.all(Array.from({ length: 20 }, () => insertEndpoint(db)));
  // Some endpoints already have a record, so that successes are written, too.
  const keyOfToday = () => lowestKeyAt(new Date()).slice(0, 14) + randomUUID().slice(14);
  const outcome = (of: EndpointRow, succeeded: boolean) =>
    settlement({ ...of, deliveryId: keyOfToday(), leaseToken: randomUUID() }, { succeeded });
  await settleDeliveries(
    db,
    endpoints.map((of) => outcome(of, false)),
  );
  const onIdleError = () => {};
  const writers = [1, 2].map(() => createDb({ databaseUrl: database.databaseUrl, maxConnections: 4, onIdleError }));
  const faults: unknown[] = [];
  const write = async (writer: Db, n: number) => {
    for (let round = 0; round < 25; round += 1) {
      const batch = endpoints.map((of, index) => outcome(of, (index * 7 + round + n) % 3 === 0));
      await settleDeliveries(writer, round % 2 === 0 ? batch : batch.reverse()).catch((error) => faults.push(error));
    }
  };
  await Promise.all(writers.flatMap((writer) => [1, 2, 3, 4].map((n) => write(writer, n))));
  // A connection reports its statistics when it ends.
  await Promise.all(writers.map((writer) => writer.$disconnect()));
  const [figures] = await db.$queryRaw<{ deadlocks: number }[]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`;
  expect([faults, figures]).toEqual([[], { deadlocks: 0 }]);
});
