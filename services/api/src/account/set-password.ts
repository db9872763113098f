import type { setPasswordBody } from '@posthorn/contract/accounts';
import { toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { writeEntry } from '../audit/change.ts';
import { hashPassword } from '../auth/password.ts';
import { userActor } from '../auth/session-token.ts';
import { ApiError } from '../http/error.ts';
import type { AccountContext } from './account-route.ts';

/** Sets the password that the token is for, once; `unauthorized` for one that is unknown, used or expired. */
export async function setPassword(ctx: AccountContext, body: z.output<typeof setPasswordBody>) {
  const { db, origin, clock } = ctx;
  const unused = { setPasswordDigest: digestToken(body.token), setPasswordTokenEndsAt: { gt: ctx.clock.now() } };
  if ((await db.user.count({ where: unused })) === 0) throw refused();
  const passwordHash = await hashPassword(body.password);
  await inTransaction(db, async (transaction) => {
    const [user] = await transaction.user.updateManyAndReturn({
      where: unused,
      data: { passwordHash, setPasswordDigest: null, setPasswordTokenEndsAt: null },
      select: { id: true, email: true },
    });
    // Another request has used it meanwhile.
    if (user === undefined) throw refused();
    await transaction.session.deleteMany({ where: { userId: user.id } });
    const members = await transaction.member.findMany({ where: { userId: user.id }, select: { workspaceId: true } });
    for (const { workspaceId } of members) {
      const entry = { resourceId: toId('usr', user.id), changes: { password: { from: null, to: '[redacted]' } } };
      await writeEntry(
        transaction,
        { workspaceId, actor: userActor(user), origin, clock },
        'member.password_set',
        entry,
      );
    }
  });
  return undefined;
}

function refused(): ApiError {
  return new ApiError('unauthorized', 'This token is unknown, used or expired');
}
