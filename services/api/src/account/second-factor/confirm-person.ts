import { passwordMatches } from '../../auth/password.ts';
import { ApiError, invalid } from '../../transport/error.ts';
import type { SessionContext } from '../account-route.ts';
import { reportFailedLogin } from '../failed-login.ts';

/** Within this time of the sign-in, the person need not give the password again. */
const RECENT_MS = 10 * 60_000;

/**
 * Makes sure that it is the person, and not somebody at an unlocked screen. Without a password, the sign-in must be
 * recent, else `validation_error`. A wrong password is `unauthorized` and counts as a failed login.
 */
export async function confirmPerson(ctx: SessionContext, currentPassword: string | undefined): Promise<void> {
  const { db, clock, loginLimit, origin } = ctx;
  const { kind, createdAt, user } = ctx.session;
  if (currentPassword === undefined) {
    // The login of a device does not show that the person was there.
    if (kind === 'browser' && clock.now().getTime() - createdAt.getTime() < RECENT_MS) return;
    const message = 'currentPassword is required: you signed in more than 10 minutes ago (or sign in again)';
    throw invalid(message, 'currentPassword');
  }
  const matches = await loginLimit.attempt({ account: user.email, address: origin.ip ?? '' }, async () => {
    const { passwordHash } = await db.user.findUniqueOrThrow({
      where: { id: user.id },
      select: { passwordHash: true },
    });
    return (await passwordMatches(passwordHash, currentPassword)) || undefined;
  });
  if (matches !== undefined) return;
  reportFailedLogin(ctx, user);
  throw new ApiError('unauthorized', 'currentPassword is not the password of the account');
}
