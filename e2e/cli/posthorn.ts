import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The command line as it is published, in a home of its own.

const program = fileURLToPath(new URL('../../packages/cli/bundle/main.js', import.meta.url));

export type Ended = { code: number | null; stdout: string; stderr: string };

export type CommandLine = {
  home: string;
  /** Runs a command of a shell in which `posthorn` is the command line. */
  shell: (command: string, options?: { env?: Record<string, string>; input?: string }) => Promise<Ended>;
  remove: () => void;
};

export function prepareCommandLine(env: Record<string, string> = {}): CommandLine {
  const home = mkdtempSync(join(tmpdir(), 'posthorn-cli-'));
  mkdirSync(join(home, 'bin'));
  chmodSync(program, 0o755);
  symlinkSync(program, join(home, 'bin/posthorn'));
  const { PATH = '' } = process.env;
  return {
    home,
    shell: (command, options = {}) =>
      new Promise((resolve) => {
        const child = spawn('bash', ['-c', command], {
          cwd: home,
          env: { PATH: `${join(home, 'bin')}:${PATH}`, HOME: home, ...env, ...options.env },
        });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (chunk) => (stdout += chunk));
        child.stderr.on('data', (chunk) => (stderr += chunk));
        child.on('close', (code) => resolve({ code, stdout, stderr }));
        child.stdin.end(options.input ?? '');
      }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
