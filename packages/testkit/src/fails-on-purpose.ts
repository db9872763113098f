import type { Db } from '@posthorn/db/client';

/**
 * Writes to Postgres' log that statements on this database fail on purpose from now on, because the test breaks it.
 * `npm test` fails when a statement on any other database fails. A single statement can say so in a comment: see
 * devstack/src/postgres-errors.ts.
 */
export async function failsOnPurpose(db: Db): Promise<void> {
  await db.$executeRaw`do $$ begin raise log '/* fails on purpose */'; end $$`;
}
