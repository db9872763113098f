import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createTestDatabase } from './database.ts';
import { whileLocked } from './row-lock.ts';
import { seedWorkspace } from './seed.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

const lock = (slug: string) => ({ sql: 'update workspace set name = name where slug = $1', values: [slug] });

test('the rows are locked for other sessions while the work runs, and unlocked after it', async () => {
  await seedWorkspace(database.db);
  const { slug } = await database.db.workspace.findFirstOrThrow();
  const lockNow = () => database.db.$queryRaw`select 1 from workspace where slug = ${slug} for update nowait`;
  await whileLocked(database.databaseUrl, lock(slug), async () => {
    await expect(lockNow()).rejects.toThrow(/could not obtain lock/);
  });
  await expect(lockNow()).resolves.toHaveLength(1);
});

test('a statement that finds no row is an error, and the work does not start', async () => {
  let begun = false;
  const locked = whileLocked(database.databaseUrl, lock(newUuid(new Date())), async () => {
    begun = true;
  });
  await expect(locked).rejects.toThrow('there is no row to lock');
  expect(begun).toBe(false);
});
