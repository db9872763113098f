import { type Db, isHanging } from './client.ts';

/**
 * Resolves once Postgres has answered. It has no time limit of its own. Rejects while a statement of this client hangs:
 * a new connection may work, but callers of the old one wait.
 */
export async function pingPostgres(db: Db): Promise<void> {
  if (isHanging(db)) throw new Error('a statement has had no answer for too long');
  await db.$queryRaw`select 1`;
}
