import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from './wait-for.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OUTPUT_KEPT = 20_000;
const READY_WITHIN_MS = 90_000;

export type ServiceName = 'api' | 'dispatcher' | 'all';

/** The name that the log gives to the server at the process's `url`. */
const PARTS: Record<ServiceName, string> = { api: 'api', dispatcher: 'health', all: 'api' };

/** One process of the product, run as in production. */
export type ServiceProcess = {
  name: ServiceName;
  pid: number;
  /** `http://127.0.0.1:<port>`: the interface of an API or of both in one, or health and metrics of a dispatcher. */
  url: string;
  /** The last part of its output. */
  output: () => string;
  /** Whether it has said that it listens; true from the beginning when its log level hides that. */
  listens: () => boolean;
  /** Sends the signal and waits for the end; returns the exit code, null after a signal. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
  /**
   * The exit code, null after a signal; resolves when the process has ended for any reason and all of its output was
   * read.
   */
  ended: Promise<number | null>;
};

export type ServiceOptions = {
  service: ServiceName;
  port: number;
  settings: Record<string, string>;
  /** Node's own arguments. */
  nodeArgs?: readonly string[];
  /** Called with all its output. */
  onOutput?: (chunk: string) => void;
  /** The built checkout of another release; default this one. */
  checkout?: string;
};

/** Spawns the built service; it is not ready yet. */
export function startService(options: ServiceOptions): ServiceProcess {
  const { service, port, settings, nodeArgs = [], onOutput, checkout = ROOT } = options;
  // An earlier release has no bundle.
  const entryOf = (build: 'bundle' | 'dist') => join(checkout, 'services', service, build, 'main.js');
  const entry = existsSync(entryOf('bundle')) ? entryOf('bundle') : entryOf('dist');
  const ports: Record<string, string> =
    service === 'dispatcher' ? { METRICS_PORT: `${port}` } : { PORT: `${port}`, METRICS_PORT: '0' };
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeArgs, entry], {
    cwd: checkout,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_ENV: 'production', ...ports, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let listens = !['info', 'debug', undefined].includes(settings.LOG_LEVEL);
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
    listens ||= output.includes(`"part":"${PARTS[service]}"`);
    onOutput?.(chunk.toString());
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  if (child.pid === undefined) throw new Error(`${service} could not be started`);
  // Not at `exit`: the last lines of its output may come after that.
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    name: service,
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    listens: () => listens,
    end(signal) {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}

/**
 * Waits until the process is ready. Throws an error with its output when it does not become ready, and at once when it
 * ends. The answer of another process that holds its port does not count.
 */
export async function awaitReady(started: ServiceProcess): Promise<void> {
  let hasEnded = false;
  void started.ended.then(() => {
    hasEnded = true;
  });
  const ready = async () => hasEnded || (started.listens() && (await fetch(`${started.url}/readyz`)).ok);
  const notReady = (cause?: unknown) =>
    new Error(`${started.name} is not ready; it wrote:\n${started.output()}`, { cause });
  await waitFor(ready, { what: `${started.name} to be ready`, timeoutMs: READY_WITHIN_MS }).catch((error: unknown) => {
    throw notReady(error);
  });
  if (hasEnded) throw notReady();
}
