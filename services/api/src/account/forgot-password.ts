import { canonicalEmail, emailAddress, type forgotPasswordBody } from '@posthorn/contract/accounts';
import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import type { z } from 'zod';
import { writeEntriesOfUser } from '../audit/change.ts';
import { newResetToken } from '../auth/one-time-token.ts';
import { userActor } from '../auth/session-token.ts';
import { passwordResetMail } from '../mail/mails.ts';
import type { AccountContext } from './account-route.ts';

/** The most reset mails to one person within an hour. More would not help, and others may have asked for them. */
const MAILS_AN_HOUR = 3;
const HOUR_MS = 3_600_000;

/**
 * Mails a link that sets a new password, when the address has an account with a password. The answer and its time are
 * the same for every address: the account is looked up afterwards. Each request counts as a failed login under a name
 * of its own (`reset …`). So the limits on logins hold, and nobody is kept from logging in.
 */
export async function sendPasswordReset(ctx: AccountContext, { body }: { body: z.output<typeof forgotPasswordBody> }) {
  const account = canonicalEmail(body.email);
  const attempt = { account: `reset ${account}`, address: ctx.origin.ip ?? '' };
  await ctx.loginLimit.attempt(attempt, async () => undefined);
  ctx.afterAnswer(async () => {
    if (ctx.settings.sendsMail && emailAddress.safeParse(account).success) await mailReset(ctx, account);
    await ctx.passwordTries.forgetOld();
  });
  return undefined;
}

async function mailReset(ctx: AccountContext, email: string): Promise<void> {
  const now = ctx.clock.now();
  const { token, digest, endsAt } = newResetToken(now);
  await inTransaction(ctx.db, async (transaction) => {
    const [user] = await transaction.$queryRaw<{ id: string; email: string; name: string }[]>`
      select id, email, name from "user" where email = ${email} and password_hash is not null for no key update`;
    if (user === undefined || (await hasLinkOfOperator(transaction, user.id, now))) return;
    const since = new Date(now.getTime() - HOUR_MS);
    const resets = { kind: 'password_reset', userId: user.id, createdAt: { gt: since } };
    const sent = await transaction.outgoingMail.count({ where: resets });
    if (sent >= MAILS_AN_HOUR) return;
    await transaction.user.update({
      where: { id: user.id },
      data: { setPasswordDigest: digest, setPasswordTokenEndsAt: endsAt, mailedDigest: digest },
    });
    const content = passwordResetMail({ baseUrl: ctx.settings.baseUrl, token });
    await queueMail(transaction, ctx.sealingKeys, {
      mail: { kind: 'password_reset', userId: user.id, to: user.email, content },
      now,
    });
    const by = { userId: user.id, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
    await writeEntriesOfUser(transaction, by, 'member.reset_token_created', { resourceId: toId('usr', user.id) });
  });
}

/** Anybody may ask for a mail, and a new token voids the former one. So a link from the operator is kept until it ends. */
async function hasLinkOfOperator(transaction: DbTransaction, id: string, now: Date): Promise<boolean> {
  const open = { setPasswordDigest: { not: null }, setPasswordTokenEndsAt: { gt: now } };
  return (await transaction.user.count({ where: { id, ...open, mailedDigest: null } })) > 0;
}
