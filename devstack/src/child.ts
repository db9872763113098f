import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { IN_OWN_GROUP, signalGroup } from '../process-group.mjs';
import type { Guard } from './guard.ts';

/** A long-running program, and the signals that end it. */
export type Program = {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** The user to run it as; only root may choose one. */
  user?: { uid: number; gid: number };
  /** The signal for a normal end. */
  stopSignal: NodeJS.Signals;
  /** The signal for an immediate end; SIGKILL follows. */
  hurrySignal: NodeJS.Signals;
};

export type Child = {
  /** Undefined if it could not be spawned. */
  pid: number | undefined;
  /** Resolves with the reason of its end, in words. Never rejects. */
  ended: Promise<string>;
  /** Signals its whole process group; does nothing if it has ended. */
  kill(signal: NodeJS.Signals): void;
  /** The last lines of its output since it was started. */
  lastWords(lines: number): string;
};

const TAIL_BYTES = 8_192;

/**
 * Starts a program in its own process group, so that Ctrl-C in a terminal reaches only the launcher. Its stdout and
 * stderr are appended to `logFile`.
 */
export function startChild(program: Program, logFile: string, guard: Guard): Child {
  const log = openSync(logFile, 'a+', 0o600);
  const startsAt = fstatSync(log).size;
  const child = spawn(program.command, program.args, {
    env: program.env,
    cwd: program.cwd,
    stdio: ['ignore', log, log],
    ...IN_OWN_GROUP,
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
      // Once it has ended, its pid may belong to another process.
      if (!gone) signalGroup(pid, signal);
    },
    lastWords: (lines) => readTail(logFile, startsAt).trimEnd().split('\n').slice(-lines).join('\n'),
  };
}

/** Ends a child: normally, then by force once `hurry` aborts. Resolves when it has ended. */
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

function readTail(file: string, from: number): string {
  const log = openSync(file, 'r');
  try {
    const { size } = fstatSync(log);
    // A log that has been rotated starts from the beginning.
    const start = Math.max(from <= size ? from : 0, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    return buffer.toString('utf8', 0, readSync(log, buffer, 0, buffer.length, start));
  } finally {
    closeSync(log);
  }
}
