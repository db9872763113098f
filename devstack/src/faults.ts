import { join } from 'node:path';
import { openHome } from './open-home.ts';
import { awaitPostgres, preparePostgres } from './postgres.ts';
import { awaitRedis, prepareRedis, redisForTests } from './redis.ts';
import { type Run, runToEnd } from './run.ts';
import { runScript } from './run-script.ts';
import { createStoreSwitch, type StoreSwitch } from './store-switch.ts';
import { makeTestTemplate } from './test-template.ts';
import { throwAwayHome } from './throw-away-home.ts';

const INTERRUPTED = 130;
const FAULTS_END_BY_MS = 10_000;
const SECOND_REDIS_HURRY_AFTER_MS = 18_000;
const REDIS_HURRY_AFTER_MS = 20_000;
const POSTGRES_HURRY_AFTER_MS = 24_000;
const CLEAN_UP_BY_MS = 29_000;

process.exit(await runToEnd(faults, INTERRUPTED));

/**
 * Runs the faults against their own stores, with the durability of `npm start`. The run stops and starts the stores by
 * messages: `{id, store, act: "start" | "stop" | "kill"}`, answered by `{id, error?}`. Returns the run's exit code.
 */
async function faults(run: Run): Promise<number> {
  const home = throwAwayHome(run, 'faults', CLEAN_UP_BY_MS);
  const supervisor = await openHome(run, home, true);
  const postgres = await preparePostgres(run, { home, homeId: home, password: 'posthorn', throwaway: false });
  const redis = await prepareRedis(run, home);
  const secondRedis = await prepareRedis(run, join(home, 'second'));
  const stores = createStoreSwitch(run, supervisor, {
    postgres: {
      program: postgres.program,
      hurryAfterMs: POSTGRES_HURRY_AFTER_MS,
      answers: () => awaitPostgres(run, postgres.url),
    },
    redis: {
      program: redis.program,
      hurryAfterMs: REDIS_HURRY_AFTER_MS,
      answers: () => awaitRedis(run, redis.url),
    },
    // Started by the run, for a failover.
    'second-redis': {
      program: { ...secondRedis.program, name: 'second-redis' },
      hurryAfterMs: SECOND_REDIS_HURRY_AFTER_MS,
      answers: () => awaitRedis(run, secondRedis.url),
    },
  });
  await stores.start('postgres');
  await stores.start('redis');
  return await runScript(run, {
    name: 'faults',
    script: 'e2e/faults/dist/main.js',
    args: process.argv.slice(2),
    env: {
      ...process.env,
      ...(await redisForTests(run)),
      TEST_DATABASE_URL: postgres.url,
      TEST_TEMPLATE_DATABASE: await makeTestTemplate(run, postgres.url, true),
      TEST_REDIS_URL: redis.url,
      FAULTS_SECOND_REDIS_URL: secondRedis.url,
      FAULTS_OWN_STORES: 'true',
    },
    hurryAfterMs: FAULTS_END_BY_MS,
    answer: (question) => answer(stores, question),
  });
}

type Question = { id: number; store: string; act: 'start' | 'stop' | 'kill' };

async function answer(stores: StoreSwitch, question: unknown): Promise<object> {
  const { id, store, act } = question as Question;
  try {
    await (act === 'start' ? stores.start(store) : stores.stop(store, act === 'kill'));
    return { id };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
