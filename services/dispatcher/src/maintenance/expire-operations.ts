import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';

/** Low, because a bulk operation has a part for each endpoint of its workspace, and the parts are deleted with it. */
const BATCH = 20;

/**
 * Deletes ended operations a day after their retention, when every delivery that they could select is gone. Returns
 * their number. Progress notes of an operation are deleted with it. An operation of this age that has not ended, such as
 * one that is paused, has no delivery left to wait for, so it can end without an end of each being noted.
 */
export async function deleteExpiredOperations(db: Db, retentionDays: number, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH && !stopped?.aborted; total += deleted) {
    const rows = await db.$queryRaw<{ id: string }[]>`
      delete from operation where id in (
        select id from operation where ${isOld(retentionDays)} and finished_at is not null
        order by created_at limit ${BATCH}::int for update skip locked)
      returning id`;
    deleted = rows.length;
    await db.operationProgress.deleteMany({ where: { operationId: { in: rows.map((row) => row.id) } } });
  }
  if (!stopped?.aborted) {
    await db.$executeRaw`
      update operation set unended = 0 where id in (
        select id from operation where ${isOld(retentionDays)} and finished_at is null and unended <> 0
        for update skip locked)`;
  }
  return total;
}

function isOld(retentionDays: number): Prisma.Sql {
  return Prisma.sql`created_at < now() - make_interval(days => ${retentionDays + 1}::int)`;
}
