import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRunAuthority } from '@posthorn/testkit/receiver-certificate';
import { writeCaBundle } from './ca-bundle.ts';
import { findMemoryFolder } from './memory-folder.ts';
import { openHome } from './open-home.ts';
import { unexpectedErrors } from './postgres-errors.ts';
import { projectRoot } from './project-root.ts';
import { redisForTests } from './redis.ts';
import { type Run, runToEnd } from './run.ts';
import { runTests, TIERS } from './run-tests.ts';
import { red, say } from './say.ts';
import { startStores } from './stores.ts';
import { makeTestTemplate } from './test-template.ts';
import { throwAwayHome } from './throw-away-home.ts';

const INTERRUPTED = 130;
const CLEAN_UP_BY_MS = 29_000;

// A failed build fails the run, whatever the result of the tests.
const failedBefore = Number(process.exitCode ?? 0);
const code = await runToEnd(test, INTERRUPTED);
process.exit(code === 0 ? failedBefore : code);

/** Runs Jest with its own or given stores, and returns Jest's exit code. */
async function test(run: Run): Promise<number> {
  const givenPostgresUrl = process.env.TEST_DATABASE_URL || undefined;
  const givenRedisUrl = process.env.TEST_REDIS_URL || undefined;
  const home = throwAwayHome(run, 'test', CLEAN_UP_BY_MS, findMemoryFolder());
  const supervisor = await openHome(run, home, true);
  const { postgresUrl, redisUrl } = await startStores(run, supervisor, {
    home,
    homeId: home,
    postgresPassword: 'posthorn',
    givenPostgresUrl,
    givenRedisUrl,
    redis: 'needed',
    throwaway: true,
  });
  const template = await makeTestTemplate(run, postgresUrl, givenPostgresUrl === undefined);
  const authority = await makeRunAuthority(home);
  const env = {
    ...process.env,
    ...(await redisForTests(run)),
    ...authority.environment,
    // The services that run in the processes of Jest trust this authority.
    NODE_EXTRA_CA_CERTS: writeCaBundle(home, authority.caPem, process.env.NODE_EXTRA_CA_CERTS),
    TEST_DATABASE_URL: postgresUrl,
    TEST_TEMPLATE_DATABASE: template,
    TEST_REDIS_URL: redisUrl,
    // The run starts hundreds of processes. They share what one of them has compiled.
    NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/posthorn/compiled'),
    // In a run of Maven, which takes seconds, the JVM's second compiler costs half of the CPU, more than it saves.
    MAVEN_OPTS: process.env.MAVEN_OPTS ?? '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
  };
  const tier = process.env.TEST_TIER === undefined ? [] : [TIERS];
  const code = await runTests(run, { root: projectRoot, args: [...tier, ...process.argv.slice(2)], env });
  const wrong =
    givenPostgresUrl === undefined ? unexpectedErrors(readFileSync(join(home, 'logs/postgres.log'), 'utf8')) : [];
  for (const error of wrong) say('tests', red(`a statement is wrong: ${error}`));
  return code === 0 && wrong.length > 0 ? 1 : code;
}
