import type { Plan } from '@posthorn/contract/access';
import { newUuid } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';

export type NewWorkspace = {
  name: string;
  slug: string;
  plan: Plan;
  /** The account that creates it; absent when the installation does. */
  createdBy?: string;
  /** The setting of its first environment; off if absent. */
  requireApplication?: boolean | undefined;
};

/** Inserts a workspace with its first environment: production, the default (docs/interface.md, Workspace). */
export async function insertWorkspace(
  transaction: DbTransaction,
  clock: Clock,
  { createdBy, requireApplication = false, ...given }: NewWorkspace,
) {
  const workspace = await transaction.workspace.create({
    data: { id: newUuid(clock.now()), createdBy: createdBy ?? null, ...given },
  });
  const environment = await transaction.environment.create({
    data: {
      id: newUuid(clock.now()),
      workspaceId: workspace.id,
      name: 'Production',
      slug: 'production',
      isDefault: true,
      requireApplication,
    },
  });
  return { workspace, environment };
}
