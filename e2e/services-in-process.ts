import { readConfig as readApiConfig } from '@posthorn/api/config';
import { startApi } from '@posthorn/api/start-api';
import { readConfig as readDispatcherConfig } from '@posthorn/dispatcher/config';
import { startDispatcher } from '@posthorn/dispatcher/start-dispatcher';
import { createLogger } from '@posthorn/runtime/logger';
import { createTestDatabase, type TestDatabase, testQueue } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { serviceSettings } from '@posthorn/testkit/service-settings';

/** A service that runs in this process. */
export type RunningService = {
  url: string;
  /** The last lines of its log. */
  output: () => string;
  stop: () => Promise<void>;
};

export type Services = TestDatabase &
  SeededWorkspace & {
    api: RunningService;
    dispatchers: RunningService[];
    /** Empty if the queue is in Postgres. */
    redisUrl: string;
    prefix: string;
    startApi: (settings?: Record<string, string>) => Promise<RunningService>;
    startDispatcher: (settings?: Record<string, string>) => Promise<RunningService>;
    stop: () => Promise<void>;
  };

export type ServicesOptions = {
  dispatchers?: number;
  /** Settings of every service. */
  settings?: Record<string, string>;
  /** Called with the database before anything uses it. The result is added to the settings of every service. */
  prepare?: (database: TestDatabase) => Promise<Record<string, string>>;
};

const KEPT_LINES = 100;
const ANY_PORT = { METRICS_PORT: '0', ADMIN_PORT: '0', LISTEN_ADDRESS: '127.0.0.1' };

/**
 * Runs the production services in this process, with their own database and queue and one seeded workspace. Use it for
 * tests of what the services do together. If the process itself matters (signals, a crash, memory, its start or its
 * environment), use `startStack` of the testkit.
 */
export async function startServices(options: ServicesOptions = {}): Promise<Services> {
  const database = await createTestDatabase();
  const { redisUrl, prefix } = testQueue('redis');
  const prepared = await options.prepare?.(database);
  const shared = {
    ...serviceSettings({ databaseUrl: database.databaseUrl, redisUrl, prefix }),
    ...ANY_PORT,
    ...prepared,
    ...options.settings,
  };
  const running: RunningService[] = [];
  const start = async (service: 'api' | 'dispatcher', settings: Record<string, string>): Promise<RunningService> => {
    const lines: string[] = [];
    const write = (line: string) => void lines.splice(0, lines.push(line) - KEPT_LINES);
    // The service needs its port in the settings, for links to itself.
    const given = { ...shared, ...settings, PORT: `${await freePort()}` };
    const logger = createLogger({ service, level: 'info', write });
    const started =
      service === 'api'
        ? await startApi(readApiConfig(given), { logger })
        : await startDispatcher(readDispatcherConfig(given), { logger });
    const one = { url: started.url, output: () => lines.join(''), stop: started.stop };
    running.push(one);
    return one;
  };
  const seeded = await seedWorkspace(database.db);
  const api = await start('api', {});
  const dispatchers: RunningService[] = [];
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
      await Promise.all(running.map((service) => service.stop()));
      await database.drop();
    },
  };
}
