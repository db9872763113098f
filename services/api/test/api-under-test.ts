import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { Plan, Scope } from '@posthorn/contract/access';
import { parseCursorKeys } from '@posthorn/crypto/cursor';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { createDb } from '@posthorn/db/client';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { vetUrlAtSave } from '@posthorn/egress/vet-url-at-save';
import type { QueueOptions } from '@posthorn/queue/connection';
import { createLivePublisher, createLiveSubscriber } from '@posthorn/queue/live';
import { createProbes } from '@posthorn/queue/probes';
import { createProducer } from '@posthorn/queue/producer';
import { systemClock } from '@posthorn/runtime/clock';
import { createLogger } from '@posthorn/runtime/logger';
import { startStats } from '@posthorn/stats/start';
import { createTestDatabase, type TestDatabase, testRedis } from '@posthorn/testkit/database';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import type { Express } from 'express';
import { type AppDeps, createApp } from '../src/app.ts';
import { createLastUsed } from '../src/auth/last-used.ts';
import type { Services } from '../src/http/context.ts';
import { createLiveHub } from '../src/live/hub.ts';
import { type ApiMetrics, createMetrics } from '../src/metrics.ts';
import { openPools } from '../src/pools.ts';
import { parsePlanLimits } from '../src/quotas/limits.ts';
import { startQuotas } from '../src/quotas/start-quotas.ts';

export type ApiUnderTest = TestDatabase &
  SeededWorkspace & {
    app: Express;
    services: Services;
    metrics: ApiMetrics;
    /** The Redis of this API, for a stand-in of a dispatcher. */
    redis: QueueOptions;
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
  rateLimits?: AppDeps['rateLimits'];
  maxWorkspacesPerUser?: number;
  quotas?: Services['settings']['quotas'];
  trustedProxies?: number;
  /** The build of the dashboard and the portal; none by default. */
  webFolder?: string;
  /** The database of another API: this one is then its second process. */
  databaseUrl?: string;
  /** The Redis of another API. */
  redis?: ReturnType<typeof testRedis>;
};

/** The API in this process, composed as in `main`, with its own database and Redis prefix. */
export async function startApi(options: ApiOptions = {}): Promise<ApiUnderTest> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : shareDatabase(options.databaseUrl);
  const seeded = await seedWorkspace(database.db, options);
  const pools = openPools({ databaseUrl: database.databaseUrl, onIdleError: () => {} });
  const clock = options.clock ?? systemClock;
  const logLines: string[] = [];
  const logger = createLogger({ service: 'api', level: 'debug', write: (line) => logLines.push(line) });
  const redis = { ...(options.redis ?? testRedis()), onError: () => {} };
  const producer = createProducer({ ...redis, monotonicMs: systemClock.monotonicMs });
  const publisher = createLivePublisher(redis);
  const live = createLiveHub({
    db: pools.lists,
    connect: (given) => createLiveSubscriber({ ...redis, ...given }),
    onError: () => {},
  });
  const probes = createProbes(redis);
  const lastUsed = createLastUsed(pools.management, logger);
  const rules = parseAllowedCidrs('127.0.0.0/8');
  const lookup = createLookup({ rules, resolve: createResolveName({ budgetMs: 2_000 }), clock });
  const stats = startStats({ db: pools.management, clock, logger, onDropped: () => {} });
  const metrics = createMetrics();
  const quotas = startQuotas({
    db: pools.management,
    clock,
    logger,
    retentionDays: 7,
    onRefused: (quota) => metrics.quotaRefusals.inc({ quota }),
  });
  const services: Services = {
    db: pools.management,
    listDb: pools.lists,
    readLists: undefined,
    sealingKeys: parseSealingKeys(`test:${randomBytes(32).toString('base64')}`),
    cursorKeys: parseCursorKeys(`test:${randomBytes(32).toString('base64')}`),
    clock,
    vetUrl: (url) => vetUrlAtSave(url, { rules, lookup }),
    probes,
    enqueue: () => {},
    stats: stats.gatherer,
    live: { ...publisher, open: live.open },
    settings: {
      defaultPlan: 'enterprise',
      retentionDays: 7,
      baseUrl: 'http://localhost:3000',
      maxEndpointsPerWorkspace: options.maxEndpointsPerWorkspace ?? 5_000,
      maxWorkspacesPerUser: options.maxWorkspacesPerUser ?? 50,
      maxPayloadBytes: options.maxPayloadBytes ?? 262_144,
      queueBoardUrl: 'http://127.0.0.1:9465',
      quotas: options.quotas ?? { eventsPerDay: parsePlanLimits('0'), bytesKept: parsePlanLimits('0') },
    },
  };
  const app = createApp({
    services,
    ingestionDb: pools.ingestion,
    producer,
    lastUsed,
    logger,
    quiet: logger,
    metrics,
    quotas,
    rateLimits: options.rateLimits ?? { management: 100, ingest: 0 },
    trustedProxies: options.trustedProxies ?? 0,
    webFolder: options.webFolder ?? 'none',
  });
  return {
    ...database,
    ...seeded,
    app,
    services,
    metrics,
    redis,
    logLines,
    base: `/management/v1/workspaces/${seeded.workspaceId}`,
    seedAnother: (another) => seedWorkspace(database.db, another),
    async stop() {
      await live.close();
      await publisher.close();
      await stats.stop();
      await quotas.stop();
      await lastUsed.stop();
      await producer.close();
      await probes.close();
      await pools.close();
      await database.drop();
    },
  };
}

function shareDatabase(databaseUrl: string): TestDatabase {
  const db = createDb({ databaseUrl, maxConnections: 5, onIdleError: () => {} });
  return { databaseUrl, db, drop: () => db.$disconnect() };
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
