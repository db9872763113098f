import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJest } from './jest.ts';
import { openHome } from './open-home.ts';
import { rootsFolder } from './postgres-place.ts';
import { type Run, runToEnd } from './run.ts';
import { startStores } from './stores.ts';
import { makeTestTemplate } from './test-template.ts';

const INTERRUPTED = 130;
const CLEAN_UP_BY_MS = 29_000;

// A build that failed fails the run, whatever the tests say.
const failedBefore = Number(process.exitCode ?? 0);
const code = await runToEnd(test, INTERRUPTED);
process.exit(code === 0 ? failedBefore : code);

/** Runs Jest with stores of its own (or given ones), and answers Jest's exit code. */
async function test(run: Run): Promise<number> {
  const givenPostgresUrl = process.env.TEST_DATABASE_URL || undefined;
  const givenRedisUrl = process.env.TEST_REDIS_URL || undefined;
  const home = mkdtempSync(join(tmpdir(), 'posthorn-test-'));
  run.onStop({ name: 'test home', hurryAfterMs: CLEAN_UP_BY_MS, stop: async () => removeHome(home) });
  const supervisor = await openHome(run, home, true);
  const { postgresUrl, redisUrl } = await startStores(run, supervisor, {
    home,
    homeId: home,
    postgresPassword: 'posthorn',
    givenPostgresUrl,
    givenRedisUrl,
    throwaway: true,
  });
  const template = await makeTestTemplate(run, postgresUrl, givenPostgresUrl === undefined);
  return await runJest(run, process.argv.slice(2), {
    ...process.env,
    TEST_DATABASE_URL: postgresUrl,
    TEST_TEMPLATE_DATABASE: template,
    TEST_REDIS_URL: redisUrl,
  });
}

function removeHome(home: string): void {
  for (const folder of [home, rootsFolder(home)]) rmSync(folder, { recursive: true, force: true });
}
