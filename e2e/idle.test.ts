import { afterAll, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startServices } from './services-in-process.ts';

const SECONDS = 10;
const services = await startServices();
const { db, redisUrl } = services;
/** Of both services, with the statements of this test. They begin with reads that are not repeated. */
const MOST_A_SECOND = redisUrl === '' ? 28 : 20;
afterAll(() => services.stop());

type Reading = { transactions: number; seconds: number };

async function read(): Promise<Reading> {
  const [row] = await db.$queryRaw<Reading[]>`
    select (xact_commit + xact_rollback)::int as transactions, extract(epoch from clock_timestamp())::float8 as seconds
    from pg_stat_database where datname = current_database()`;
  if (row === undefined) throw new Error('the database is gone');
  return row;
}

test(`services without work make at most ${MOST_A_SECOND} transactions a second`, async () => {
  const from = await read();
  const atMs = performance.now();
  const isOver = () => performance.now() - atMs >= 1_000 * SECONDS;
  await waitFor(isOver, { what: `${SECONDS} s`, timeoutMs: 2_000 * SECONDS });
  const to = await read();
  expect((to.transactions - from.transactions) / (to.seconds - from.seconds)).toBeLessThan(MOST_A_SECOND);
}, 90_000);
