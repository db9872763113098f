import { randomUUID } from 'node:crypto';
import { createDb, type Db } from '@posthorn/db/client';
import pg from 'pg';

export type TestDatabase = { databaseUrl: string; db: Db; drop: () => Promise<void> };

/** A migrated database of the test file's own, cloned from the template that `npm test` has made. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = fromEnvironment('TEST_TEMPLATE_DATABASE');
  const server = fromEnvironment('TEST_DATABASE_URL');
  await onServer(server, `create database "${name}" template "${template}"`);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const db = createDb({ databaseUrl, maxConnections: 5, onIdleError: () => {} });
  return {
    databaseUrl,
    db,
    async drop() {
      await db.$disconnect();
      await onServer(server, `drop database "${name}" with (force)`);
    },
  };
}

/** The Redis of the test run, and a prefix of the test file's own. */
export function testRedis(): { redisUrl: string; prefix: string } {
  return { redisUrl: fromEnvironment('TEST_REDIS_URL'), prefix: `test_${randomUUID().slice(0, 8)}` };
}

async function onServer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run the tests with \`npm test\`, also single ones (npm test -- PATH)`);
  return value;
}
