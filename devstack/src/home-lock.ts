import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import { GUARD_NAME } from './guard.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';
import { waitUntil } from './wait-until.ts';

const GUARD_MAY_TAKE_MS = 15_000;

/**
 * Makes sure that this launcher is the only one in its home. A running launcher is a Failure; after a killed one it
 * waits until its guard has ended the remaining processes.
 */
export async function lockHome(run: Run, home: string, guardPid: number | undefined): Promise<void> {
  const file = join(home, 'launcher.lock');
  const [launcher, guard] = (readIfThere(file) ?? '').split(' ').map(Number);
  if (isRunning(launcher, 'devstack')) {
    throw new Failure(
      `Posthorn already runs in ${home} (process ${launcher}).`,
      `Stop it with: kill ${launcher}   or run a second one: PORT=3100 POSTHORN_HOME=.posthorn-2 npm start`,
    );
  }
  if (isRunning(guard, GUARD_NAME)) {
    say('start', 'the previous run was killed: waiting until its remaining processes have ended …');
    const { clock, signal } = run;
    const ended = async () => (isRunning(guard, GUARD_NAME) ? undefined : true);
    await waitUntil(ended, { clock, signal, timeoutMs: GUARD_MAY_TAKE_MS });
  }
  writePrivateFile(file, `${process.pid} ${guardPid ?? ''}`);
}

/**
 * Whether the process lives. If the system shows command lines, a process without `word` in it is another one with a
 * reused pid.
 */
function isRunning(pid: number | undefined, word: string): boolean {
  if (pid === undefined || !Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return commandLineOf(pid)?.includes(word) ?? true;
}

/** The command line of a running process; undefined if the system does not show it. */
function commandLineOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const options = ['-ww', '-o', 'command=', '-p', String(pid)];
    return execFileSync('ps', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 5_000 });
  } catch {
    return undefined;
  }
}
