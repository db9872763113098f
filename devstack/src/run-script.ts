import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';

export type Script = {
  name: string;
  /** Compiled, below the project's root. */
  script: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  hurryAfterMs: number;
  /** Answers what the script asks in messages. */
  answer?: (question: unknown) => Promise<object>;
};

/**
 * Runs a script of ours to its end and answers its exit code: in a process group of its own, so that the services which
 * it started end with it, however it ends.
 */
export async function runScript(run: Run, { name, script, args, env, hurryAfterMs, answer }: Script): Promise<number> {
  run.signal.throwIfAborted();
  const child = spawn(process.execPath, ['--enable-source-maps', join(projectRoot, script), ...args], {
    cwd: projectRoot,
    env,
    stdio: ['inherit', 'inherit', 'inherit', ...(answer === undefined ? [] : ['ipc' as const])],
    detached: true,
  });
  if (answer !== undefined) answerQuestions(child, answer);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
  run.onStop({
    name,
    hurryAfterMs,
    stop: async (hurry) => {
      signalGroup(child.pid, 'SIGTERM');
      hurry.addEventListener('abort', () => signalGroup(child.pid, 'SIGKILL'), { once: true });
      await ended;
      signalGroup(child.pid, 'SIGKILL');
    },
  });
  return await ended;
}

function answerQuestions(child: ChildProcess, answer: (question: unknown) => Promise<object>): void {
  child.on('message', (question) => {
    void answer(question).then((reply) => {
      if (child.connected) child.send(reply);
    });
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}
