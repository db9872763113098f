import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { now } from './load.ts';

/** A process started by this benchmark. */
export type ServiceProcess = {
  /** `api` or `dispatcher`. */
  name: string;
  pid: number;
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** The time from the spawn until `/readyz` answered 200. */
  readyAfterMs: number;
  /** Sends the signal and waits for the end of the process. Does nothing if it has ended. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

export type ServiceOptions = {
  name: string;
  /** The compiled script. */
  entry: string;
  port: number;
  settings: Record<string, string>;
  /** Arguments for Node, such as those of the profiler. */
  nodeArgs?: readonly string[];
  logFile: string;
};

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 10;

/**
 * Starts a service with the environment of the image (deploy/Dockerfile), and resolves once it is ready. Its output goes to
 * `logFile`.
 */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const { name, entry, port, settings, nodeArgs = [], logFile } = options;
  const log = openSync(logFile, 'a');
  const startedAt = now();
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeArgs, entry], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '1',
      NODE_OPTIONS: '--max-semi-space-size=16',
      ...settings,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  while (!(await answersOk(`${url}/readyz`))) {
    if (child.exitCode !== null || now() - startedAt > READY_WITHIN_MS) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not become ready; it wrote:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`);
    }
    await pause(ASK_EVERY_MS);
  }
  return { name, pid: child.pid ?? 0, url, readyAfterMs: now() - startedAt, end: (signal) => end(child, signal) };
}

/** Kills all running services, when this process ends or a scenario has failed. */
export function endAllServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

const running = new Set<ChildProcess>();

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false; // Not listening yet.
  }
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
