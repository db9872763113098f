import type { Db, DbTransaction } from '@posthorn/db/client';
import type { SealedSearchKey } from './tokens.ts';

/** The search keys of a workspace, the current one first. Empty until one of its event types has a search key. */
export async function readSearchKeys(
  db: Pick<Db | DbTransaction, 'workspaceSearchKey'>,
  workspaceId: string,
): Promise<SealedSearchKey[]> {
  const orderBy = { replacedAt: { sort: 'desc', nulls: 'first' } } as const;
  return db.workspaceSearchKey.findMany({ where: { workspaceId }, orderBy, select: { id: true, sealed: true } });
}
