import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase, testRedis } from './database.ts';
import { type SeededWorkspace, seedWorkspace } from './seed.ts';
import { waitFor } from './wait-for.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OUTPUT_KEPT = 20_000;

/** One process of the product, as it is run in production. */
export type ServiceProcess = {
  name: string;
  pid: number;
  /** `http://127.0.0.1:<port>`, of the interface (API) or of health and metrics (dispatcher). */
  url: string;
  /** What it last wrote. */
  output: () => string;
  /** Sends the signal and waits for the end; answers the exit code, null after a signal. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
};

export type Stack = TestDatabase &
  SeededWorkspace & {
    api: ServiceProcess;
    dispatchers: ServiceProcess[];
    redisUrl: string;
    prefix: string;
    startDispatcher: (settings?: Record<string, string>) => Promise<ServiceProcess>;
    startApi: (settings?: Record<string, string>) => Promise<ServiceProcess>;
    stop: () => Promise<void>;
  };

export type StackOptions = {
  dispatchers?: number;
  /** Settings of every process. */
  settings?: Record<string, string>;
  /** An authority that the processes trust beside the usual ones. */
  caPem?: string;
};

/** The built services as processes, on a database and a Redis prefix of their own, with one seeded workspace. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = await createTestDatabase();
  const { redisUrl, prefix } = testRedis();
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-stack-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, options.caPem ?? '');
  const shared = {
    DATABASE_URL: database.databaseUrl,
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: prefix,
    SEALING_KEYS: `test:${randomBytes(32).toString('base64')}`,
    CURSOR_KEYS: `test:${randomBytes(32).toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'info',
    ...(options.caPem === undefined ? {} : { NODE_EXTRA_CA_CERTS: caFile }),
    ...options.settings,
  };
  const processes: ServiceProcess[] = [];
  const start = async (service: 'api' | 'dispatcher', settings: Record<string, string>) => {
    const port = await freePort();
    const ports: Record<string, string> =
      service === 'api' ? { PORT: `${port}`, METRICS_PORT: '0' } : { METRICS_PORT: `${port}` };
    const started = startProcess(service, port, { ...shared, ...ports, ...settings });
    processes.push(started);
    await waitFor(async () => (await fetch(`${started.url}/readyz`)).ok, {
      what: `${service} to be ready; it wrote:\n${started.output()}`,
      timeoutMs: 30_000,
    });
    return started;
  };
  const seeded = await seedWorkspace(database.db);
  const api = await start('api', {});
  const dispatchers: ServiceProcess[] = [];
  for (let n = 0; n < (options.dispatchers ?? 1); n += 1) dispatchers.push(await start('dispatcher', {}));
  return {
    ...database,
    ...seeded,
    api,
    dispatchers,
    redisUrl,
    prefix,
    startApi: (settings = {}) => start('api', settings),
    async startDispatcher(settings = {}) {
      const started = await start('dispatcher', settings);
      dispatchers.push(started);
      return started;
    },
    async stop() {
      await Promise.all(processes.map((process) => process.end('SIGTERM')));
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startProcess(service: 'api' | 'dispatcher', port: number, settings: Record<string, string>): ServiceProcess {
  const entry = join(ROOT, 'services', service, 'dist/main.js');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--enable-source-maps', entry], {
    cwd: ROOT,
    env: { PATH, HOME, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  if (child.pid === undefined) throw new Error(`${service} could not be started`);
  return {
    name: service,
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    end: (signal) => endProcess(child, signal),
  };
}

function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
