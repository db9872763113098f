import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { explaining } from '@posthorn/testkit/explain';
import { findFirstAnswers } from './idempotency.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a key is found without reading other keys, also while the table has no statistics', async () => {
  const environmentId = newUuid(new Date());
  const expiresAt = new Date(Date.now() + 86_400_000);
  const answer = { environmentId, requestHash: Buffer.alloc(32, 7), eventId: newUuid(new Date()), published: true };
  const data = Array.from({ length: 2_000 }, (_, n) => ({ ...answer, key: `key-${n}`, expiresAt }));
  await database.db.idempotencyRecord.createMany({ data });
  const { db, plans } = explaining(database.db);
  const wanted = ['key-7', 'absent', 'key-1999'].map((key) => ({ environmentId, key }));
  const found = await findFirstAnswers(db, wanted);
  expect(found.map((one) => one?.eventId)).toEqual([answer.eventId, undefined, answer.eventId]);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain('idempotency_record_pkey');
  expect(plans[0]).not.toContain('idempotency_record_expires_at_idx');
});
