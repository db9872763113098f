import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createDb } from '@posthorn/db/client';
import { createTestDatabase } from '@posthorn/testkit/database';
import { findFirstAnswers } from './idempotency.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('a key is found without reading other keys, also by a plan that was made while there were no keys', async () => {
  const environmentId = newUuid(new Date());
  const wanted = ['key-7', 'absent', 'key-1999'].map((key) => ({ environmentId, key }));
  // A single connection, which keeps its plan.
  const db = createDb({
    databaseUrl: database.databaseUrl,
    maxConnections: 1,
    keepPlans: true,
    onIdleError: () => undefined,
  });
  try {
    await findFirstAnswers(db, wanted);
    const expiresAt = new Date(Date.now() + 86_400_000);
    const answer = { environmentId, requestHash: Buffer.alloc(32, 7), eventId: newUuid(new Date()), published: true };
    const data = Array.from({ length: 2_000 }, (_, n) => ({ ...answer, key: `key-${n}`, expiresAt }));
    await database.db.idempotencyRecord.createMany({ data });
    const found = await findFirstAnswers(db, wanted);
    expect(found.map((one) => one?.eventId)).toEqual([answer.eventId, undefined, answer.eventId]);
    await db.$queryRaw`select pg_stat_force_next_flush()::text`;
    const [read] = await db.$queryRaw<{ rows: number }[]>`
      select coalesce(sum(idx_tup_read), 0)::int as rows from pg_stat_user_indexes where relname = 'idempotency_record'`;
    expect(read?.rows).toBeLessThanOrEqual(2);
  } finally {
    await db.$disconnect();
  }
});
