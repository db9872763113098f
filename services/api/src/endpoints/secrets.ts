import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret, parseSigningSecret } from '@posthorn/crypto/signing-secret';
import type { DbTransaction } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import { invalid } from '../http/error.ts';

/** The given signing secret when it is valid, or a new one when none is given; throws `validation_error`. */
export function chooseSecret(given: string | undefined): string {
  if (given === undefined) return newSigningSecret();
  if (parseSigningSecret(given) === undefined) {
    throw invalid('secret must be whsec_ and the base64 of 24 to 64 random bytes');
  }
  return given;
}

/** Stores a signing secret, sealed and bound to its row. */
export async function storeSecret(
  transaction: DbTransaction,
  { sealingKeys, clock }: { sealingKeys: SealingKeys; clock: Pick<Clock, 'now'> },
  input: { endpointId: string; secret: string },
): Promise<void> {
  const id = newUuid(clock.now());
  const sealed = seal(sealingKeys, Buffer.from(input.secret, 'utf8'), sealContext.signingSecret(id));
  await transaction.signingSecret.create({
    data: { id, endpointId: input.endpointId, sealed: new Uint8Array(sealed) },
  });
}

/** The current secret: the one without an end. Null when no configured key opens it. */
export function currentSecret(
  keys: SealingKeys,
  secrets: readonly { id: string; sealed: Uint8Array; expiresAt: Date | null }[],
): string | null {
  const current = secrets.find((secret) => secret.expiresAt === null);
  if (current === undefined) return null;
  const opened = open(keys, current.sealed, sealContext.signingSecret(current.id));
  return opened.kind === 'opened' ? opened.plaintext.toString('utf8') : null;
}

/** Basic credentials: both or neither; null in either clears both (docs/interface.md, Endpoint). */
export type Credentials = { authUsername?: string | null | undefined; authPassword?: string | null | undefined };

export type CredentialChange =
  | { kind: 'unchanged' }
  | { kind: 'cleared' }
  | { kind: 'set'; authUsername: string; authPassword: string | undefined };

/**
 * The change that a body makes to an endpoint's credentials; throws `validation_error` when only one of the two would
 * remain.
 */
export function credentialChange(body: Credentials, before: { authUsername: string | null }): CredentialChange {
  if (body.authUsername === null || body.authPassword === null) return { kind: 'cleared' };
  if (body.authUsername === undefined && body.authPassword === undefined) return { kind: 'unchanged' };
  const authUsername = body.authUsername ?? before.authUsername;
  if (authUsername === null) throw invalid('authUsername is required with authPassword');
  if (body.authPassword === undefined && before.authUsername === null) {
    throw invalid('authPassword is required with authUsername');
  }
  return { kind: 'set', authUsername, authPassword: body.authPassword };
}

/** The change when the endpoint's URL moves to another origin: credentials are kept only when the body gives both. */
export function credentialsForNewOrigin(body: Credentials): CredentialChange {
  const change = credentialChange(body, { authUsername: null });
  return change.kind === 'unchanged' ? { kind: 'cleared' } : change;
}

/** The columns of a credential change. */
export function credentialColumns(keys: SealingKeys, endpointId: string, change: CredentialChange) {
  switch (change.kind) {
    case 'unchanged':
      return {};
    case 'cleared':
      return { authUsername: null, authPasswordSealed: null };
    case 'set': {
      if (change.authPassword === undefined) return { authUsername: change.authUsername };
      const sealed = seal(keys, Buffer.from(change.authPassword, 'utf8'), sealContext.endpointPassword(endpointId));
      return { authUsername: change.authUsername, authPasswordSealed: new Uint8Array(sealed) };
    }
  }
}
