import { type Db, isHanging } from './client.ts';

/**
 * Resolves once Postgres has answered; it has no time limit of its own. Rejects while a statement of this client hangs:
 * a new connection may well work, but what waits for the old one does not.
 */
export async function pingPostgres(db: Db): Promise<void> {
  if (isHanging(db)) throw new Error('a statement has had no answer for too long');
  await db.$queryRaw`select 1`;
}
