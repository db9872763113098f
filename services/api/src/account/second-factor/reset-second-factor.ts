import { toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Clock } from '@posthorn/runtime/clock';
import { byOperator } from '../../audit/by-operator.ts';
import { writeEntriesOfUser } from '../../audit/change.ts';

/**
 * Removes the second factor of an account and its recovery codes, for a person who lost them, and ends its sessions: a lost
 * device may hold one. `email` is in lower case. Throws when the email has no account.
 */
export async function resetSecondFactor(db: Db, email: string, clock: Clock) {
  return inTransaction(db, async (transaction) => {
    const [user] = await transaction.$queryRaw<{ id: string }[]>`
      select id from "user" where email = ${email} for no key update`;
    if (user === undefined) throw new Error(`no account has the email ${email}`);
    const where = { userId: user.id };
    const { count: authenticators } = await transaction.authenticator.deleteMany({
      where: { ...where, isConfirmed: true },
    });
    await transaction.authenticator.deleteMany({ where });
    const { count: passkeys } = await transaction.passkey.deleteMany({ where });
    await transaction.passkeySetup.deleteMany({ where });
    const { count: recoveryCodes } = await transaction.recoveryCode.deleteMany({ where });
    await transaction.signInChallenge.deleteMany({ where });
    const { count: sessions } = await transaction.session.deleteMany({ where });
    const resourceId = toId('usr', user.id);
    const changes = {
      authenticator: { from: authenticators > 0 ? '[redacted]' : null, to: null },
      passkeys: { from: passkeys, to: 0 },
    };
    const by = { userId: user.id, ...byOperator(clock) };
    await writeEntriesOfUser(transaction, by, 'member.second_factor_reset', { resourceId, changes });
    return { userId: resourceId, removed: { authenticators, passkeys, recoveryCodes, sessions } };
  });
}
