import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';

const MAY_TAKE_MS = 5_000;

/** Compiles the projects while other things run. Resolves with whether their types are right, and shows errors. */
export async function checkTypes(run: Run, projects: readonly string[]): Promise<boolean> {
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [compiler, '-b', ...projects], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let found = '';
  child.stdout.on('data', (chunk: Buffer) => (found += chunk));
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  run.onStop({
    name: 'types',
    hurryAfterMs: MAY_TAKE_MS,
    stop: async (hurry) => {
      child.kill('SIGTERM');
      hurry.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
      await ended;
    },
  });
  const right = await ended;
  if (!right && !run.signal.aborted) say('types', `are wrong:\n${found.trim()}`);
  return right;
}
