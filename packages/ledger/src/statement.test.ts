import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase } from '@posthorn/testkit/database';
import { sqlText } from './sql-text.ts';
import { readStatement } from './statement.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const names = readdirSync(new URL('../sql/', import.meta.url)).map((name) => name.replace(/\.sql$/, ''));

/** The parts without which a statement is also run. */
const WITHOUT: Record<string, string | string[]> = {
  accept: ['deliveries', 'revision'],
  'accept-in-order': 'deliveries',
  claim: 'order',
  create: 'order',
  due_work: 'rows',
  settle: 'order',
};

/** Plans a statement with values of the types of its parameters. Postgres plans it the same way for any values. */
async function plan(name: string, text: string): Promise<string> {
  const prepared = `planned_${name}`;
  return await inTransaction(db, async (transaction) => {
    await transaction.$executeRaw(Prisma.raw(`prepare "${prepared}" as ${text}`));
    const [types] = await transaction.$queryRaw<{ count: number }[]>`
      select cardinality(parameter_types) as count from pg_prepared_statements where name = ${prepared}`;
    const values = Array.from({ length: types?.count ?? 0 }, () => 'null').join(', ');
    await transaction.$executeRaw`set local plan_cache_mode = force_generic_plan`;
    await transaction.$executeRaw`set local enable_seqscan = off`;
    const rows = await transaction.$queryRaw<{ 'QUERY PLAN': string }[]>(
      Prisma.raw(`explain execute "${prepared}"${values === '' ? '' : `(${values})`}`),
    );
    await transaction.$executeRaw(Prisma.raw(`deallocate "${prepared}"`));
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

describe.each(names)('%s.sql', (name) => {
  test('fits the tables as it is pasted into psql, and reads no table from its beginning to its end', async () => {
    const planned = await plan(name, sqlText(name));
    expect(planned).not.toMatch(/Seq Scan on (?!\S+_default\b)/);
  });

  test('fits them as it is run', async () => {
    await plan(name, readStatement(name).text);
    const part = WITHOUT[name];
    if (part === undefined) return;
    const without = readStatement(name, { without: part }).text;
    expect(without).not.toBe(readStatement(name).text);
    await plan(name, without);
  });
});

test('without its deliveries, the statement that accepts does not name their table', () => {
  expect(readStatement('accept').text).toMatch(/\bdelivery\b/);
  expect(readStatement('accept', { without: ['deliveries', 'revision'] }).text).not.toMatch(
    /\binto delivery\b|\bfrom delivery\b/,
  );
});
