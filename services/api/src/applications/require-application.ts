import { externalId } from '@posthorn/contract/applications';
import { fromId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';
import { notFound } from '../transport/error.ts';

/**
 * The application by `app_…` or by `ext:` and its externalId; `not_found` when it is missing, deleted or another
 * workspace's.
 */
export async function requireApplication(
  ctx: Pick<WorkspaceContext, 'workspace' | 'bounds'>,
  db: Pick<Db | DbTransaction, 'application'>,
  reference: string,
) {
  const which = keyOfApplication(reference);
  const { applicationId: only } = ctx.bounds;
  const within = only === undefined ? {} : { id: only };
  const row =
    which === undefined
      ? null
      : await db.application.findFirst({
          where: { AND: [which, within], workspaceId: ctx.workspace.id, deletedAt: null },
        });
  if (row === null) throw notFound('Application');
  return row;
}

/** Locks the application until the transaction ends, so that nothing is added to one that is being deleted. */
export async function holdApplication(transaction: DbTransaction, applicationId: string): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    select 1 from application where id = ${applicationId}::uuid and deleted_at is null for share`;
  if (rows.length === 0) throw notFound('Application');
}

/**
 * Undefined for a reference that no application can have: Postgres refuses some texts, so malformed ones are not looked
 * up.
 */
export function keyOfApplication(reference: string): { externalId: string } | { id: string } | undefined {
  if (reference.startsWith('ext:')) {
    const given = externalId.safeParse(reference.slice('ext:'.length));
    return given.success ? { externalId: given.data } : undefined;
  }
  const id = fromId('app', reference);
  return id === undefined ? undefined : { id };
}
