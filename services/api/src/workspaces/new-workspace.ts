import type { Plan } from '@posthorn/contract/access';
import { newUuid } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';

export type NewWorkspace = { name: string; slug: string; plan: Plan };

/** Inserts a workspace with its first environment: production, the default (interface §2). */
export async function insertWorkspace(transaction: DbTransaction, { name, slug, plan }: NewWorkspace) {
  const workspace = await transaction.workspace.create({ data: { id: newUuid(), name, slug, plan } });
  const environment = await transaction.environment.create({
    data: { id: newUuid(), workspaceId: workspace.id, name: 'Production', slug: 'production', isDefault: true },
  });
  return { workspace, environment };
}
