import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IN_OWN_GROUP, signalGroup } from '../process-group.mjs';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import { waitUntil } from './wait-until.ts';

export type JestProject = {
  /** The folder with the configuration of Jest. */
  root: string;
  /** Jest's own arguments. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** What Jest prints is shown unless this is true. */
  quiet?: boolean;
};

/**
 * The number of workers. It is more than the two cores of a small machine, because tests wait: for a time to pass, or
 * for a store, a program or a registry. With three, both tiers left a quarter of the processors idle.
 */
const WORKERS = 4;
const JEST_ENDS_BY_MS = 20_000;
const LEFTOVERS_MAY_TAKE_MS = 5_000;

/**
 * Runs Jest and returns its exit code. Its results are written to `report` as JSON. Also ends processes that tests have
 * started and that an interrupted Jest could not end.
 */
export async function runJest(run: Run, project: JestProject, report: string): Promise<number> {
  const node = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    // Files that share their modules are loaded by Node itself: see devstack/jest/run-file.cjs.
    '--conditions=@posthorn/source',
    `--import=${pathToFileURL(join(projectRoot, 'devstack/jest/register.mjs'))}`,
  ];
  const jest = join(projectRoot, 'node_modules/jest/bin/jest.js');
  const { root, args, env, quiet = false } = project;
  run.signal.throwIfAborted();
  // A worker that had to be ended leaves pipes in Jest's main process, which then waits for them without a bound.
  const exits = args.some((argument) => argument.startsWith('--watch')) ? [] : ['--forceExit'];
  const ours = [`--maxWorkers=${WORKERS}`, '--json', `--outputFile=${report}`, ...exits];
  const child = spawn(process.execPath, [...node, jest, ...ours, ...args], {
    cwd: root,
    env,
    stdio: quiet ? 'ignore' : 'inherit',
    // Its own process group, so that all of it can be ended; a watching Jest needs the terminal's group.
    ...(args.some((argument) => argument.startsWith('--watch')) ? {} : IN_OWN_GROUP),
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
