import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from './wait-for.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OUTPUT_KEPT = 20_000;
const READY_WITHIN_MS = 90_000;

export type ServiceName = 'api' | 'dispatcher' | 'all';

/** The name in the log of the server at the process's `url`. */
const PARTS: Record<ServiceName, string> = { api: 'api', dispatcher: 'health', all: 'api' };

/** One process of the product, as in production. */
export type ServiceProcess = {
  name: ServiceName;
  pid: number;
  /**
   * `http://127.0.0.1:<port>`: the interface of an API or an all-in-one process, or health and metrics of a dispatcher.
   */
  url: string;
  /** The end of the process's output. */
  output: () => string;
  /** True once the process has logged that it listens; always true when its log level hides that line. */
  listens: () => boolean;
  /** Sends the signal and waits for the end. Returns the exit code, or null after a signal. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
  /**
   * Resolves when the process has ended for any reason and all of its output was read, with the exit code, or null
   * after a signal.
   */
  ended: Promise<number | null>;
};

export type ServiceOptions = {
  service: ServiceName;
  port: number;
  settings: Record<string, string>;
  /** Arguments for Node itself. */
  nodeArgs?: readonly string[];
  /** Called with all output of the process. */
  onOutput?: (chunk: string) => void;
  /** The built checkout of another release. Default: this one. */
  checkout?: string;
};

/** Starts the built service. It is not ready yet. */
export function startService(options: ServiceOptions): ServiceProcess {
  const { service, port, settings, nodeArgs = [], onOutput, checkout = ROOT } = options;
  // Earlier releases have no bundle.
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
  // Waits for `close`, because the last lines of output may come after `exit`.
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
 * ends. A response of another process that holds its port does not count.
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
