import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession } from '@posthorn/db/session';
import { freePort } from '@posthorn/testkit/free-port';
import { type ServiceProcess, startService } from '../service-process.ts';
import type { Stack } from '../stack.ts';

/** Starts processes of the bare pipeline. Several of one kind share the work. */
export type Bare = { start: (name: 'api' | 'dispatcher', nodeArgs?: readonly string[]) => Promise<ServiceProcess> };

/**
 * The bare pipeline: the same libraries (Express, Prisma, BullMQ, got) doing the same work without product logic, as an
 * API and a dispatcher process on the same stores. It is the reference for the cost of the product's own logic.
 */
export async function prepareBare(stack: Stack, urls: readonly string[]): Promise<Bare> {
  await makeTables(stack.databaseUrl);
  const settings = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    BARE_PREFIX: `${stack.prefix}_bare`,
    BARE_URLS: urls.join(','),
    BARE_KEY: randomBytes(32).toString('base64'),
    BARE_CA: stack.tls.caPem,
  };
  return {
    async start(name, nodeArgs = []) {
      const port = await freePort();
      const service = await startService({
        name,
        entry: fileURLToPath(new URL(`./${name}.js`, import.meta.url)),
        port,
        settings: { ...settings, PORT: String(port) },
        nodeArgs,
        logFile: join(stack.folder, `bare-${name}-${port}.log`),
      });
      stack.own(service);
      return service;
    },
  };
}

async function makeTables(databaseUrl: string): Promise<void> {
  const client = openSession({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    create table bare_event (id uuid primary key, payload bytea not null);
    create table bare_delivery (id uuid primary key, event_id uuid not null, url text not null, status text not null,
      due_at timestamptz, attempts int not null default 0);
    create index on bare_delivery (due_at) where due_at is not null;
    create table bare_attempt (id uuid primary key, delivery_id uuid not null, status int, duration_ms real, url text, headers json);`);
  await client.end();
}
