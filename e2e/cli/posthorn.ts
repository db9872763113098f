import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs the command line as it is published, in its own home.

export const PROGRAM = fileURLToPath(new URL('../../packages/cli/bundle/main.js', import.meta.url));

export type Ended = { code: number | null; stdout: string; stderr: string };

/** A command that keeps running. */
export type Running = {
  stdout: () => string;
  stderr: () => string;
  /** Sends SIGINT, as Ctrl-C does. */
  interrupt: () => void;
  kill: (signal: NodeJS.Signals) => void;
  /** Closes its output, so that nobody reads it any more. */
  closeOutput: () => void;
  ended: Promise<Ended>;
};

export type CommandLine = {
  home: string;
  /** Starts `posthorn` with these arguments. */
  start: (args: readonly string[], options?: { env?: Record<string, string> }) => Running;
  /** Runs a command of a shell in which `posthorn` is the command line. */
  shell: (command: string, options?: { env?: Record<string, string>; input?: string }) => Promise<Ended>;
  remove: () => void;
};

export function prepareCommandLine(env: Record<string, string> = {}): CommandLine {
  const home = mkdtempSync(join(tmpdir(), 'posthorn-cli-'));
  mkdirSync(join(home, 'bin'));
  chmodSync(PROGRAM, 0o755);
  symlinkSync(PROGRAM, join(home, 'bin/posthorn'));
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const start = (file: string, args: readonly string[], own: Record<string, string> = {}) => {
    const child = spawn(file, args, {
      cwd: home,
      env: { PATH: `${join(home, 'bin')}:${PATH}`, HOME: home, NODE_COMPILE_CACHE, ...env, ...own },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
    const kill = (signal: NodeJS.Signals) => void child.kill(signal);
    return {
      child,
      ended,
      stdout: () => stdout,
      stderr: () => stderr,
      interrupt: () => kill('SIGINT'),
      kill,
      closeOutput: () => void child.stdout.destroy(),
    };
  };
  return {
    home,
    start: (args, options = {}) => start(process.execPath, [PROGRAM, ...args], options.env),
    shell: (command, options = {}) => {
      const { child, ended } = start('bash', ['-c', command], options.env);
      // A command may end before it has read its input. Its result says more than a broken pipe.
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input ?? '');
      return ended;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
