import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import type { DbTransaction } from './client.ts';
import { withLargeValues } from './large-values.ts';
import { inTransaction } from './transaction.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const bytes = randomBytes(100_000);
const text = '{"a": "\\ü \u{1f600}"}'.repeat(10_000);

type Read = { bytes: Uint8Array; text: string; short: string; empty: Uint8Array }[];

test('large values reach Postgres as they are, in a statement and in a transaction', async () => {
  const prismaGot: unknown[][] = [];
  const read = (client: Pick<DbTransaction, '$queryRaw'>) =>
    withLargeValues([bytes, text, 'short', Buffer.alloc(0)], ([first, second, third, fourth]) => {
      prismaGot.push([first, second]);
      return client.$queryRaw<Read>`
        select ${first}::bytea as bytes, ${second}::text as text, ${third}::text as short, ${fourth}::bytea as empty`;
    });
  for (const [row] of [await read(db), await inTransaction(db, read)]) {
    expect(Buffer.from(row?.bytes ?? []).equals(bytes)).toBe(true);
    expect(row?.text === text).toBe(true);
    expect([row?.short, row?.empty]).toEqual(['short', new Uint8Array()]);
  }
  expect(Math.max(...prismaGot.flat().map((one) => String(one).length))).toBeLessThan(100);
});

test('a statement that is run after its values have ended fails: the name of a value is not stored in its place', async () => {
  const [name] = await withLargeValues([bytes], async (given) => given);
  await expect(db.$queryRaw`select ${name}::text`).rejects.toThrow('a large value is gone');
});
