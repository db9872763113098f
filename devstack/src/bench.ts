import type { Program } from './child.ts';
import { openHome } from './open-home.ts';
import { awaitPostgres, preparePostgres } from './postgres.ts';
import { awaitRedis, prepareRedis } from './redis.ts';
import { type Run, runToEnd } from './run.ts';
import { runScript } from './run-script.ts';
import type { Supervisor } from './supervisor.ts';
import { makeTestTemplate } from './test-template.ts';
import { throwAwayHome } from './throw-away-home.ts';

const INTERRUPTED = 130;
const BENCH_ENDS_BY_MS = 10_000;
const REDIS_HURRY_AFTER_MS = 20_000;
const POSTGRES_HURRY_AFTER_MS = 24_000;
const CLEAN_UP_BY_MS = 29_000;

process.exit(await runToEnd(bench, INTERRUPTED));

/**
 * Runs the benchmarks on their own stores, with the durability of `npm start`, in a temporary home; returns their exit
 * code. They start and end the services themselves, on databases cloned from a migrated one, and get the stores in the
 * variables of the tests (TEST_…), with the stores' process ids. If TEST_DATABASE_URL and TEST_REDIS_URL are set, those
 * stores are used instead.
 */
async function bench(run: Run): Promise<number> {
  const givenPostgresUrl = process.env.TEST_DATABASE_URL || undefined;
  const givenRedisUrl = process.env.TEST_REDIS_URL || undefined;
  const home = throwAwayHome(run, 'bench', CLEAN_UP_BY_MS);
  const supervisor = await openHome(run, home, true);
  const postgresUrl = givenPostgresUrl ?? (await startPostgres(run, supervisor, home));
  const redisUrl = givenRedisUrl ?? (await startRedis(run, supervisor, home));
  const template = await makeTestTemplate(run, postgresUrl, givenPostgresUrl === undefined);
  return await runScript(run, {
    name: 'bench',
    script: 'bench/dist/main.js',
    args: process.argv.slice(2),
    env: {
      ...process.env,
      // The services' logs and profiles are removed with the home.
      TMPDIR: home,
      TEST_DATABASE_URL: postgresUrl,
      TEST_TEMPLATE_DATABASE: template,
      TEST_REDIS_URL: redisUrl,
      BENCH_STORE_PROCESSES: JSON.stringify(supervisor.processes()),
    },
    hurryAfterMs: BENCH_ENDS_BY_MS,
  });
}

async function startPostgres(run: Run, supervisor: Supervisor, home: string): Promise<string> {
  const place = { home, homeId: home, password: 'posthorn', throwaway: false };
  const { program, url } = await preparePostgres(run, place);
  // Loaded, but inactive until a scenario enables it for its own database.
  const counted = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=none'];
  const args = [...program.args, ...counted.flatMap((setting) => ['-c', setting])];
  keep(run, supervisor, { ...program, args }, POSTGRES_HURRY_AFTER_MS);
  await awaitPostgres(run, url);
  return url;
}

async function startRedis(run: Run, supervisor: Supervisor, home: string): Promise<string> {
  const { program, url } = await prepareRedis(run, home);
  keep(run, supervisor, program, REDIS_HURRY_AFTER_MS);
  await awaitRedis(run, url);
  return url;
}

function keep(run: Run, supervisor: Supervisor, program: Program, hurryAfterMs: number): void {
  const kept = supervisor.keep(program);
  run.onStop({ name: program.name, hurryAfterMs, stop: kept.stop });
}
