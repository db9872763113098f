import { spawn } from 'node:child_process';
import { IN_OWN_GROUP, signalGroup } from '../process-group.mjs';

export type CommandResult = { ok: boolean; output: string };

export type CommandOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number };
};

/**
 * Runs a short-lived command to its end, and returns whether it succeeded, and its output. When the run stops or the
 * time is up, its whole process group is killed; when the run stops, the promise also rejects.
 */
export async function runCommand(command: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  const { signal, timeoutMs, env = process.env, cwd, user } = options;
  signal.throwIfAborted();
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], ...IN_OWN_GROUP, ...user });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const kill = () => void signalGroup(child.pid, 'SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const timer = setTimeout(kill, timeoutMs);
  const ok = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  clearTimeout(timer);
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  return { ok, output: output.trim() };
}
