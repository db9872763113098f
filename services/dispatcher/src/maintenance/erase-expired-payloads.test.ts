import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { insertTest } from '../../test/insert-test.ts';
import { eraseExpiredPayloads } from './erase-expired-payloads.ts';
import { forgetAnswersAbout } from './forget-answers.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
});

const bytes = new Uint8Array([1, 2, 3]);

async function insertEvents(count: number, at = endpoint) {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { eventId } = await insertDelivery(db, at, { status: 'scheduled_retry' });
    await db.event.update({ where: { id: eventId }, data: { payload: bytes, payloadSize: 3 } });
    ids.push(eventId);
  }
  return ids;
}

/** Runs a round as it would be this many hours from now. */
async function roundAfter(hours: number) {
  const ended: string[] = [];
  const now = () => new Date(Date.now() + hours * 3_600_000);
  const onEnded = (rows: readonly { workspaceId: string }[]) => ended.push(...rows.map((row) => row.workspaceId));
  return { ...(await eraseExpiredPayloads(db, { clock: { ...systemClock, now }, onEnded })), ended };
}

const kept = (ids: string[]) => db.event.count({ where: { id: { in: ids }, payload: { not: null } } });
const keepFor = (given: { payloadRetentionHours?: number; retentionHours?: number }) =>
  db.workspace.update({ where: { id: endpoint.workspaceId }, data: given });

test('payloads go when the own retention of their workspace is over, page by page, and open deliveries end', async () => {
  const ids = await insertEvents(205);
  await keepFor({ payloadRetentionHours: 2 });
  expect(await roundAfter(1.9)).toMatchObject({ events: 0, hasMore: false, ended: [] });
  expect(await kept(ids)).toBe(205);
  const round = await roundAfter(2.1);
  expect([round.events, round.hasMore, round.ended.length]).toEqual([205, false, 205]);
  expect(await kept(ids)).toBe(0);
  const ended = { eventId: { in: ids }, status: 'failed', failureReason: 'payload_expired' } as const;
  expect(await db.delivery.count({ where: ended })).toBe(205);
  expect((await roundAfter(2.1)).events).toBe(0);
});

test('the shorter of the two limits counts, and a workspace without its own keeps everything', async () => {
  const other = await insertEndpoint(db);
  const others = await insertEvents(2, other);
  const ids = await insertEvents(2);
  await keepFor({ payloadRetentionHours: 100, retentionHours: 24 });
  await roundAfter(25);
  expect(await kept(ids)).toBe(0);
  expect(await kept(others)).toBe(2);
});

test('rounds that run at once erase each event once, and later events after the earlier ones', async () => {
  const ids = await insertEvents(3);
  await keepFor({ payloadRetentionHours: 1 });
  const rounds = await Promise.all([roundAfter(1.5), roundAfter(1.5), roundAfter(1.5)]);
  expect(rounds.reduce((sum, { events }) => sum + events, 0)).toBe(3);
  const later = await insertEvents(1);
  expect((await roundAfter(1.5)).events).toBe(1);
  expect(await kept([...ids, ...later])).toBe(0);
});

test('owners take turns, a page each: one with many workspaces full of events delays another by a page', async () => {
  const flooding = newUuid(new Date());
  const all = [endpoint, await insertEndpoint(db), await insertEndpoint(db)];
  const [first, second, other] = all.map(({ workspaceId }) => workspaceId);
  for (const at of all) await insertEvents(at.workspaceId === other ? 1 : 60, at);
  await db.workspace.updateMany({ where: { id: { in: [first ?? '', second ?? ''] } }, data: { createdBy: flooding } });
  const ids = all.map(({ workspaceId }) => workspaceId);
  await db.workspace.updateMany({ where: { id: { in: ids } }, data: { payloadRetentionHours: 1 } });
  const { ended } = await roundAfter(1.5);
  const turns = ended.filter((id, at) => ids.includes(id) && id !== ended[at - 1]);
  expect(turns).toEqual([first, other, second, first, second]);
  expect(ended.filter((id) => id === first || id === second)).toHaveLength(120);
});

test('the kept answer to a test goes with the attempt that it repeats, and no other answer', async () => {
  const { workspaceId } = endpoint;
  const { attemptId } = await insertTest(db, endpoint);
  const expiresAt = new Date(Date.now() + 60_000);
  for (const id of [attemptId, newUuid(new Date())]) {
    const answer = JSON.stringify({ id: toId('att', id), errorMessage: 'Ann' });
    const kept = { digest: Buffer.from(id), requestHash: bytes, workspaceId, answer, expiresAt };
    await db.idempotentAnswer.create({ data: kept });
  }
  await keepFor({ payloadRetentionHours: 1 });
  await roundAfter(0.9);
  expect(await db.idempotentAnswer.count({ where: { workspaceId } })).toBe(2);
  await roundAfter(1.1);
  const left = await db.idempotentAnswer.findMany({ where: { workspaceId } });
  expect(left.map(({ answer }) => answer?.includes(toId('att', attemptId)))).toEqual([false]);
});

test('of the kept answers of a workspace, only those that are forgotten are read', async () => {
  const { workspaceId } = endpoint;
  const { eventId, attemptId } = await insertTest(db, endpoint);
  const kept = { requestHash: bytes, workspaceId, expiresAt: new Date(Date.now() + 60_000) };
  const ids = [attemptId, ...Array.from({ length: 1_000 }, () => newUuid(new Date()))];
  const answerOf = (id: string) => JSON.stringify({ id: toId('att', id), errorMessage: 'Ann' });
  await db.idempotentAnswer.createMany({
    data: ids.map((id) => ({ ...kept, digest: Buffer.from(id), answer: answerOf(id) })),
  });
  const read = await inTransaction(db, async (transaction) => {
    await forgetAnswersAbout(transaction, { workspaceId, eventIds: [eventId] });
    const [row] = await transaction.$queryRaw<{ count: bigint }[]>`
      select (idx_tup_fetch + seq_tup_read)::bigint as count from pg_stat_xact_user_tables
      where relname = 'idempotent_answer'`;
    return Number(row?.count);
  });
  expect(read).toBeLessThan(10);
  expect(await db.idempotentAnswer.count({ where: { workspaceId } })).toBe(1_000);
});

test('a workspace without anything to erase costs no write', async () => {
  await insertEvents(1);
  await keepFor({ payloadRetentionHours: 5 });
  await roundAfter(4);
  const where = { workspaceId: endpoint.workspaceId };
  expect(await db.payloadRetention.count({ where })).toBe(0);
  await roundAfter(6);
  expect(await db.payloadRetention.count({ where })).toBe(1);
});
