import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase, testQueue } from './database.ts';
import { freePort } from './free-port.ts';
import { receiverCertificate } from './receiver-certificate.ts';
import { type SeededWorkspace, seedWorkspace } from './seed.ts';
import { awaitReady, type ServiceName, type ServiceProcess, startService } from './service-process.ts';
import { serviceSettings } from './service-settings.ts';

export type Stack = TestDatabase &
  SeededWorkspace & {
    api: ServiceProcess;
    dispatchers: ServiceProcess[];
    /** Empty if the queue is in Postgres. */
    redisUrl: string;
    prefix: string;
    startDispatcher: (settings?: Record<string, string>) => Promise<ServiceProcess>;
    startApi: (settings?: Record<string, string>) => Promise<ServiceProcess>;
    /** Starts both services in one process. */
    startAll: (settings?: Record<string, string>) => Promise<ServiceProcess>;
    stop: () => Promise<void>;
  };

export type StackOptions = {
  /** The stack's database, which the stack drops. By default a new one is made. */
  database?: TestDatabase;
  dispatchers?: number;
  /** Settings for every process. */
  settings?: Record<string, string>;
  /** Called with all output of the processes. */
  onOutput?: (chunk: string) => void;
  /** Called before anything uses the database. Its result is added to the settings of every process. */
  prepare?: (database: TestDatabase) => Promise<Record<string, string>>;
};

/**
 * The built services as processes, with their own database and queue, and one seeded workspace. They trust the
 * testkit's receivers.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = options.database ?? (await createTestDatabase());
  const { redisUrl, prefix } = testQueue('redis');
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-stack-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, (await receiverCertificate('good')).caPem);
  const { databaseUrl } = database;
  const prepared = await options.prepare?.(database);
  const shared = { ...serviceSettings({ databaseUrl, redisUrl, prefix, caFile }), ...prepared, ...options.settings };
  const processes: ServiceProcess[] = [];
  const start = async (service: ServiceName, settings: Record<string, string>) => {
    const { onOutput } = options;
    const started = startService({
      service,
      port: await freePort(),
      settings: { ...shared, ...settings },
      ...(onOutput && { onOutput }),
    });
    processes.push(started);
    await awaitReady(started);
    return started;
  };
  const seeded = await seedWorkspace(database.db);
  const [api, ...dispatchers] = await Promise.all([
    start('api', {}),
    ...Array.from({ length: options.dispatchers ?? 1 }, () => start('dispatcher', {})),
  ]);
  return {
    databaseUrl,
    db: database.db,
    drop: database.drop,
    ...seeded,
    api,
    dispatchers,
    redisUrl,
    prefix,
    startApi: (settings = {}) => start('api', settings),
    startAll: (settings = {}) => start('all', settings),
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
