import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { notValid } from '../auth/credential.ts';
import { type newDeviceSession, newSession, SESSION_ENDS_AFTER_MS } from '../auth/session-token.ts';
import { listItems } from '../operation/list-rows.ts';
import { notFound } from '../transport/error.ts';
import { type AccountContext, listContextOf, type SessionContext } from './account-route.ts';
import { hasSecondFactor, type SecondFactorStep } from './second-factor/has-second-factor.ts';

/** The user of a new session: the account, and its password's hash at the time of the check. */
export type CheckedUser = { id: string; passwordHash: string | null };

/**
 * Begins a session and sets its cookie; undefined when the password was changed since the check, or a second factor was
 * added that was not due then.
 */
export async function startSession(ctx: AccountContext, user: CheckedUser, secondFactor: SecondFactorStep) {
  const now = ctx.clock.now();
  const { token, columns } = newSession(now);
  const begun = await inTransaction(ctx.db, async (transaction) => {
    // A password change ends the existing sessions. Either it waits for this insert, or this statement sees the change.
    const same = await transaction.$queryRaw<unknown[]>`
      select 1 from "user" where id = ${user.id}::uuid and password_hash = ${user.passwordHash} for share`;
    if (same.length === 0) return false;
    // The first second factor ends sessions, too, and is added under a lock that this transaction has waited for.
    if (secondFactor === 'not_due' && (await hasSecondFactor(transaction, user.id))) return false;
    await insertSession(transaction, { userId: user.id, ...columns });
    return true;
  });
  if (!begun) return undefined;
  ctx.cookie.set(token, SESSION_ENDS_AFTER_MS);
  return { token, expiresAt: columns.expiresAt.toISOString() };
}

type ByProvider = { id: string; isByProvider: boolean; idTokenSealed: Uint8Array<ArrayBuffer> | null };
type NewSession = { userId: string; createdAt: Date } & Partial<ByProvider> &
  ReturnType<typeof newSession | typeof newDeviceSession>['columns'];

/** Inserts a session of a user whose row is locked. Deletes expired sessions, and the oldest beyond the limit. */
export async function insertSession(transaction: DbTransaction, session: NewSession): Promise<void> {
  const { userId, createdAt: now } = session;
  await transaction.session.deleteMany({
    where: { userId, OR: [{ expiresAt: { lte: now } }, { endsAt: { lte: now } }] },
  });
  // The oldest sessions end, so that a person's list of sessions is bounded.
  await transaction.$executeRaw`
    delete from session where id in (select id from session where user_id = ${userId}::uuid
      order by created_at desc, id desc offset ${LIMITS.sessionsPerUser - 1}::int)`;
  await transaction.session.create({ data: { id: newUuid(now), ...session } });
}

/**
 * Locks the account, and makes sure that the session is still active: `unauthorized` if it has ended. Call it before
 * you add a way to sign in: a first proof of the address ends sessions under the same lock, and leaves nothing that was
 * added before it.
 */
export async function holdSession(
  transaction: DbTransaction,
  { id, user }: { id: string; user: { id: string } },
): Promise<void> {
  await transaction.$queryRaw`select 1 from "user" where id = ${user.id}::uuid for no key update`;
  if ((await transaction.session.count({ where: { id, userId: user.id } })) === 0) throw notValid('session');
}

/** The caller's active sessions, newest first. */
export async function listSessions(ctx: SessionContext, { query }: { query: PageQuery }) {
  const { db, clock, session } = ctx;
  const now = clock.now();
  const rows = await db.session.findMany({
    where: { userId: session.user.id, expiresAt: { gt: now }, endsAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIMITS.sessionsPerUser,
  });
  const page = listItems(listContextOf(ctx), query, {
    name: ['sessions'],
    items: rows,
    keyOf: (row) => `${row.createdAt.toISOString()} ${row.id}`,
    order: 'descending',
  });
  return page.map(({ id, kind, name, createdAt, expiresAt }) => ({
    id: toId('ses', id),
    isCurrent: id === session.id,
    kind,
    name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** Ends one of the caller's sessions at once; it may be the requesting one. */
export async function endSession(ctx: SessionContext, id: string) {
  const uuid = fromId('ses', id);
  if (uuid === undefined) throw notFound('Session');
  const { count } = await ctx.db.session.deleteMany({ where: { id: uuid, userId: ctx.session.user.id } });
  if (count === 0) throw notFound('Session');
  if (uuid === ctx.session.id) ctx.cookie.clear();
  return undefined;
}
