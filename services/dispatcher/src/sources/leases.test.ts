import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { readHeld, renew, takeOne } from './leases.ts';
import type { SourceReport } from './read-source.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const keys = parseSealingKeys(`test:${Buffer.alloc(32).toString('base64')}`);
const none = { free: 0, pro: 0, enterprise: 0 };
const quotas = { eventsPerDay: none, bytesKept: none, attemptBytesKept: none };
const held = (reader: string) => readHeld(db, reader, { keys, quotas });

let place: EndpointRow;
beforeEach(async () => {
  await db.source.deleteMany();
  await Promise.all([db.operationalEvent.deleteMany(), db.raisedAlert.deleteMany()]);
  place = await insertEndpoint(db);
});

async function insertSource({ workspaceId, environmentId } = place, at = new Date()): Promise<string> {
  const id = newUuid(at);
  const times = { createdAt: at, updatedAt: at };
  await db.source.create({
    data: { id, workspaceId, environmentId, name: 'Orders', type: 'kafka', config: {}, ...times },
  });
  return id;
}

/** A reader that holds a new source. */
async function reading() {
  const [id, reader] = [await insertSource(), randomUUID()];
  await takeOne(db, reader, []);
  const [source] = await held(reader);
  const report = async (found: Partial<SourceReport>, revision = source?.revision ?? '') => {
    const nothing = { error: null, lagRecords: 0n, lastRecordAt: null, rejected: 0 };
    await renew(db, reader, [{ id, revision, report: { status: 'running', ...nothing, ...found } }], new Date());
    return db.source.findUniqueOrThrow({ where: { id } });
  };
  /** Makes the trouble begin earlier. */
  const age = (seconds: number) => db.$executeRaw`
    update source set troubled_since = troubled_since - make_interval(secs => ${seconds}::int) where id = ${id}::uuid`;
  return { id, reader, report, age };
}

async function publish(name: string) {
  const { workspaceId, environmentId } = place;
  await db.eventType.create({
    data: { id: newUuid(new Date()), workspaceId, name, published: { create: [{ environmentId }] } },
  });
}

const told = async () =>
  (await db.operationalEvent.findMany({ orderBy: { raisedAt: 'asc' } })).map(({ eventType, facts }) => [
    eventType,
    facts,
  ]);

describe('a source in trouble is told of once', () => {
  beforeEach(async () => {
    await publish('posthorn.source.failing');
    await publish('posthorn.source.recovered');
  });

  test('one that fails after a minute, and its recovery', async () => {
    const { id, report, age } = await reading();
    const failing = { status: 'failing', error: 'no answer', lagRecords: null } as const;
    await report(failing);
    await age(59);
    await report(failing);
    expect(await told()).toEqual([]);
    await age(2);
    await report(failing);
    await report(failing);
    const { environmentId } = place;
    const of = { sourceId: id, name: 'Orders', environmentId, failingSince: expect.any(String) };
    const failed = { ...of, lagRecords: null, status: 'failing', error: 'no answer' };
    expect(await told()).toEqual([['posthorn.source.failing', failed]]);
    await report({ status: 'running' });
    expect((await told()).slice(1)).toEqual([['posthorn.source.recovered', { ...of, lagRecords: 0 }]]);
  });

  test('one that fails for seconds again and again is not told of', async () => {
    const { report } = await reading();
    for (let time = 0; time < 3; time += 1) {
      await report({ status: 'failing', error: 'no answer' });
      expect((await report({ status: 'running' })).troubledSince).toBeNull();
    }
    expect(await told()).toEqual([]);
  });

  test('one that stops at once, and when it stops again', async () => {
    const { report } = await reading();
    await report({ status: 'stopped', error: 'offset_lost' });
    expect(await told()).toHaveLength(1);
    await report({ status: 'starting' });
    await report({ status: 'stopped', error: 'offset_lost' });
    expect((await told()).map(([name]) => name)).toEqual(['posthorn.source.failing', 'posthorn.source.failing']);
  });

  test('one that is behind for five minutes, whatever its status; not one whose records are new', async () => {
    const { report, age } = await reading();
    const waiting = { status: 'paused', lagRecords: 5n } as const;
    expect((await report({ ...waiting, lastRecordAt: new Date() })).troubledSince).toBeNull();
    const old = { ...waiting, lastRecordAt: new Date(Date.now() - 301_000) };
    await report(old);
    await age(301);
    expect(await told()).toEqual([]);
    await report(old);
    expect(await told()).toEqual([
      ['posthorn.source.failing', expect.objectContaining({ status: 'paused', lagRecords: 5 })],
    ]);
  });

  test('a report about a former revision changes nothing but the lease and what was counted', async () => {
    const { report } = await reading();
    const row = await report({ status: 'stopped', error: 'offset_lost', rejected: 2 }, randomUUID());
    expect(row).toMatchObject({ status: 'starting', troubledSince: null, isTroubleTold: false, rejected: 2n });
    expect(await told()).toEqual([]);
  });
});

test('an alert rule of the workspace is raised without an event type of that name', async () => {
  const { workspaceId } = place;
  const target = { channel: 'slack', targetSealed: new Uint8Array(1), targetShown: 'x', quietMinutes: 60 };
  const events = ['posthorn.source.failing'];
  await db.alertRule.create({ data: { id: newUuid(new Date()), workspaceId, name: 'On call', events, ...target } });
  const { id, report } = await reading();
  await report({ status: 'stopped', error: 'offset_lost' });
  expect(await db.raisedAlert.findMany()).toMatchObject([
    { workspaceId, eventType: 'posthorn.source.failing', facts: { sourceId: id, error: 'offset_lost' } },
  ]);
  expect(await told()).toEqual([]);
});

describe('one reader holds a source', () => {
  test('of two that take it, one gets it; the other when the lease has ended', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const id = await insertSource();
    await Promise.all([takeOne(db, one, []), takeOne(db, other, [])]);
    const [ofOne, ofOther] = await Promise.all([held(one), held(other)]);
    expect([...ofOne, ...ofOther].map((source) => source.id)).toEqual([id]);
    await db.$executeRaw`update source set read_until = now() - interval '1 second'`;
    const next = ofOne.length === 1 ? other : one;
    await takeOne(db, next, []);
    expect((await held(next)).map((source) => source.id)).toEqual([id]);
  });

  test('a process reads 20 sources of one owner while nobody else waits, and the rest say why they are not read', async () => {
    const reader = randomUUID();
    const longAgo = new Date(Date.now() - 60_000);
    for (let count = 0; count < 21; count += 1) await insertSource(place, longAgo);
    for (let count = 0; count < 22; count += 1) await takeOne(db, reader, await held(reader));
    expect(await held(reader)).toHaveLength(20);
    const waiting = await db.source.findMany({ where: { reader: null } });
    expect(waiting.map(({ status, error }) => [status, error])).toEqual([
      ['starting', expect.stringMatching(/^Every dispatcher reads 20 sources/)],
    ]);
    const another = randomUUID();
    expect(await takeOne(db, another, [])).toBe(true);
    const [source] = await held(another);
    const report: SourceReport = {
      ...{ status: 'running', error: null, lagRecords: null, lastRecordAt: null, rejected: 0 },
    };
    await renew(db, another, [{ id: source?.id ?? '', revision: source?.revision ?? '', report }], new Date());
    expect(await db.source.findFirst({ where: { id: source?.id ?? '' } })).toMatchObject({ error: null });
  });

  test('sources of others that wait get places of the owner with most, until all have as many', async () => {
    const reader = randomUUID();
    const others = [await insertEndpoint(db), await insertEndpoint(db)];
    for (let count = 0; count < 20; count += 1) await insertSource();
    for (let count = 0; count < 20; count += 1) await takeOne(db, reader, await held(reader));
    for (const other of others) for (let count = 0; count < 20; count += 1) await insertSource(other);
    for (let count = 0; count < 20; count += 1) await takeOne(db, reader, await held(reader));
    const counts = new Map<string, number>();
    for (const { holder } of await held(reader)) {
      counts.set(holder.workspaceId, (counts.get(holder.workspaceId) ?? 0) + 1);
    }
    expect([...counts.values()].toSorted()).toEqual([6, 7, 7]);
  });

  test('of two full processes that would take the same source, the one that does not get it gives up none', async () => {
    const readers = [randomUUID(), randomUUID()];
    for (let count = 0; count < 40; count += 1) await insertSource();
    for (const reader of readers) {
      for (let count = 0; count < 20; count += 1) await takeOne(db, reader, await held(reader));
    }
    const wanted = await insertSource(await insertEndpoint(db));
    const lock = { sql: 'select from source where id = $1 for update', values: [wanted] };
    const areWaiting = async () => {
      const [row] = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.count === 2;
    };
    const taking = await whileLocked(database.databaseUrl, lock, async () => {
      const both = readers.map(async (reader) => takeOne(db, reader, await held(reader)));
      await waitFor(areWaiting, { what: 'both to wait for the source' });
      return { both };
    });
    expect((await Promise.all(taking.both)).toSorted()).toEqual([false, true]);
    expect((await Promise.all(readers.map(held))).map((sources) => sources.length)).toEqual([20, 20]);
  });
});

describe('what one source reports fails no other', () => {
  const state = { status: 'running', error: null, lagRecords: 0n, lastRecordAt: null, rejected: 0 } as const;

  test('a value that Postgres refuses ends the lease of its own source alone', async () => {
    const reader = randomUUID();
    const [good, bad] = [await insertSource(), await insertSource()];
    for (let count = 0; count < 2; count += 1) await takeOne(db, reader, await held(reader));
    const revisions = new Map((await held(reader)).map(({ id, revision }) => [id, revision]));
    await db.$executeRaw`update source set read_until = now() + interval '1 second'`;
    const reports = [
      { id: bad, revision: revisions.get(bad) ?? '', report: { ...state, error: 'a\u0000' } },
      { id: good, revision: revisions.get(good) ?? '', report: { ...state, lagRecords: 7n } },
    ];
    expect((await renew(db, reader, reports, new Date())).map(({ id }) => id)).toEqual([bad]);
    expect(await db.source.findFirst({ where: { id: good } })).toMatchObject({ status: 'running', lagRecords: 7n });
    await db.$executeRaw`update source set read_until = read_until - interval '2 seconds'`;
    expect((await held(reader)).map(({ id }) => id)).toEqual([good]);
  });

  test('ends of partitions that no cluster has are stored as the largest number that is shown', async () => {
    const { report } = await reading();
    expect((await report({ lagRecords: 2n ** 64n })).lagRecords).toBe(BigInt(Number.MAX_SAFE_INTEGER));
  });
});
