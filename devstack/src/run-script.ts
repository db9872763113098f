import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { IN_OWN_GROUP, signalGroup } from '../process-group.mjs';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';

export type Script = {
  name: string;
  /** The compiled script, relative to the project's root. */
  script: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  hurryAfterMs: number;
  /** Answers the script's messages. */
  answer?: (question: unknown) => Promise<object>;
};

/**
 * Runs one of our scripts to its end and returns its exit code. It has its own process group, so that the services that
 * it started always end with it.
 */
export async function runScript(run: Run, { name, script, args, env, hurryAfterMs, answer }: Script): Promise<number> {
  run.signal.throwIfAborted();
  const child = spawn(process.execPath, ['--enable-source-maps', join(projectRoot, script), ...args], {
    cwd: projectRoot,
    env,
    stdio: ['inherit', 'inherit', 'inherit', ...(answer === undefined ? [] : ['ipc' as const])],
    ...IN_OWN_GROUP,
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
