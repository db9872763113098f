import { toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Clock } from '@posthorn/runtime/clock';
import { byOperator } from '../audit/by-operator.ts';
import { writeEntriesOfUser, writeEntry } from '../audit/change.ts';
import { newResetToken } from '../auth/one-time-token.ts';
import { renewInvitation } from '../members/invitations.ts';

// Recovery of access by the operator.

/**
 * A token that sets the account's password without the old one, once, within a day. An earlier token becomes void.
 * `email` is in lower case. Throws when the email has no account.
 */
export async function createResetToken(db: Db, email: string, clock: Clock) {
  const { token, digest, endsAt } = newResetToken(clock.now());
  return inTransaction(db, async (transaction) => {
    const [user] = await transaction.user.updateManyAndReturn({
      where: { email },
      data: { setPasswordDigest: digest, setPasswordTokenEndsAt: endsAt, mailedDigest: null },
      select: { id: true },
    });
    if (user === undefined) throw new Error(`no account has the email ${email}`);
    const entry = { resourceId: toId('usr', user.id) };
    await writeEntriesOfUser(
      transaction,
      { userId: user.id, ...byOperator(clock) },
      'member.reset_token_created',
      entry,
    );
    return { userId: toId('usr', user.id), setPasswordToken: token, expiresAt: endsAt.toISOString() };
  });
}

/**
 * A new token for an invitation that was not accepted in time, above all for the first owner, whom no member can invite
 * again. Throws when the workspace has no such invitation.
 */
export async function reinviteByOperator(
  db: Db,
  { slug, email, clock }: { slug: string; email: string; clock: Clock },
) {
  return inTransaction(db, async (transaction) => {
    const invitation = await transaction.invitation.findFirst({ where: { email, workspace: { slug } } });
    if (invitation === null) throw new Error(`the workspace ${slug} has no invitation for ${email} that is open`);
    const { id, workspaceId } = invitation;
    const setPasswordToken = await renewInvitation(transaction, id, { now: clock.now(), isMailed: false });
    const changes = { setPasswordToken: { from: '[redacted]', to: '[redacted]' } };
    const entry = { resourceId: toId('usr', id), changes };
    await writeEntry(transaction, { workspaceId, ...byOperator(clock) }, 'member.reinvited', entry);
    return { workspaceId: toId('ws', workspaceId), userId: toId('usr', id), setPasswordToken };
  });
}
