import type { DbTransaction } from '@posthorn/db/client';

/**
 * Locks the workspace's row until the transaction ends. Changes that count or compare its rows (the limit of
 * environments, the one default, the last owner) then run one after another. Inserts that only reference it do not
 * wait.
 */
export async function lockWorkspace(transaction: DbTransaction, workspaceId: string): Promise<void> {
  await transaction.$queryRaw`select 1 from workspace where id = ${workspaceId}::uuid for no key update`;
}
