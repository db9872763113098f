import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ServiceAccount } from './account.ts';
import { GOOGLE } from './describe.ts';

const LIFETIME_SECONDS = 3_600;
/** A token is used at most so long, so that one in an attempt does not end on its way. */
const USED_MS = 3_000_000;

/**
 * Signs the tokens of a service account. Google takes them as they are (https://google.aip.dev/auth/4111), so no token server
 * is asked, and the address in the key file is not used.
 */
export function createTokens(account: ServiceAccount, host: string): () => Promise<string> {
  const key = createPrivateKey(account.private_key);
  // Another server could use a token for Google's.
  const audience = host.endsWith('.googleapis.com') ? GOOGLE.host : host;
  let kept: { token: Promise<string>; atMs: number } | undefined;
  const sign = () =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id })
      .setIssuer(account.client_email)
      .setSubject(account.client_email)
      .setAudience(`https://${audience}/`)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS} s`)
      .sign(key);
  return () => {
    const nowMs = performance.now();
    if (kept === undefined || nowMs - kept.atMs > USED_MS) kept = { token: sign(), atMs: nowMs };
    return kept.token;
  };
}
