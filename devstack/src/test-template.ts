import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { migrate } from '@posthorn/db/migrate';
import { openSession } from '@posthorn/db/session';
import { makeDatabase } from './postgres.ts';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';

const DROP_BY_MS = 20_000;

/**
 * Makes a migrated database that each test file clones, and returns its name. It allows no connections, because a
 * connected database cannot be cloned. On a given server it gets a unique name and is dropped at the end.
 */
export async function makeTestTemplate(run: Run, postgresUrl: string, isOurs: boolean): Promise<string> {
  const name = isOurs ? 'posthorn_template' : `posthorn_template_${randomUUID().slice(0, 8)}`;
  const databaseUrl = await makeDatabase(postgresUrl, name);
  if (!isOurs) {
    const drop = () => query(postgresUrl, [`alter database ${name} is_template false`, `drop database ${name}`]);
    run.onStop({ name: 'test template', hurryAfterMs: DROP_BY_MS, stop: drop });
  }
  await migrate({ databaseUrl, migrationsDirectory: join(projectRoot, 'prisma/migrations') });
  await query(postgresUrl, [`alter database ${name} is_template true allow_connections false`]);
  return name;
}

async function query(url: string, statements: string[]): Promise<void> {
  const client = openSession({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
