import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { Plan, Scope } from '@posthorn/contract/access';
import { openQueues } from '@posthorn/queue/open-queues';
import type { Queues } from '@posthorn/queue/queues';
import { systemClock } from '@posthorn/runtime/clock';
import { createLogger } from '@posthorn/runtime/logger';
import { createTestDatabase, openDatabase, type TestDatabase, testQueue } from '@posthorn/testkit/database';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import type { Express } from 'express';
import { type Config, readConfig } from '../src/config.ts';
import type { ApiMetrics } from '../src/metrics.ts';
import type { Services } from '../src/operation/context.ts';
import { type ApiParts, startApi as startService } from '../src/start-api.ts';
import type { Timing } from '../src/timing.ts';

export type ApiUnderTest = TestDatabase &
  SeededWorkspace & {
    /** The address at which the API listens, for supertest. */
    app: string;
    /** The application without its server, for `listen`. */
    express: Express;
    services: ApiParts['services'];
    metrics: ApiMetrics;
    /** The queue of this API, for a second process. */
    queue: ReturnType<typeof testQueue>;
    /** The queues of a stand-in of a dispatcher. They are opened once, and closed with the API. */
    openQueues: () => Promise<Queues>;
    /** The log lines so far. */
    logLines: string[];
    /** `/management/v1/workspaces/<the seeded workspace>`. */
    base: string;
    seedAnother: (options?: { plan?: Plan; scopes?: readonly Scope[] }) => Promise<SeededWorkspace>;
    stop: () => Promise<void>;
  };

export type ApiOptions = {
  plan?: Plan;
  scopes?: readonly Scope[];
  clock?: Services['clock'];
  maxPayloadBytes?: number;
  maxEndpointsPerWorkspace?: number;
  /** Requests per second of a credential; 0 means no limit. */
  rateLimits?: { management: number; ingest: number };
  maxWorkspacesPerUser?: number;
  /** Other settings, as a process reads them. */
  settings?: Partial<Config>;
  quotas?: Services['settings']['quotas'];
  trustedProxies?: number;
  /** The build of the dashboard and the portal; none by default. */
  webFolder?: string;
  /** The built documentation; none by default. */
  docsFolder?: string;
  /** Shorter waits than in production. */
  timing?: Partial<Timing>;
  /** The database of another API: this one is then its second process. */
  databaseUrl?: string;
  /** The queue of another API. */
  queue?: ReturnType<typeof testQueue>;
};

/** The API of production in this process, with its own database and queue. */
export async function startApi(options: ApiOptions = {}): Promise<ApiUnderTest> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : openDatabase(options.databaseUrl);
  const seeded = await seedWorkspace(database.db, options);
  const logLines: string[] = [];
  const logger = createLogger({ service: 'api', level: 'debug', write: (line) => logLines.push(line) });
  const queue = options.queue ?? testQueue('postgres');
  const config = configOf(options, { ...queue, databaseUrl: database.databaseUrl });
  let opened: Promise<Queues> | undefined;
  const api = await startService(config, {
    logger,
    clock: options.clock ?? systemClock,
    webFolder: options.webFolder ?? 'none',
    docsFolder: options.docsFolder ?? 'none',
    ...(options.timing && { timing: options.timing }),
  });
  return {
    ...database,
    ...seeded,
    ...api.parts,
    app: api.url,
    express: api.parts.app,
    queue,
    openQueues() {
      const { monotonicMs } = systemClock;
      opened ??= openQueues(config, { db: database.db, role: 'dispatcher', monotonicMs, onError: () => {} });
      return opened;
    },
    logLines,
    base: `/management/v1/workspaces/${seeded.workspaceId}`,
    seedAnother: (another) => seedWorkspace(database.db, another),
    async stop() {
      await api.stop();
      await (await opened)?.close();
      await database.drop();
    },
  };
}

/** The settings as a process reads them, with the options of a test. */
function configOf(
  options: ApiOptions,
  { databaseUrl, redisUrl, prefix }: { databaseUrl: string; redisUrl: string; prefix: string },
): Config {
  const key = () => `test:${randomBytes(32).toString('base64')}`;
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: prefix,
    SEALING_KEYS: key(),
    CURSOR_KEYS: key(),
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    LISTEN_ADDRESS: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    BASE_URL: 'http://localhost:3000',
    QUEUE_BOARD_URL: 'http://127.0.0.1:9465',
  });
  const quotas = options.quotas && {
    QUOTA_EVENTS_PER_DAY: options.quotas.eventsPerDay,
    QUOTA_BYTES_KEPT: options.quotas.bytesKept,
    QUOTA_ATTEMPT_BYTES_KEPT: options.quotas.attemptBytesKept,
  };
  const limits = options.rateLimits && {
    RATE_LIMIT_MANAGEMENT: options.rateLimits.management,
    RATE_LIMIT_INGEST: options.rateLimits.ingest,
  };
  return {
    ...config,
    ...quotas,
    ...limits,
    MAX_ENDPOINTS_PER_WORKSPACE: options.maxEndpointsPerWorkspace ?? config.MAX_ENDPOINTS_PER_WORKSPACE,
    MAX_WORKSPACES_PER_USER: options.maxWorkspacesPerUser ?? config.MAX_WORKSPACES_PER_USER,
    MAX_PAYLOAD_BYTES: options.maxPayloadBytes ?? config.MAX_PAYLOAD_BYTES,
    TRUSTED_PROXIES: options.trustedProxies ?? config.TRUSTED_PROXIES,
    ...options.settings,
  };
}

/** Listens on a free port, for tests that need a real connection. */
export function listen(app: Express): Promise<{ url: string; server: Server; close: () => Promise<void> }> {
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const close = () => new Promise<void>((closed) => server.close(() => closed()));
      resolve({ url: `http://127.0.0.1:${port}`, server, close });
    });
  });
}
