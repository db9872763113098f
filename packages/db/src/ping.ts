import type { Db } from './client.ts';

/** Resolves once Postgres has answered. It has no time limit of its own. */
export async function pingPostgres(db: Db): Promise<void> {
  await db.$queryRaw`select 1`;
}
