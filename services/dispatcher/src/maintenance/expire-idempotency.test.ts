import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { withConnection } from '@posthorn/db/connection';
import { createTestDatabase } from '@posthorn/testkit/database';
import { deleteExpiredAnswers, deleteExpiredIdempotency } from './expire-idempotency.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(() => database.db.idempotencyRecord.deleteMany());

/** Inserts keys that expire `apartMs` after each other, the last one `lastEndsInSeconds` from now. */
async function insert(count: number, { lastEndsInSeconds = -1, apartMs = 1 } = {}) {
  await database.db.$executeRaw`
    insert into idempotency_record (environment_id, key, request_hash, event_id, published, expires_at)
    select gen_random_uuid(), 'k' || n, '\\x00', gen_random_uuid(), true,
      now() + make_interval(secs => ${lastEndsInSeconds} - ${apartMs}::float8 * (${count}::int - n) / 1000)
    from generate_series(1, ${count}::int) n`;
}

const left = () => database.db.idempotencyRecord.count();

test('every expired key is deleted, over several ranges, and every other key is kept', async () => {
  await insert(25_000);
  await insert(10, { lastEndsInSeconds: 60 });
  expect(await deleteExpiredIdempotency(database.db)).toBe(25_000);
  expect(await left()).toBe(10);
  expect(await deleteExpiredIdempotency(database.db)).toBe(0);
});

test('every expired key is deleted when more keys than a range holds expire at the same instant', async () => {
  await insert(12_000, { apartMs: 0 });
  expect(await deleteExpiredIdempotency(database.db)).toBe(12_000);
});

test('once it is stopped, no further range is deleted', async () => {
  await insert(25_000);
  const stopping = new AbortController();
  const deleting = deleteExpiredIdempotency(database.db, stopping.signal);
  stopping.abort();
  expect(await deleting).toBe(10_000);
  expect(await left()).toBe(15_000);
});

test('several dispatchers at once delete each key once, and do not wait for each other', async () => {
  await insert(25_000);
  const deleted = await Promise.all(Array.from({ length: 4 }, () => deleteExpiredIdempotency(database.db)));
  const total = deleted.reduce((sum, count) => sum + count, 0);
  expect(total + (await left())).toBe(25_000);
  expect((await deleteExpiredIdempotency(database.db)) + total).toBe(25_000);
});

test('a key that an event is reusing is neither waited for nor deleted', async () => {
  await insert(3);
  await withConnection(database.databaseUrl, async (connection) => {
    await connection.query('begin');
    await connection.query(`update idempotency_record set expires_at = now() + interval '1 day' where key = 'k2'`);
    expect(await deleteExpiredIdempotency(database.db)).toBe(2);
    await connection.query('commit');
  });
  expect(await left()).toBe(1);
});

test('expired answers to changes are deleted in batches, and secrets lose their ten minutes before the answer expires', async () => {
  await database.db.$executeRaw`
    insert into idempotent_answer (digest, workspace_id, request_hash, answer, secrets_sealed, secrets_until, expires_at)
    select decode(lpad(to_hex(n), 8, '0'), 'hex'), gen_random_uuid(), '\\x00', '{}', '\\x01',
      now() + make_interval(secs => case when n > 12000 then 60 else -1 end),
      now() + make_interval(secs => case when n > 11000 then 60 else -1 end)
    from generate_series(1, 13000) n`;
  expect(await deleteExpiredAnswers(database.db)).toBe(11_000);
  expect(await database.db.idempotentAnswer.count()).toBe(2_000);
  await deleteExpiredAnswers(database.db);
  expect(await database.db.idempotentAnswer.count({ where: { secretsSealed: { not: null } } })).toBe(1_000);
});
