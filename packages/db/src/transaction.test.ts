import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createDb } from './client.ts';
import { pingPostgres } from './ping.ts';
import { inTransaction, retryConflicts } from './transaction.ts';
import { isForeignKeyViolation, isHopeless, isUnavailable, isWriteConflict, uniqueViolation } from './violations.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const workspace = (slug: string) => ({ id: randomUUID(), name: 'Acme', slug, plan: 'pro' as const });

describe('a transaction', () => {
  test('rolls back when its work throws, and throws the same error', async () => {
    const slug = randomUUID();
    const work = inTransaction(db, async (transaction) => {
      await transaction.workspace.create({ data: workspace(slug) });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await db.workspace.count({ where: { slug } })).toBe(0);
  });

  test('that falls into a deadlock is run again, and both succeed', async () => {
    const [first, second] = [workspace(randomUUID()), workspace(randomUUID())];
    await db.workspace.createMany({ data: [first, second] });
    let waiting = 0;
    let bothHold = () => {};
    const meet = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    let runs = 0;
    const rename = (ids: [string, string]) =>
      inTransaction(db, async (transaction) => {
        runs += 1;
        await transaction.workspace.update({ where: { id: ids[0] }, data: { name: `run ${runs}` } });
        waiting += 1;
        if (waiting === 2) bothHold();
        await meet;
        await transaction.workspace.update({ where: { id: ids[1] }, data: { name: `run ${runs}` } });
      });
    await Promise.all([rename([first.id, second.id]), rename([second.id, first.id])]);
    // The transaction that runs again may get its row before the other one wakes up. Then they deadlock once more.
    expect(runs).toBeGreaterThan(2);
  });

  test('is not run again after another error, and runs no more than three times in all', async () => {
    let runs = 0;
    const failing = (error: unknown) =>
      retryConflicts(async () => {
        runs += 1;
        throw error;
      });
    await expect(failing(new Error('no'))).rejects.toThrow('no');
    expect(runs).toBe(1);
    await expect(failing({ code: 'P2034' })).rejects.toEqual({ code: 'P2034' });
    expect(runs).toBe(4);
  });

  test('that ends with a deadlock or a conflict three times is unavailable: it may be tried again later', async () => {
    let runs = 0;
    const ended = [
      inTransaction(db, async (transaction) => {
        runs += 1;
        await transaction.$executeRaw`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`;
      }),
      inTransaction(db, async (transaction) => {
        runs += 1;
        await transaction.$executeRaw`do $$ begin raise exception 'again' using errcode = '40001'; end $$`;
      }),
    ];
    const errors = [...(await Promise.all(ended.map(faultOf))), { code: 'P2034' }];
    expect(errors.map((error) => [isWriteConflict(error), isUnavailable(error), isHopeless(error)])).toEqual(
      errors.map(() => [true, true, false]),
    );
    expect(runs).toBe(6);
  });
});

describe('errors of Postgres:', () => {
  test('a unique violation names its index or columns', async () => {
    const slug = randomUUID();
    await db.workspace.create({ data: workspace(slug) });
    const error = await faultOf(db.workspace.create({ data: workspace(slug) }));
    expect(uniqueViolation(error)).toMatch(/slug/);
    expect([isForeignKeyViolation(error), isWriteConflict(error), isUnavailable(error)]).toEqual([false, false, false]);
  });

  test('a partial unique index too', async () => {
    const { workspaceId } = await insertEndpoint(db);
    const environment = () => ({ id: randomUUID(), workspaceId, name: 'A', slug: 'a' });
    await db.environment.create({ data: environment() });
    const error = await faultOf(db.environment.create({ data: environment() }));
    expect(uniqueViolation(error)).toMatch(/slug/);
  });

  test('a missing row that is referenced, and a row that is still referenced', async () => {
    const missing = randomUUID();
    const environment = { id: randomUUID(), workspaceId: missing, name: 'A', slug: 'a' };
    expect(isForeignKeyViolation(await faultOf(db.environment.create({ data: environment })))).toBe(true);
    const { workspaceId } = await insertEndpoint(db);
    expect(isForeignKeyViolation(await faultOf(db.workspace.delete({ where: { id: workspaceId } })))).toBe(true);
  });

  test('statements that can never succeed, and those that may', async () => {
    const hopeless = [
      await faultOf(db.$queryRaw`select 1 / 0`),
      await faultOf(db.$queryRaw`select ${'no uuid'}::uuid`),
      await faultOf(db.$queryRaw`select no_such_column /* fails on purpose */`),
      await faultOf(
        db.environment.create({ data: { id: randomUUID(), workspaceId: randomUUID(), name: '', slug: '' } }),
      ),
      await faultOf(db.workspace.findMany({ where: { slug: 1 as unknown as string } })),
    ];
    expect(hopeless.map(isHopeless)).toEqual(hopeless.map(() => true));
    const mayHelp = [
      await faultOf(db.$queryRaw`select pg_terminate_backend(pg_backend_pid())`),
      new Error('no'),
      { code: 'P2034' },
      { code: '57P01' },
      { code: '23514' },
    ];
    expect(mayHelp.map(isHopeless)).toEqual(mayHelp.map(() => false));
  });

  test('any other error is not one of them', async () => {
    for (const error of [new Error('no'), undefined, 'text', await faultOf(db.$queryRaw`select 1 / 0`)]) {
      expect(uniqueViolation(error)).toBeUndefined();
      expect([isForeignKeyViolation(error), isWriteConflict(error), isUnavailable(error)]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });
});

describe('a Postgres that is away', () => {
  const elsewhere = () =>
    createDb({ databaseUrl: 'postgresql://a:b@127.0.0.1:9/none', maxConnections: 1, onIdleError: () => {} });

  test('is distinguished from a refusal', async () => {
    const away = elsewhere();
    expect(isUnavailable(await faultOf(away.$queryRaw`select 1`))).toBe(true);
    expect(isUnavailable(await faultOf(away.workspace.findFirst()))).toBe(true);
    expect(isUnavailable(await faultOf(inTransaction(away, async () => {})))).toBe(true);
    await away.$disconnect();
  });

  test('does not answer a ping, while a running one does', async () => {
    const away = elsewhere();
    await expect(pingPostgres(away)).rejects.toThrow();
    await pingPostgres(db);
    await away.$disconnect();
  });

  test('a connection that breaks during a statement counts as unavailable, and the pool recovers', async () => {
    const cut = createDb({ databaseUrl: database.databaseUrl, maxConnections: 1, onIdleError: () => {} });
    const [own] = await cut.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const sleeping = faultOf(cut.$queryRaw`select pg_sleep(20)::text`);
    const sleeps = () => db.$queryRaw<unknown[]>`
      select 1 from pg_stat_activity where pid = ${own?.pid}::int and state = 'active' and query like '%pg_sleep%'`;
    await waitFor(async () => (await sleeps()).length === 1, { what: 'the statement to run' });
    await db.$queryRaw`select pg_terminate_backend(${own?.pid}::int)`;
    expect(isUnavailable(await sleeping)).toBe(true);
    expect(await cut.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
    await cut.$disconnect();
  });
});
