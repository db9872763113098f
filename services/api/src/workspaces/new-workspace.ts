import type { Plan } from '@posthorn/contract/access';
import { newUuid } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';

export type NewWorkspace = { name: string; slug: string; plan: Plan };

/** Inserts a workspace with its first environment: production, the default (docs/interface.md, Workspace). */
export async function insertWorkspace(
  transaction: DbTransaction,
  clock: Pick<Clock, 'now'>,
  { name, slug, plan }: NewWorkspace,
) {
  const workspace = await transaction.workspace.create({ data: { id: newUuid(clock.now()), name, slug, plan } });
  const environment = await transaction.environment.create({
    data: {
      id: newUuid(clock.now()),
      workspaceId: workspace.id,
      name: 'Production',
      slug: 'production',
      isDefault: true,
    },
  });
  return { workspace, environment };
}
