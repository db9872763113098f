import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createDb, type Db, type DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type Claim, claimDeliveries } from './claim.ts';
import { expireDeliveries } from './expire.ts';
import { settleDeliveries } from './settle.ts';
import { expiredLeases } from './settle-leases.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());

const options = { defaultTimeoutSeconds: 15 };

async function claimOne(
  { deliveryId, eventId, endpointId }: DeliveryRow,
  isolated = false,
): Promise<Claim | undefined> {
  const [claim] = await claimDeliveries(db, [{ deliveryId, eventId, endpointId, isolated }], options);
  return claim;
}

async function read({ deliveryId }: DeliveryRow) {
  const row = await db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
  const [clock] = await db.$queryRaw<{ leaseEndsIn: number | null }[]>`
    select extract(epoch from leased_until - now())::float8 as "leaseEndsIn" from delivery
    where id = ${deliveryId}::uuid`;
  return { ...row, leaseEndsIn: clock?.leaseEndsIn ?? null };
}

test('a claim returns the age of its event by Postgres’ clock, and the time of the request', async () => {
  const dayAgoMs = Date.now() - 86_400_000;
  const key = lowestKeyAt(new Date(dayAgoMs)).replace(/0$/, '7');
  const beganMs = performance.now();
  const claim = await claimOne(await insertDelivery(db, endpoint, { key }));
  if (claim?.kind !== 'claimed') throw new Error('not claimed');
  // Postgres runs on the test's host, so both have the same clock.
  const ageSeconds = (Date.now() - dayAgoMs) / 1_000;
  expect(ageSeconds - claim.eventAgeSeconds).toBeGreaterThan(-1);
  expect(claim.eventAgeSeconds).toBeGreaterThan(86_399);
  expect(claim.askedAtMs).toBeGreaterThan(beganMs);
});

describe('a delivering row from a version before leased_until', () => {
  async function leftBehind(dueInSeconds: number): Promise<DeliveryRow> {
    const delivery = await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID() });
    await db.$executeRaw`update delivery set leased_until = null,
      due_at = now() + make_interval(secs => ${dueInSeconds}::int) where id = ${delivery.deliveryId}::uuid`;
    return delivery;
  }

  test('is claimed again when its lease has expired: its due time is the end of the lease', async () => {
    expect(await claimOne(await leftBehind(-1))).toMatchObject({ kind: 'claimed', lostLeases: 1 });
  });

  test('is leased until then', async () => {
    expect(await claimOne(await leftBehind(60))).toMatchObject({ kind: 'leased', isolated: false });
  });

  test('ends with its retention', async () => {
    const delivery = await leftBehind(-1);
    await expireDeliveries(db, -1);
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'payload_expired' });
  });
});

describe('a claim', () => {
  test('claims a pending row that is due, and returns everything an attempt needs', async () => {
    const delivery = await insertDelivery(db, endpoint);
    const claim = await claimOne(delivery);
    expect(claim).toEqual({
      kind: 'claimed',
      ...delivery,
      environmentId: undefined,
      endpointRevision: expect.any(String),
      orderingKey: null,
      leaseToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
      attemptNumber: 1,
      manualRetries: 0,
      trigger: 'schedule',
      scheduleStep: 0,
      lostLeases: 0,
      askedAtMs: expect.any(Number),
      askedAtWallMs: expect.any(Number),
      eventAgeSeconds: expect.any(Number),
      event: {
        eventType: 'order.created',
        idempotencyKey: null,
        orderingKey: null,
        isErased: false,
        hasOneAttempt: false,
        contentType: 'application/json',
        deliverAt: null,
        payload: new Uint8Array(Buffer.from('sealed')),
        leftOutBytes: null,
      },
    });
    expect(await read(delivery)).toMatchObject({
      status: 'delivering',
      leaseToken: claim?.kind === 'claimed' && claim.leaseToken,
      lostLeases: 0,
      totalAttempts: 0,
    });
  });

  test('claims a scheduled retry that is due, with the next attempt number', async () => {
    const delivery = await insertDelivery(db, endpoint, {
      status: 'scheduled_retry',
      scheduleStep: 3,
      totalAttempts: 7,
    });
    expect(await claimOne(delivery)).toMatchObject({ kind: 'claimed', attemptNumber: 8, scheduleStep: 3 });
  });

  test('grants a lease of the timeout and 5 s: the default timeout, or the endpoint’s own', async () => {
    const delivery = await insertDelivery(db, endpoint);
    const own = await insertDelivery(db, await insertEndpoint(db, { timeoutSeconds: 30 }));
    await claimOne(delivery);
    await claimOne(own);
    const [byDefault, byItsOwn] = [await read(delivery), await read(own)];
    expect(byDefault.leaseEndsIn).toBeGreaterThan(15);
    expect(byDefault.leaseEndsIn).toBeLessThanOrEqual(20);
    expect(byItsOwn.leaseEndsIn).toBeGreaterThan(30);
    expect(byItsOwn.leaseEndsIn).toBeLessThanOrEqual(35);
  });

  test.each(['pending', 'scheduled_retry'] as const)(
    'does not claim a %s row that is not due yet by Postgres’ clock',
    async (status) => {
      const delivery = await insertDelivery(db, endpoint, { status, dueInSeconds: 60 });
      const before = await read(delivery);
      expect(await claimOne(delivery)).toEqual({ kind: 'nothing' });
      expect(await read(delivery)).toMatchObject({ status, updatedAt: before.updatedAt, lostLeases: 0 });
    },
  );

  test('does not claim a row that another worker has leased, and returns the time until the lease ends', async () => {
    const delivery = await insertDelivery(db, endpoint, { status: 'delivering', generation: 3, dueInSeconds: 9 });
    const before = await read(delivery);
    const leased = await claimOne(delivery);
    expect(leased).toMatchObject({ kind: 'leased', generation: 3, isolated: false });
    if (leased?.kind !== 'leased') throw new Error('not leased');
    expect(leased.delayMs).toBeGreaterThan(5_000);
    expect(leased.delayMs).toBeLessThanOrEqual(9_000);
    expect(await read(delivery)).toMatchObject({ updatedAt: before.updatedAt, lostLeases: 0 });
  });

  test.each(['delivered', 'failed', 'dead_letter'] as const)('does not claim a %s row', async (status) => {
    const delivery = await insertDelivery(db, endpoint, { status, dueInSeconds: null });
    expect(await claimOne(delivery)).toEqual({ kind: 'nothing' });
    expect(await read(delivery)).toMatchObject({ status });
  });

  test('returns nothing for a row that does not exist', async () => {
    const id = randomUUID();
    expect(await claimOne({ ...endpoint, deliveryId: id, eventId: id })).toEqual({ kind: 'nothing' });
  });

  test('returns results in the order of the requests, and claims a row that is requested twice once', async () => {
    const [first, second] = [await insertDelivery(db, endpoint), await insertDelivery(db, endpoint)];
    const claims = await claimDeliveries(db, [second, first, second], options);
    expect(claims.map((claim) => claim.kind === 'claimed' && claim.deliveryId)).toEqual([
      second.deliveryId,
      first.deliveryId,
      false,
    ]);
  });

  test('returns no event when retention has deleted it', async () => {
    const delivery = await insertDelivery(db, endpoint);
    await db.event.delete({ where: { id: delivery.eventId } });
    expect(await claimOne(delivery)).toMatchObject({ kind: 'claimed', event: null });
  });

  test('distinguishes an empty body from a deleted event', async () => {
    const delivery = await insertDelivery(db, endpoint);
    await db.$executeRaw`update event set payload = null where id = ${delivery.eventId}::uuid`;
    expect(await claimOne(delivery)).toMatchObject({ event: { payload: null, eventType: 'order.created' } });
  });

  test.each([
    ['waits for consumers', { isPulled: true }],
    ['has lost two leases', { status: 'delivering', lostLeases: 1, dueInSeconds: -1 }],
  ] as const)('of a delivery in a line that %s fails no claim beside it', async (_case, given) => {
    const at = await insertEndpoint(db);
    await db.endpoint.update({ where: { id: at.endpointId }, data: { isPulled: 'isPulled' in given } });
    const inLine = await insertDelivery(db, at, given);
    await db.$executeRaw`update delivery set due_at = due_of(now(), true) where id = ${inLine.deliveryId}::uuid`;
    const other = await insertDelivery(db, endpoint);
    const claims = await claimDeliveries(db, [{ ...inLine, fromLine: true }, other], options);
    expect(claims.map(({ kind }) => kind)).toEqual(['nothing', 'claimed']);
  });

  test('by ten callers of the same hundred rows claims each row exactly once', async () => {
    const deliveries = await Promise.all(Array.from({ length: 100 }, () => insertDelivery(db, endpoint)));
    const rounds = await Promise.all(
      Array.from({ length: 10 }, (_, caller) => {
        const asked = caller % 2 === 0 ? deliveries : [...deliveries].reverse();
        return claimDeliveries(db, asked, options);
      }),
    );
    const claimed = rounds.flat().flatMap((claim) => (claim.kind === 'claimed' ? [claim.deliveryId] : []));
    expect(claimed.sort()).toEqual(deliveries.map((delivery) => delivery.deliveryId).sort());
  });
});

describe('an expired lease', () => {
  test.each<[string, Date | null, string]>([
    ['that ended after the claim was asked for is left to the result that waits for Postgres', new Date(0), 'leased'],
    ['is left to the results of others after an outage', null, 'leased'],
    ['that ended before is taken over', new Date(Date.now() + 60_000), 'claimed'],
  ])('%s', async (_what, endedBy, kind) => {
    const leaseToken = randomUUID();
    const delivery = await insertDelivery(db, endpoint, { status: 'delivering', leaseToken, dueInSeconds: -1 });
    const takeOver = { endedBy, againInMs: 400 };
    const [claim] = await claimDeliveries(db, [delivery], { ...options, takeOver });
    expect(claim).toMatchObject(kind === 'leased' ? { kind, delayMs: 400 } : { kind });
    const next = { status: 'failed', failureReason: 'payload_expired' } as const;
    const settlement = { ...delivery, leaseToken, attempt: null, next };
    expect(await settleDeliveries(db, [settlement])).toMatchObject([{ kind: kind === 'leased' ? 'settled' : 'stale' }]);
  });

  const lost = (lostLeases: number) => ({ status: 'delivering', leaseToken: randomUUID(), lostLeases }) as const;

  test('is granted again with the same attempt number and trigger, and counted as lost', async () => {
    const delivery = await insertDelivery(db, endpoint, { ...lost(0), totalAttempts: 2, nextTrigger: 'manual' });
    const before = await read(delivery);
    const claim = await claimOne(delivery);
    expect(claim).toMatchObject({ kind: 'claimed', attemptNumber: 3, trigger: 'manual', lostLeases: 1 });
    const after = await read(delivery);
    expect(after).toMatchObject({ status: 'delivering', lostLeases: 1, totalAttempts: 2 });
    expect(after.leaseToken).not.toBe(before.leaseToken);
  });

  test('that is the fifth lost in a row makes the delivery a dead letter, quarantined', async () => {
    const delivery = await insertDelivery(db, endpoint, lost(4));
    expect(await claimOne(delivery, true)).toMatchObject({ kind: 'ended', reason: 'quarantined' });
    const row = await read(delivery);
    expect(row).toMatchObject({ status: 'dead_letter', failureReason: 'quarantined', dueAt: null, totalAttempts: 0 });
  });

  test.each([1, 2, 3])(
    'lost for the %i. time after the first is claimed only in isolation: the delivery may have ended its process',
    async (lostLeases) => {
      const delivery = await insertDelivery(db, endpoint, lost(lostLeases));
      expect(await claimOne(delivery)).toMatchObject({ kind: 'leased', isolated: true, delayMs: 0 });
      expect(await claimOne(delivery, true)).toMatchObject({ kind: 'claimed', lostLeases: lostLeases + 1 });
    },
  );

  test('of consumers quarantines nothing, however many there were: the delivery waits for the end of its lease', async () => {
    const pulled = await insertEndpoint(db);
    await db.endpoint.update({ where: { id: pulled.endpointId }, data: { isPulled: true } });
    // The state after an endpoint was deactivated and activated again while a consumer held the delivery.
    const delivery = await insertDelivery(db, pulled, { ...lost(9), isPulled: true });
    expect(await claimOne(delivery, true)).toEqual({ kind: 'nothing' });
    expect(await read(delivery)).toMatchObject({ status: 'delivering', failureReason: null, lostLeases: 9 });
    expect((await expiredLeases(db, 100)).map(({ deliveryId }) => deliveryId)).toContain(delivery.deliveryId);
  });

  test.each<[string, string, number[] | null]>([
    ['U+0000', '{"old":"\\u0000","retrySchedule":[7,60]}', [7, 60]],
    ['half of a pair of surrogates', '{"retrySchedule":[],"old":"\\ud800"}', []],
    ['what looks like a schedule', '{"old":"\\"retrySchedule\\":[7]"}', null],
  ])('of consumers is found when a text of the config has %s', async (_case, config, retrySchedule) => {
    const pulled = await insertEndpoint(db);
    await db.$executeRaw`
      update endpoint set is_pulled = true, config = ${config}::json where id = ${pulled.endpointId}::uuid`;
    const { deliveryId } = await insertDelivery(db, pulled, { ...lost(0), isPulled: true });
    const expired = await expiredLeases(db, 100);
    expect(expired.find((lease) => lease.deliveryId === deliveryId)).toMatchObject({ retrySchedule });
  });

  test('of a delivery that was released since is still claimed only in isolation', async () => {
    const delivery = await insertDelivery(db, endpoint, { lostLeases: 2 });
    expect(await claimOne(delivery)).toEqual({ kind: 'nothing' });
    expect(await claimOne(delivery, true)).toMatchObject({ kind: 'claimed', lostLeases: 2 });
  });
});

describe('the endpoint’s state at the claim', () => {
  test.each([
    ['inactive', { isActive: false }, 'endpoint_inactive'],
    ['deleted', { deletedAt: new Date() }, 'endpoint_deleted'],
    ['inactive and deleted', { isActive: false, deletedAt: new Date() }, 'endpoint_deleted'],
  ] as const)('%s: a due delivery fails, from every open status', async (_case, given, reason) => {
    const gone = await insertEndpoint(db, given);
    for (const status of ['pending', 'scheduled_retry', 'delivering'] as const) {
      const delivery = await insertDelivery(db, gone, { status });
      expect(await claimOne(delivery)).toMatchObject({ kind: 'ended', reason });
      expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: reason, dueAt: null });
    }
  });

  test('inactive: a delivery that consumers fetch ends without a lease, so no lease of it expires later', async () => {
    const inactive = await insertEndpoint(db, { isActive: false });
    await db.endpoint.update({ where: { id: inactive.endpointId }, data: { isPulled: true } });
    const delivery = await insertDelivery(db, inactive, { isPulled: true });
    expect(await claimOne(delivery)).toMatchObject({ kind: 'ended', reason: 'endpoint_inactive' });
    expect(await read(delivery)).toMatchObject({ status: 'failed', leasedUntil: null });
    // The state that earlier versions left.
    await db.$executeRaw`update delivery set leased_until = now() where id = ${delivery.deliveryId}::uuid`;
    const expired = (await expiredLeases(db, 100)).map(({ deliveryId }) => deliveryId);
    expect(expired).not.toContain(delivery.deliveryId);
  });

  test('inactive: a delivery that a consumer holds is not ended before its lease has expired as an attempt', async () => {
    const inactive = await insertEndpoint(db, { isActive: false });
    await db.endpoint.update({ where: { id: inactive.endpointId }, data: { isPulled: true } });
    const leased = { isPulled: true, status: 'delivering', leaseToken: randomUUID(), dueInSeconds: -1 } as const;
    const delivery = await insertDelivery(db, inactive, leased);
    expect(await claimOne(delivery)).toEqual({ kind: 'nothing' });
    expect(await read(delivery)).toMatchObject({ status: 'delivering', leaseToken: leased.leaseToken });
    expect((await expiredLeases(db, 100)).map(({ deliveryId }) => deliveryId)).toContain(delivery.deliveryId);
  });

  test('inactive: a delivery that is not due yet does not change', async () => {
    const delivery = await insertDelivery(db, await insertEndpoint(db, { isActive: false }), { dueInSeconds: 60 });
    expect(await claimOne(delivery)).toEqual({ kind: 'nothing' });
    expect(await read(delivery)).toMatchObject({ status: 'pending' });
  });

  test('the claim returns the endpoint’s revision', async () => {
    const edited = await insertEndpoint(db);
    const { revision } = await db.endpoint.update({ where: { id: edited.endpointId }, data: { version: 7 } });
    expect(await claimOne(await insertDelivery(db, edited))).toMatchObject({ endpointRevision: revision });
  });
});

test('a query plan cached on an empty day still reads only the requested rows when the day has filled', async () => {
  // Uses its own database, because connections may report what they have read up to 10 s later.
  const { databaseUrl, drop } = await createTestDatabase();
  const one = createDb({ databaseUrl, maxConnections: 1, keepPlans: true, onIdleError: () => {} });
  const filled = await insertEndpoint(one);
  const claimAndSettle = async () => {
    const { deliveryId, eventId, endpointId } = await insertDelivery(one, filled);
    const [claim] = await claimDeliveries(one, [{ deliveryId, eventId, endpointId }], options);
    if (claim?.kind !== 'claimed') throw new Error('not claimed');
    const next = { status: 'failed', failureReason: 'payload_expired' } as const;
    await settleDeliveries(one, [{ deliveryId, endpointId, leaseToken: claim.leaseToken, attempt: null, next }]);
  };
  const rowsRead = async () => {
    await one.$queryRaw`select pg_stat_force_next_flush()::text`;
    const [row] = await one.$queryRaw<{ scanned: number; fetched: number }[]>`
      select sum(seq_tup_read)::int as scanned, sum(idx_tup_fetch)::int as fetched from pg_stat_user_tables
      where relname ~ '^(delivery|event)_[0-9]{8}$'`;
    return row ?? { scanned: 0, fetched: 0 };
  };
  for (let n = 0; n < 10; n += 1) await claimAndSettle();
  await one.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, due_at)
    select (left(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') ||
      '7000800000' || lpad(to_hex(n), 10, '0'), 32))::uuid, gen_random_uuid(), ${filled.endpointId}::uuid,
      ${filled.workspaceId}::uuid, ${filled.environmentId}::uuid, now() from generate_series(1, 20000) n`;
  const before = await rowsRead();
  for (let n = 0; n < 10; n += 1) await claimAndSettle();
  const after = await rowsRead();
  expect(after.scanned - before.scanned).toBe(0);
  expect(after.fetched - before.fetched).toBeLessThan(100);
  await one.$disconnect();
  await drop();
});

describe('an update that leaves the due time as it is writes into no index', () => {
  test('because no index of deliveries names the lease or the status', async () => {
    const columns = ['status', 'lease_token', 'leased_until', 'lost_leases', 'generation', 'updated_at'];
    // An index depends on its columns, and on the columns in its expressions and its predicate.
    const named = await db.$queryRaw<{ index: string; column: string }[]>`
      select i.indexrelid::regclass::text as index, a.attname as column
      from pg_index i join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
        and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
      where i.indrelid in (select relid from pg_partition_tree('delivery')) and a.attname = any(${columns}::text[])`;
    expect(named).toEqual([]);
  });

  test('so Postgres counts each claim as a HOT update', async () => {
    // So few that all updates find room in their page, even if the page has rows of other tests.
    const rows = await Promise.all(Array.from({ length: 8 }, () => insertDelivery(db, endpoint)));
    const counted = (transaction: DbTransaction) => transaction.$queryRaw<{ all: number; hot: number }[]>`
      select coalesce(sum(n_tup_upd), 0)::int as all, coalesce(sum(n_tup_hot_upd), 0)::int as hot
      from pg_stat_xact_user_tables where relid in (select relid from pg_partition_tree('delivery'))`;
    await inTransaction(db, async (transaction) => {
      // The connection may still have counts of an earlier transaction.
      const [before = { all: 0, hot: 0 }] = await counted(transaction);
      const claims = await claimDeliveries(transaction as Db, rows, options);
      expect(claims.map((claim) => claim.kind)).toEqual(rows.map(() => 'claimed'));
      expect(await counted(transaction)).toEqual([{ all: before.all + rows.length, hot: before.hot + rows.length }]);
    });
  });
});
