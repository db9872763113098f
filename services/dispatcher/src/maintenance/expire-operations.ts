import type { Db } from '@posthorn/db/client';

/** Low, because a bulk operation has a part for each endpoint of its workspace, and the parts are deleted with it. */
const BATCH = 20;

/**
 * Deletes operations a day after their retention, when every delivery that they could select is gone. Returns their
 * number. Progress notes of an operation are deleted with it. An erasure that has not ended stays, because it has more
 * to erase than deliveries, such as the audit log.
 */
export async function deleteExpiredOperations(db: Db, retentionDays: number, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH && !stopped?.aborted; total += deleted) {
    const rows = await db.$queryRaw<{ id: string }[]>`
      delete from operation where id in (
        select id from operation where created_at < now() - make_interval(days => ${retentionDays + 1}::int)
          and (type <> 'erasure' or finished_at is not null)
        order by created_at limit ${BATCH}::int for update skip locked)
      returning id`;
    deleted = rows.length;
    await db.operationProgress.deleteMany({ where: { operationId: { in: rows.map((row) => row.id) } } });
  }
  return total;
}
