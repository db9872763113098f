import { type Plan, SCOPES } from '@posthorn/contract/access';
import { newUuid } from '@posthorn/contract/ids';
import { digestToken, tokenPreview } from '@posthorn/crypto/token';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { hashPassword } from './auth/password.ts';
import { insertWorkspace } from './workspaces/new-workspace.ts';

export type Bootstrap = {
  plan: Plan;
  /** Owner of the first workspace; both or neither. */
  login: { email: string; password: string } | undefined;
  managementToken: string | undefined;
  apiKey: string | undefined;
};

/**
 * Makes the first workspace with its user, token and key while the database has none, however many processes start at
 * once; does nothing afterwards. Answers whether it made one.
 */
export async function bootstrap(db: Db, { plan, login, managementToken, apiKey }: Bootstrap): Promise<boolean> {
  const passwordHash = login === undefined ? undefined : await hashPassword(login.password);
  return inTransaction(db, async (transaction) => {
    await transaction.$queryRaw`select 1 from (select pg_advisory_xact_lock(7061727471)) as locked`;
    if ((await transaction.workspace.count()) > 0) return false;
    const { workspace, environment } = await insertWorkspace(transaction, { name: 'Default', slug: 'default', plan });
    if (login !== undefined && passwordHash !== undefined) {
      await insertOwner(transaction, workspace.id, { email: login.email.toLowerCase(), passwordHash });
    }
    if (managementToken !== undefined) {
      await transaction.managementToken.create({
        data: { ...credential(managementToken), workspaceId: workspace.id, scopes: [...SCOPES] },
      });
    }
    if (apiKey !== undefined) {
      await transaction.apiKey.create({ data: { ...credential(apiKey), environmentId: environment.id } });
    }
    return true;
  });
}

async function insertOwner(
  transaction: DbTransaction,
  workspaceId: string,
  user: { email: string; passwordHash: string },
): Promise<void> {
  const name = user.email.split('@')[0] ?? user.email;
  const { id: userId } = await transaction.user.create({ data: { id: newUuid(), name, ...user } });
  await transaction.member.create({ data: { workspaceId, userId, role: 'owner' } });
}

function credential(token: string) {
  return { id: newUuid(), name: 'Bootstrap', digest: digestToken(token), preview: tokenPreview(token) };
}
