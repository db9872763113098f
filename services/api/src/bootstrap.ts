import type { Plan } from '@posthorn/contract/access';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Clock } from '@posthorn/runtime/clock';
import { hashPassword } from './auth/password.ts';
import { insertFounding } from './workspaces/found-workspace.ts';

export type Bootstrap = {
  plan: Plan;
  clock: Clock;
  /** The owner of the first workspace; both values or neither. */
  login: { email: string; password: string } | undefined;
  managementToken: string | undefined;
  apiKey: string | undefined;
};

/**
 * Creates the first workspace with its user, token and key when the database has none, even when many processes start
 * at once; otherwise does nothing. Returns whether it created one.
 */
export async function bootstrap(db: Db, { plan, clock, login, managementToken, apiKey }: Bootstrap): Promise<boolean> {
  const owner = login && {
    email: login.email.toLowerCase(),
    passwordHash: await hashPassword(login.password),
  };
  return inTransaction(db, async (transaction) => {
    await transaction.$queryRaw`select 1 from (select pg_advisory_xact_lock(7061727471)) as locked`;
    if ((await transaction.workspace.count()) > 0) return false;
    const workspace = { name: 'Default', slug: 'default', plan };
    await insertFounding(transaction, { by: 'bootstrap', clock, workspace, owner, managementToken, apiKey });
    return true;
  });
}
