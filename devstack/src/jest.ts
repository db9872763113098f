import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import { waitUntil } from './wait-until.ts';

/** More than the two cores of a small machine: every third second a test waits for a time to pass. */
const WORKERS = 3;
const JEST_ENDS_BY_MS = 20_000;
const LEFTOVERS_MAY_TAKE_MS = 5_000;

/**
 * Runs Jest and returns its exit code. Its output is shown, and its results are written to
 * .test-results/jest.json. Processes that tests started and an interrupted Jest could not end are ended too.
 */
export async function runJest(run: Run, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const results = join(projectRoot, '.test-results');
  mkdirSync(results, { recursive: true });
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const report = ['--json', `--outputFile=${join(results, 'jest.json')}`];
  const jest = join(projectRoot, 'node_modules/jest/bin/jest.js');
  run.signal.throwIfAborted();
  const child = spawn(process.execPath, [...node, jest, `--maxWorkers=${WORKERS}`, ...report, ...args], {
    cwd: projectRoot,
    env,
    stdio: 'inherit',
    // Its own process group, so that all of it can be ended; a watching Jest needs the terminal's group.
    detached: !args.some((argument) => argument.startsWith('--watch')),
  });
  let over = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  }).finally(() => {
    over = true;
  });
  run.onStop({
    name: 'jest',
    hurryAfterMs: JEST_ENDS_BY_MS,
    stop: async (hurry) => {
      const interrupted = !over;
      signalGroup(child.pid, 'SIGTERM');
      hurry.addEventListener('abort', () => signalGroup(child.pid, 'SIGKILL'), { once: true });
      await ended;
      if (!interrupted) return;
      const gone = async () => (signalGroup(child.pid, 0) ? undefined : true);
      await waitUntil(gone, { clock: run.clock, signal: hurry, timeoutMs: LEFTOVERS_MAY_TAKE_MS });
      signalGroup(child.pid, 'SIGKILL');
    },
  });
  return await ended;
}

/** Returns whether the process group existed. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false; // The whole group has ended.
  }
}
