import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import { instanceFile } from './instance-file.ts';
import { rootsFolder } from './postgres-place.ts';
import { projectRoot } from './project-root.ts';
import { type Run, runToEnd } from './run.ts';
import { waitUntil } from './wait-until.ts';

const INTERRUPTED = 130;
const READY_WITHIN_MS = 180_000;
const STOPPED_BY_MS = 31_000;

process.exit(await runToEnd(bench, INTERRUPTED));

/**
 * Runs the benchmarks against a whole stack of their own, in a throw-away home on free ports. They find it by
 * POSTHORN_INSTANCE, the path of its instance file; the caller's settings reach its services.
 */
async function bench(run: Run): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'posthorn-bench-'));
  run.onStop({ name: 'bench home', hurryAfterMs: STOPPED_BY_MS, stop: async () => removeHome(home) });
  const environment = { RATE_LIMIT_MANAGEMENT: '0', ...process.env, PORT: '0', POSTHORN_HOME: home };
  const stack = keep(run, join(projectRoot, 'devstack/dist/start.js'), [], environment);
  const ready = await Promise.race([
    waitUntil(async () => existsSync(instanceFile(home)) || undefined, {
      clock: run.clock,
      signal: run.signal,
      timeoutMs: READY_WITHIN_MS,
    }),
    stack.then(() => undefined),
  ]);
  if (!ready) throw new Failure('The stack for the benchmarks did not start.', 'See above why; try npm start.');
  const main = join(projectRoot, 'bench/dist/main.js');
  return await keep(run, main, process.argv.slice(2), { ...process.env, POSTHORN_INSTANCE: instanceFile(home) });
}

/** Runs a script of ours to its end and answers its exit code; ends it with the run. */
function keep(run: Run, script: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  run.signal.throwIfAborted();
  const child = spawn(process.execPath, [script, ...args], { env, stdio: 'inherit', detached: true });
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (status) => resolve(status ?? 1));
  });
  run.onStop({
    name: script,
    hurryAfterMs: STOPPED_BY_MS,
    stop: async (hurry) => {
      child.kill('SIGTERM');
      hurry.addEventListener('abort', () => child.kill('SIGKILL'));
      await ended;
    },
  });
  return ended;
}

function removeHome(home: string): void {
  for (const folder of [home, rootsFolder(home)]) rmSync(folder, { recursive: true, force: true });
}
