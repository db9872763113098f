import type { Db } from '@posthorn/db/client';

/**
 * Says in Postgres' log that statements on this database fail from now on because the test takes something away from it.
 * `npm test` fails on wrong statements of any other database. A single statement says it in a comment: see
 * devstack/src/postgres-errors.ts.
 */
export async function failsOnPurpose(db: Db): Promise<void> {
  await db.$executeRaw`do $$ begin raise log '/* fails on purpose */'; end $$`;
}
