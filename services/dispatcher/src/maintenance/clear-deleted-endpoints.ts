import { chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';

/** The most subscriptions in one statement, which takes some tens of milliseconds. */
const PAGE = 5_000;

/**
 * Deletes what deleted endpoints have left: their subscriptions, in pages, then their secrets and pull keys. A deletion
 * itself only marks its endpoints, because an application may have hundreds of thousands of subscriptions. Owners of
 * workspaces take turns. Continues until nothing is left or it is stopped, and returns the number of cleared endpoints.
 * Concurrent calls are safe: an endpoint that another process is clearing is skipped.
 */
export async function clearDeletedEndpoints(db: Db, stopped?: AbortSignal): Promise<number> {
  let cleared = 0;
  while (!stopped?.aborted) {
    const page = await clearPage(db);
    if (page === 'nothing_left') break;
    if (page === 'cleared') cleared += 1;
  }
  return cleared;
}

function clearPage(db: Db): Promise<'nothing_left' | 'more' | 'cleared'> {
  return inTransaction(db, async (transaction) => {
    const [endpoint] = await transaction.$queryRaw<{ id: string }[]>`
      with recursive ${chosenInTurns('endpoint', { ofOwner: 1, most: 1 })} select id from chosen`;
    if (endpoint === undefined) return 'nothing_left';
    const { id } = endpoint;
    const deleted = await transaction.$executeRaw`delete from subscription where ctid = any(array(
      select ctid from subscription where endpoint_id = ${id}::uuid limit ${PAGE}::int))`;
    if (deleted === PAGE) return 'more';
    await transaction.signingSecret.deleteMany({ where: { endpointId: id } });
    await transaction.pullKey.deleteMany({ where: { endpointId: id } });
    await transaction.$executeRaw`update endpoint set cleared_at = now(), secret_headers = '{}', credentials = '{}', auth_username = null,
      auth_password_sealed = null where id = ${id}::uuid`;
    return 'cleared';
  });
}
