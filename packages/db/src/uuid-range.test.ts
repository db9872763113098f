import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { withConnection } from './connection.ts';
import type { Prisma } from './generated/client.ts';
import { among, lowestKeyAt, within } from './uuid-range.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

const now = lowestKeyAt(new Date());

/** The generic plan of a query for deliveries by a condition. */
function keptPlan({ text, values }: Prisma.Sql): Promise<string> {
  return withConnection(database.databaseUrl, async (connection) => {
    await connection.query('set plan_cache_mode = force_generic_plan');
    await connection.query(`prepare look as select id from delivery d where ${text}`);
    const literals = values.map((value) => (Array.isArray(value) ? `'{${value.join()}}'` : `'${value}'`));
    const { rows } = await connection.query(`explain (costs off) execute look(${literals.join()})`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

test.each([
  ['a list of keys', among('d.id', [now])],
  ['one key at a time', within('d.id', [now])],
])('for %s, a generic plan reads only the day’s partition', async (_case, condition) => {
  const plan = await keptPlan(condition);
  expect(plan).toContain('Subplans Removed');
  expect(plan.match(/ on delivery_\d{8}/g)).toHaveLength(1);
});

test('an empty list of keys finds no rows and is no error', async () => {
  expect(await database.db.$queryRaw`select id from delivery d where ${among('d.id', [])}`).toEqual([]);
});
