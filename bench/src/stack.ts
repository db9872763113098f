import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, testRedis } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { Redis } from 'ioredis';
import { type Measured, readMemory } from './processes.ts';
import type { Context } from './scenario.ts';
import { type ServiceProcess, startService } from './service-process.ts';

const own = fileURLToPath(new URL('../..', import.meta.url));
let measured = own;

/** The checkout that the services are started from. The database always has the schema of the running checkout. */
function measuredCheckout(): string {
  return measured;
}

/** Starts services from another built checkout from now on; `undefined` goes back to the running one. */
export function measureCheckout(folder: string | undefined): void {
  measured = folder ?? own;
}

/** The environment of a scenario: its own database and Redis prefix, and the services that it starts on them. */
export type Stack = SeededWorkspace & {
  databaseUrl: string;
  redis: Redis;
  redisUrl: string;
  /** A folder for logs and profiles, removed with the stack. */
  folder: string;
  prefix: string;
  sealingKeys: string;
  /** The certificate of the receivers; the services trust its authority. */
  tls: { key: string; cert: string; caPem: string };
  /** In the shape of one process, it starts `all`, which is the dispatcher too. */
  startApi: (nodeArgs?: readonly string[]) => Promise<ServiceProcess>;
  startDispatcher: (nodeArgs?: readonly string[], own?: Record<string, string>) => Promise<ServiceProcess>;
  /** Registers another process to be ended with the stack. */
  own: (service: ServiceProcess) => void;
  /** The processes of Postgres and Redis, if this benchmark runs its own. */
  stores: readonly Measured[];
};

/** Runs `work` on a new stack, records the memory of the services still running, and removes the stack. */
export async function withStack<T>(context: Context, work: (stack: Stack) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  const { redisUrl, prefix } = testRedis();
  const redis = new Redis(redisUrl);
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-stack-'));
  const services: ServiceProcess[] = [];
  const others: ServiceProcess[] = [];
  try {
    const seeded = await seedWorkspace(database.db);
    const tls = await receiverCertificate('good');
    const sealingKeys = `bench:${randomBytes(32).toString('base64')}`;
    const { shape } = context;
    const queue: Record<string, string> = shape === 'scaled' ? { REDIS_URL: redisUrl, QUEUE_PREFIX: prefix } : {};
    const settings = { ...sharedSettings({ databaseUrl: database.databaseUrl, sealingKeys }, folder, tls), ...queue };
    const start = async (name: Role['name'], nodeArgs: readonly string[] = [], own = {}) => {
      const service = await startRole({ name, settings: { ...settings, ...own }, nodeArgs, folder });
      services.push(service);
      return service;
    };
    const result = await work({
      ...seeded,
      databaseUrl: database.databaseUrl,
      redis,
      redisUrl,
      folder,
      prefix,
      sealingKeys,
      tls,
      startApi: (nodeArgs) => start(shape === 'one' ? 'all' : 'api', nodeArgs),
      startDispatcher: (nodeArgs, own) => start('dispatcher', nodeArgs, own),
      own: (service) => void others.push(service),
      stores: JSON.parse(process.env.BENCH_STORE_PROCESSES ?? '[]') as Measured[],
    });
    noteMemory(context, services);
    return result;
  } finally {
    await Promise.all([...services, ...others].map((service) => service.end('SIGKILL')));
    await removeKeys({ redis, prefix });
    redis.disconnect();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Connections = { databaseUrl: string; sealingKeys: string };

function sharedSettings(connections: Connections, folder: string, tls: { caPem: string }): Record<string, string> {
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, tls.caPem);
  return {
    DATABASE_URL: connections.databaseUrl,
    SEALING_KEYS: connections.sealingKeys,
    CURSOR_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    // A local server of AWS has no TLS.
    EGRESS_ALLOW_PLAINTEXT: 'true',
    RATE_LIMIT_MANAGEMENT: '0',
    NODE_EXTRA_CA_CERTS: caFile,
  };
}

type Role = {
  name: 'api' | 'dispatcher' | 'all';
  settings: Record<string, string>;
  nodeArgs: readonly string[];
  folder: string;
};

async function startRole({ name, settings, nodeArgs, folder }: Role): Promise<ServiceProcess> {
  const port = await freePort();
  const asked = name === 'dispatcher' ? 'METRICS_PORT' : 'PORT';
  const ports = { PORT: '0', METRICS_PORT: '0', ADMIN_PORT: '0', [asked]: `${port}` };
  const isProfiled = nodeArgs.some((argument) => argument.startsWith('--cpu-prof'));
  return startService({
    name,
    // A profile names the parts of the product by their compiled files, so it needs `dist`.
    entry: join(measuredCheckout(), `services/${name}/${isProfiled ? 'dist' : 'bundle'}/main.js`),
    port,
    settings: { ...settings, ...ports },
    nodeArgs,
    logFile: join(folder, `${name}-${port}.log`),
  });
}

function noteMemory(context: Context, services: readonly ServiceProcess[]): void {
  for (const { name, pid } of services) {
    const memory = readMemory(pid);
    if (memory === undefined) continue;
    context.note({ figure: `${name} resident, after`, value: memory.residentMib, unit: 'MiB' });
    context.note({ figure: `${name} proportional, after`, value: memory.proportionalMib, unit: 'MiB' });
  }
}

/** Removes the keys of the queues. */
export async function removeKeys({ redis, prefix }: Pick<Stack, 'redis' | 'prefix'>): Promise<void> {
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await redis.unlink(keys);
  }
}
