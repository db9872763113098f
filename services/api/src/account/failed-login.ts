import { newUuid, toId } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import type { UserRecord } from '../auth/session-token.ts';
import type { AccountContext } from './account-route.ts';

/** One audit entry of a workspace stands for all failed logins of its members within this time. */
const ENTRY_EVERY_MS = 60_000;

/**
 * Writes an audit entry for a failed login to every workspace of a known user. For an unknown user it only writes a log
 * line without the name, which may be a password. All of it happens after the answer, so that the time of an answer
 * does not reveal whether the user exists.
 */
export function reportFailedLogin(ctx: AccountContext, user: Pick<UserRecord, 'id' | 'email'> | undefined): void {
  const { logger, origin, passwordTries } = ctx;
  if (user === undefined) logger.warn('a login failed', { requestId: origin.requestId, ip: origin.ip });
  ctx.afterAnswer(async () => {
    if (user !== undefined) await enterFailedLogin(ctx, user);
    await passwordTries.forgetOld();
  });
}

/** One insert for any number of workspaces. */
async function enterFailedLogin(ctx: AccountContext, user: Pick<UserRecord, 'id' | 'email'>): Promise<void> {
  const { db, clock, origin } = ctx;
  const now = clock.now();
  const since = new Date(now.getTime() - ENTRY_EVERY_MS);
  const members = await db.member.findMany({ where: { userId: user.id }, select: { workspaceId: true } });
  if (members.length === 0) return;
  const workspaceIds = members.map(({ workspaceId }) => workspaceId);
  const ids = workspaceIds.map(() => newUuid(now));
  const metadata = JSON.stringify({ changes: {}, ...origin });
  const userId = toId('usr', user.id);
  await inTransaction(db, async (transaction) => {
    // Locked first, so that the insert sees entries that another process has written meanwhile.
    await transaction.$queryRaw`
      select 1 from workspace where id = any(${workspaceIds}::uuid[]) order by id for no key update`;
    await transaction.$executeRaw`
      insert into audit_entry
        (id, workspace_id, actor_type, actor_id, actor_label, action, resource_type, resource_id, metadata, created_at)
      select entry.id, entry.workspace_id, 'user', ${userId}, ${user.email}, 'auth.login_failed', 'session', ${userId},
        ${metadata}::json, ${now}::timestamptz
      from unnest(${ids}::uuid[], ${workspaceIds}::uuid[]) entry(id, workspace_id)
      where not exists (
        select 1 from audit_entry before where before.workspace_id = entry.workspace_id
          and before.created_at > ${since}::timestamptz and before.action = 'auth.login_failed')
      order by entry.workspace_id`;
  });
}
