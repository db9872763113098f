import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Target } from '../target.ts';

/**
 * The bare pipeline: the same libraries (Express, Prisma, BullMQ, got) doing the same work without product logic, as
 * an API and a dispatcher process on the same stores. It is the yardstick for what the product's own logic costs.
 */
export async function startBare(target: Target, urls: readonly string[]) {
  await prepareTables(target.databaseUrl);
  const settings = {
    DATABASE_URL: target.databaseUrl,
    REDIS_URL: target.redisUrl,
    BARE_URLS: urls.join(','),
    BARE_KEY: randomBytes(32).toString('base64'),
    BARE_CA: (target.tls as { authority?: string }).authority ?? '',
  };
  const [dispatcher, api] = [run('dispatcher', settings), run('api', settings)];
  await once(dispatcher, 'message');
  const [port] = (await once(api, 'message')) as [number];
  return {
    processes: [
      { name: 'api', pid: api.pid ?? 0 },
      { name: 'dispatcher-1', pid: dispatcher.pid ?? 0 },
    ],
    baseUrl: `http://127.0.0.1:${port}`,
    async stop() {
      for (const child of [api, dispatcher]) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}

function run(name: string, settings: Record<string, string>) {
  const entry = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  return spawn(process.execPath, [entry], {
    env: { ...process.env, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

async function prepareTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    drop table if exists bare_event, bare_delivery, bare_attempt;
    create table bare_event (id uuid primary key, payload bytea not null);
    create table bare_delivery (id uuid primary key, event_id uuid not null, url text not null, status text not null,
      due_at timestamptz, attempts int not null default 0);
    create index on bare_delivery (due_at) where due_at is not null;
    create table bare_attempt (id uuid primary key, delivery_id uuid not null, status int, duration_ms real, url text, headers json);`);
  await client.end();
}
