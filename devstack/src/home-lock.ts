import { join } from 'node:path';
import { isSameProcess, startOfProcess } from '../process-start.mjs';
import { Failure } from './failure.ts';
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
  const [launcher, guard] = (readIfThere(file) ?? '').split(' ').map(readProcess);
  if (isRunning(launcher)) {
    throw new Failure(
      `Posthorn already runs in ${home} (process ${launcher?.pid}).`,
      `Stop it with: kill ${launcher?.pid}   or run a second one: PORT=3100 POSTHORN_HOME=.posthorn-2 npm start`,
    );
  }
  if (isRunning(guard)) {
    say('start', 'the previous run was killed: waiting until its remaining processes have ended …');
    const { clock, signal } = run;
    const ended = async () => (isRunning(guard) ? undefined : true);
    await waitUntil(ended, { clock, signal, timeoutMs: GUARD_MAY_TAKE_MS });
  }
  writePrivateFile(file, [process.pid, guardPid].map(nameProcess).join(' '));
}

type NamedProcess = { pid: number; start: string | undefined };

/** The process id with the process's start, because the id alone can come to belong to another process. */
function nameProcess(pid: number | undefined): string {
  return pid === undefined ? '' : `${pid}@${startOfProcess(pid) ?? ''}`;
}

function readProcess(text: string): NamedProcess {
  const [pid, start] = text.split('@');
  return { pid: Number(pid), start };
}

function isRunning(named: NamedProcess | undefined): named is NamedProcess {
  return named !== undefined && isSameProcess(named.pid, named.start);
}
