import { newUuid, toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { uniqueViolation } from '@posthorn/db/violations';
import { writeEntriesOfUser } from '../../audit/change.ts';
import { type UserRecord, userActor } from '../../auth/session-token.ts';
import type { AccountContext } from '../account-route.ts';
import { proveAddress } from '../prove-address.ts';
import { unproven } from '../unproven.ts';
import type { Identity } from './identity.ts';
import type { OidcSettings } from './oidc-settings.ts';

export type FoundAccount =
  | { kind: 'account'; user: UserRecord }
  /** `user` is set when the refusal concerns a known account. */
  | { kind: 'refused'; reason: string; user: UserRecord | undefined };

type Input = {
  identity: Identity;
  provider: Pick<OidcSettings, 'name' | 'autoCreate'>;
  /** The session of the person who connects an account; null for a sign-in. */
  sessionId: string | null;
};

const shown = { id: true, email: true, name: true, createdAt: true } as const;

/**
 * Finds the account of a person of the provider, by issuer and subject. The first time, it connects one: the account of
 * the session that asked for it, the account with the same address if that has no password, or a new one. If the
 * address that the provider has verified is the account's own, this proves it.
 */
export async function findAccount(ctx: AccountContext, input: Input): Promise<FoundAccount> {
  return find(ctx, input).catch((error: unknown) => {
    if (uniqueViolation(error) === undefined) throw error;
    // Another sign-in has connected the account or the person meanwhile: this one finds it.
    return find(ctx, input);
  });
}

function find(ctx: AccountContext, input: Input): Promise<FoundAccount> {
  return inTransaction(ctx.db, async (transaction) => {
    const { issuer, subject, email } = input.identity;
    // When two first sign-ins run at the same time, the second one finds the account that the first has made.
    await transaction.$queryRaw`select pg_advisory_xact_lock(hashtextextended(${`oidc ${email}`}, 0))::text`;
    const known = await transaction.identity.findUnique({
      where: { issuer_subject: { issuer, subject } },
      select: { user: { select: shown } },
    });
    const found =
      input.sessionId !== null
        ? await connect(ctx, transaction, input, input.sessionId, known?.user)
        : known === null
          ? await join(ctx, transaction, input)
          : ({ kind: 'account', user: known.user } as const);
    if (found.kind === 'refused') return found;
    const { user } = found;
    if (email === user.email) await proveAddress(ctx, transaction, { user, keeps: { issuer, subject } });
    if (known === null) await keep(ctx, transaction, input, user);
    else await transaction.identity.update({ where: { issuer_subject: { issuer, subject } }, data: { email } });
    return found;
  });
}

/** Connects the account of a live session. Both are read under the account's lock: a first proof ends sessions. */
async function connect(
  ctx: AccountContext,
  transaction: DbTransaction,
  { identity, provider }: Input,
  sessionId: string,
  known: UserRecord | undefined,
): Promise<FoundAccount> {
  const now = ctx.clock.now();
  await transaction.$queryRaw`
    select 1 from "user" where id = (select user_id from session where id = ${sessionId}::uuid) for no key update`;
  const session = await transaction.session.findUnique({
    where: { id: sessionId, expiresAt: { gt: now }, endsAt: { gt: now } },
    select: { user: { select: shown } },
  });
  if (session === null) return refused('The session that asked for it has ended: log in again');
  const { user } = session;
  if (known !== undefined && known.id !== user.id) {
    return refused(`Another account is connected with this person of ${provider.name}`, user);
  }
  if (known !== undefined) return { kind: 'account', user };
  if (await isUnproven(transaction, user.id)) {
    // The provider proves the address, and that ends what was connected before.
    if (identity.email === user.email) return { kind: 'account', user };
    // Otherwise somebody who made the account in advance would keep a way to sign in to it.
    const { sendsMail, passwordLogin } = ctx.settings;
    const how = unproven(user.email, sendsMail && passwordLogin);
    return refused(`${how}. ${provider.name} knows you as ${identity.email}`, user);
  }
  if (await isConnected(transaction, user.id, identity.issuer)) {
    return refused(`Your account is connected with another person of ${provider.name}`, user);
  }
  return { kind: 'account', user };
}

async function isUnproven(transaction: DbTransaction, userId: string): Promise<boolean> {
  return (await transaction.user.count({ where: { id: userId, addressProvenAt: null } })) > 0;
}

async function join(
  ctx: AccountContext,
  transaction: DbTransaction,
  { identity, provider }: Input,
): Promise<FoundAccount> {
  const { email, name, issuer } = identity;
  const user = await transaction.user.findUnique({ where: { email }, select: { ...shown, passwordHash: true } });
  if (user === null) {
    const now = ctx.clock.now();
    const invited = await transaction.invitation.count({ where: { email, tokenEndsAt: { gt: now } } });
    if (!provider.autoCreate && invited === 0) {
      return refused(`${email} has no account here: ask an owner of your workspace for an invitation`);
    }
    const id = newUuid(now);
    return {
      kind: 'account',
      user: await transaction.user.create({
        data: { id, email, name, createdAt: now, addressProvenAt: now },
        select: shown,
      }),
    };
  }
  if (user.passwordHash !== null) {
    const first = ctx.settings.passwordLogin ? 'log in with it' : 'ask the operator for a link that signs you in';
    const how = `${first}, and connect ${provider.name} on your account page`;
    return refused(`The account of ${email} has a password: ${how}`, user);
  }
  // The provider has given the address to another person since.
  if (await isConnected(transaction, user.id, issuer)) {
    return refused(`The account of ${email} belongs to another person of ${provider.name}`, user);
  }
  return { kind: 'account', user };
}

async function isConnected(transaction: DbTransaction, userId: string, issuer: string): Promise<boolean> {
  return (await transaction.identity.count({ where: { userId, issuer } })) > 0;
}

async function keep(ctx: AccountContext, transaction: DbTransaction, { identity }: Input, user: UserRecord) {
  const { issuer, subject, email } = identity;
  await transaction.identity.create({ data: { issuer, subject, email, userId: user.id, createdAt: ctx.clock.now() } });
  const by = { userId: user.id, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
  const changes = { identity: { from: null, to: `${issuer} ${subject}` } };
  await writeEntriesOfUser(transaction, by, 'member.identity_connected', { resourceId: toId('usr', user.id), changes });
}

function refused(reason: string, user?: UserRecord): FoundAccount {
  return { kind: 'refused', reason, user };
}
