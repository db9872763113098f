import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import { writeEntriesOfUser } from '../audit/change.ts';
import { userActor } from '../auth/session-token.ts';
import { accessEndedMail, type StayingCredential } from '../mail/mails.ts';
import { ApiError } from '../transport/error.ts';
import type { AccountContext, SessionContext } from './account-route.ts';
import { isUnproven, unproven } from './unproven.ts';
import { endWaysIn } from './ways-in.ts';

type Person = { id: string; email: string };

/**
 * Records that the person has proved the account's address: with the link of a mail, or by a sign-in at a provider that
 * has verified the address (`keeps`). Before that, whoever made the account may have added ways to sign in to it. So
 * the first proof ends them all, and a mail says what has ended, and which credentials and memberships stay. The person
 * has not agreed to the earlier memberships, so they bring no alerts; accounts that the operator made are exempt from
 * this. Further proofs change nothing.
 */
export async function proveAddress(
  ctx: AccountContext,
  transaction: DbTransaction,
  { user, keeps }: { user: Person; keeps?: { issuer: string; subject: string } },
): Promise<void> {
  if (!(await lockUnproven(transaction, user.id))) return;
  const now = ctx.clock.now();
  const { isByOperator } = await transaction.user.update({ where: { id: user.id }, data: { addressProvenAt: now } });
  if (!isByOperator) {
    const where = { userId: user.id, alertsStoppedAt: null };
    await transaction.member.updateMany({ where, data: { alertsStoppedAt: now } });
  }
  await endAccess(ctx, transaction, { user, action: 'member.address_proven', by: 'proof', ...(keeps && { keeps }) });
}

/**
 * Call it when a link of the operator sets the password or begins a session. That proves no address, but nobody else
 * keeps a way to sign in. A sign-in link also ends the password, because nobody typed it in, and changes nothing of an
 * account that the operator made.
 */
export async function endUnprovenAccess(
  ctx: AccountContext,
  transaction: DbTransaction,
  { user, by }: { user: Person; by: 'password_link' | 'sign_in_link' },
): Promise<void> {
  if (!(await lockUnproven(transaction, user.id))) return;
  if (by === 'sign_in_link') {
    const { count } = await transaction.user.updateMany({
      where: { id: user.id, isByOperator: false },
      data: { passwordHash: null },
    });
    if (count === 0) return;
  }
  await endAccess(ctx, transaction, { user, action: 'member.access_ended', by });
}

/** `forbidden` while nobody has proved the address although a mail could, unless the operator made the account. */
export async function requireProofForSecondFactor({ db, settings, session }: SessionContext): Promise<void> {
  if (!(await isUnproven(settings, db, [session.user.id]))) return;
  throw new ApiError('forbidden', unproven(session.user.email, settings.passwordLogin));
}

async function lockUnproven(transaction: DbTransaction, userId: string): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    select 1 from "user" where id = ${userId}::uuid and address_proven_at is null for no key update`;
  return rows.length > 0;
}

type Ending = {
  user: Person;
  action: 'member.address_proven' | 'member.access_ended';
  by: 'proof' | 'password_link' | 'sign_in_link';
  keeps?: Identity;
};
type Identity = { issuer: string; subject: string };

async function endAccess(ctx: AccountContext, transaction: DbTransaction, { user, action, by: cause, keeps }: Ending) {
  const ended = await endWaysIn(transaction, user, keeps);
  const changes = Object.fromEntries(Object.entries(ended).map(([what, from]) => [what, { from, to: 0 }]));
  const by = { userId: user.id, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
  await writeEntriesOfUser(transaction, by, action, { resourceId: toId('usr', user.id), changes });
  if (!ctx.settings.sendsMail) return;
  const content = accessEndedMail({
    baseUrl: ctx.settings.baseUrl,
    by: cause,
    ended,
    staying: await readStaying(transaction, user.id),
    memberships: await readMemberships(transaction, user.id),
  });
  const mail = { kind: 'access_ended' as const, userId: user.id, to: user.email, content };
  await queueMail(transaction, ctx.sealingKeys, { mail, now: ctx.clock.now() });
}

/**
 * The names of the person's first workspaces, and how many there are. Whoever made the account may have made the person
 * a member.
 */
async function readMemberships(transaction: DbTransaction, userId: string) {
  const members = await transaction.member.findMany({
    where: { userId },
    orderBy: { workspaceId: 'asc' },
    take: NAMED,
    select: { role: true, workspace: { select: { name: true } } },
  });
  const named = members.map(({ role, workspace }) => ({ role, workspaceName: workspace.name }));
  return { named, count: await transaction.member.count({ where: { userId } }) };
}

/** The most workspaces, and the most credentials, that the mail names. */
const NAMED = 20;

/**
 * The working credentials that stay: management tokens that the account has made, and API keys of the workspaces in
 * which it may make keys. Names the first ones, and counts all.
 */
async function readStaying(
  transaction: DbTransaction,
  userId: string,
): Promise<{ named: StayingCredential[]; count: number }> {
  const rows = await transaction.$queryRaw<(StayingCredential & { count: number })[]>`
    with staying as (
      select 0 as place, 'Management token' as kind, t.id, t.name, t.preview, w.name as "workspaceName"
      from management_token t join workspace w on w.id = t.workspace_id
      where t.created_by = ${userId}::uuid and not t.is_disabled and (t.expires_at is null or t.expires_at > now())
      union all
      select 1, 'API key', k.id, k.name, k.preview, w.name
      from member m join workspace w on w.id = m.workspace_id join environment v on v.workspace_id = w.id
      join api_key k on k.environment_id = v.id
      where m.user_id = ${userId}::uuid and m.role in ('admin', 'owner')
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    )
    select kind, name, preview, "workspaceName", (count(*) over ())::int as count from staying order by place, id
    limit ${NAMED}::int`;
  return {
    named: rows.map(({ kind, name, preview, workspaceName }) => ({ kind, name, preview, workspaceName })),
    count: rows[0]?.count ?? 0,
  };
}
