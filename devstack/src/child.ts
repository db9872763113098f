import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Guard } from './guard.ts';

/** A long-running program, and how it is told to end. */
export type Program = {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Another user to run it as; only root may. */
  user?: { uid: number; gid: number };
  /** Asks it to end in its own way. */
  stopSignal: NodeJS.Signals;
  /** Tells it to end at once; SIGKILL follows. */
  hurrySignal: NodeJS.Signals;
};

export type Child = {
  /** Undefined when it could not be spawned at all. */
  pid: number | undefined;
  /** Why it ended, in words. Never rejects. */
  ended: Promise<string>;
  /** Signals its whole process group; harmless when it has ended. */
  kill(signal: NodeJS.Signals): void;
  /** The last lines that it wrote since it was started. */
  lastWords(lines: number): string;
};

const TAIL_BYTES = 8_192;

/**
 * Starts a program in a process group of its own, so that a terminal's Ctrl-C reaches only the launcher, with both its
 * outputs appended to `logFile`.
 */
export function startChild(program: Program, logFile: string, guard: Guard): Child {
  const log = openSync(logFile, 'a+', 0o600);
  const startsAt = fstatSync(log).size;
  const child = spawn(program.command, program.args, {
    env: program.env,
    cwd: program.cwd,
    stdio: ['ignore', log, log],
    detached: true,
    ...program.user,
  });
  const { pid } = child;
  if (pid !== undefined) guard.watch(pid, program.hurrySignal === 'SIGKILL' ? 'TERM' : 'INT');
  let gone = false;
  const ended = whenEnded(child).then((reason) => {
    gone = true;
    if (pid !== undefined) guard.forget(pid);
    return reason;
  });
  closeSync(log);
  return {
    pid,
    ended,
    kill: (signal) => {
      // Once it has ended, its number may be another's.
      if (!gone) killGroup(pid, signal);
    },
    lastWords: (lines) => readTail(logFile, startsAt).trimEnd().split('\n').slice(-lines).join('\n'),
  };
}

/** Ends a child: asks it, and forces it once `hurry` aborts. Resolves when it is gone. */
export async function endChild(child: Child, program: Program, hurry: AbortSignal): Promise<void> {
  child.kill(program.stopSignal);
  const force = () => {
    child.kill(program.hurrySignal);
    setTimeout(() => child.kill('SIGKILL'), 700).unref();
  };
  if (hurry.aborted) force();
  else hurry.addEventListener('abort', force, { once: true });
  await child.ended;
  hurry.removeEventListener('abort', force);
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`));
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself meanwhile.
  }
}

function readTail(file: string, from: number): string {
  const log = openSync(file, 'r');
  try {
    const { size } = fstatSync(log);
    // A log that was rotated meanwhile begins anew.
    const start = Math.max(from <= size ? from : 0, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    return buffer.toString('utf8', 0, readSync(log, buffer, 0, buffer.length, start));
  } finally {
    closeSync(log);
  }
}
