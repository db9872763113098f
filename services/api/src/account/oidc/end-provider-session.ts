import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import type { SessionContext } from '../account-route.ts';
import { logout } from '../login.ts';

/** Ends the session, and answers the address that ends the provider's own session; null when there is none. */
export async function logoutOidc(ctx: SessionContext) {
  const { db, provider, sealingKeys, session } = ctx;
  const row = await db.session.findUnique({
    where: { id: session.id },
    select: { isByProvider: true, idTokenSealed: true },
  });
  await logout(ctx);
  if (row === null || !row.isByProvider || provider === undefined) return { url: null };
  const opened = row.idTokenSealed && open(sealingKeys, row.idTokenSealed, sealContext.idToken(session.id));
  const idToken = opened?.kind === 'opened' ? opened.plaintext.toString() : undefined;
  return { url: (await provider.endSession(idToken))?.href ?? null };
}
