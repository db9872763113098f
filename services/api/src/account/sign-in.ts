import { toId } from '@posthorn/contract/ids';
import type { UserRecord } from '../auth/session-token.ts';
import type { AccountContext } from './account-route.ts';
import type { SecondFactorStep } from './second-factor/has-second-factor.ts';
import { startSession } from './sessions.ts';

/**
 * Finishes a sign-in: begins a session and remembers the browser. Undefined when the password or the second factor
 * changed since the check. `device` is the id of a browser that is remembered already.
 */
export async function signIn(
  ctx: AccountContext,
  user: UserRecord & { passwordHash: string | null },
  { device, secondFactor }: { device: string | undefined; secondFactor: SecondFactorStep },
) {
  const session = await startSession(ctx, user, secondFactor);
  if (session === undefined) return undefined;
  if (device === undefined) ctx.device.remember(user);
  return { ...session, user: presentUser(user) };
}

export function presentUser(user: UserRecord) {
  return { id: toId('usr', user.id), email: user.email, name: user.name, createdAt: user.createdAt.toISOString() };
}
