import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { newUuid } from '@posthorn/contract/ids';
import { isStandard } from '@posthorn/contract/signature';
import { sealContext } from '@posthorn/crypto/contexts';
import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningKeyPair, publicKeyText } from '@posthorn/crypto/signing-key';
import { newSigningSecret, parseSigningSecret } from '@posthorn/crypto/signing-secret';
import type { DbTransaction } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import { invalid } from '../transport/error.ts';
import { openSealed } from './sealed-values.ts';

/**
 * The given signing secret when it is valid, or a new one when none is given; throws `validation_error`. With custom
 * signature headers it may be any printable text, because receivers already have their secret.
 */
export function chooseSecret(given: string | undefined, config: SignatureConfig | undefined): string {
  if (given === undefined) return newSigningSecret();
  if (parseSigningSecret(given) !== undefined) return given;
  if (isStandard(config?.signature)) {
    throw invalid('secret must be whsec_ and the base64 of 24 to 64 random bytes', 'secret');
  }
  if (!PRINTABLE_SECRET.test(given)) throw invalid('secret must be 8 to 256 printable ASCII characters', 'secret');
  return given;
}

const PRINTABLE_SECRET = /^[\x20-\x7e]{8,256}$/;

/** Throws `validation_error` when the config asks for Standard Webhooks alone, and a live secret is not in their form. */
export function refuseSecretsForStandard(
  { sealingKeys, clock }: { sealingKeys: SealingKeys; clock: Clock },
  { secrets }: { secrets: readonly SecretRow[] },
  config: SignatureConfig,
): void {
  if (!isStandard(config.signature)) return;
  const now = clock.now();
  for (const { id, sealed, expiresAt } of secrets) {
    if (expiresAt !== null && expiresAt <= now) continue;
    const opened = openSealed(sealingKeys, sealed, sealContext.signingSecret(id));
    if (opened !== undefined && parseSigningSecret(opened) === undefined) {
      throw invalid(
        'config.signature needs a secret that is whsec_ and base64: first rotate the secret, with a gracePeriodSeconds of 0',
        'config.signature',
      );
    }
  }
}

/** Stores a signing secret, sealed and bound to its row; with a new key pair where the config asks for one. */
export async function storeSecret(
  transaction: DbTransaction,
  { sealingKeys, clock }: { sealingKeys: SealingKeys; clock: Clock },
  input: { endpointId: string; secret: string; config: SignatureConfig | undefined },
): Promise<void> {
  const id = newUuid(clock.now());
  const sealed = seal(sealingKeys, Buffer.from(input.secret, 'utf8'), sealContext.signingSecret(id));
  await transaction.signingSecret.create({
    data: {
      id,
      endpointId: input.endpointId,
      sealed: new Uint8Array(sealed),
      ...(isAsymmetric(input.config) ? keyPairColumns(sealingKeys, id) : {}),
    },
  });
}

export type SignatureConfig = Pick<EndpointConfig, 'signature'>;

function isAsymmetric(config: SignatureConfig | undefined): boolean {
  return config?.signature === 'standard-ed25519';
}

function keyPairColumns(keys: SealingKeys, secretId: string) {
  const { privateKey, publicKey } = newSigningKeyPair();
  const sealed = seal(keys, privateKey, sealContext.signingKey(secretId));
  return { privateKeySealed: new Uint8Array(sealed), publicKey: new Uint8Array(publicKey) };
}

/** Makes the key pair of the current secret when asymmetric signatures are switched on; one that exists is kept. */
export async function createKeyPair(
  transaction: DbTransaction,
  { sealingKeys }: { sealingKeys: SealingKeys },
  { endpoint, config }: { endpoint: { secrets: readonly SecretRow[] }; config: SignatureConfig },
): Promise<void> {
  const current = endpoint.secrets.find((secret) => secret.expiresAt === null);
  if (!isAsymmetric(config) || current === undefined || current.publicKey !== null) return;
  await transaction.signingSecret.update({ where: { id: current.id }, data: keyPairColumns(sealingKeys, current.id) });
}

type SecretRow = { id: string; sealed: Uint8Array; publicKey: Uint8Array | null; expiresAt: Date | null };

/** The public key of the current secret, for receivers; null without asymmetric signatures. */
export function currentPublicKey(endpoint: { config: unknown; secrets: readonly SecretRow[] }): string | null {
  // The API, the only writer, checked the config against the contract.
  if (!isAsymmetric(endpoint.config as SignatureConfig)) return null;
  const current = endpoint.secrets.find((secret) => secret.expiresAt === null);
  return current?.publicKey ? publicKeyText(current.publicKey) : null;
}

/** The current secret: the one without an end. Null when no configured key opens it. */
export function currentSecret(
  keys: SealingKeys,
  secrets: readonly Pick<SecretRow, 'id' | 'sealed' | 'expiresAt'>[],
): string | null {
  const current = secrets.find((secret) => secret.expiresAt === null);
  if (current === undefined) return null;
  return openSealed(keys, current.sealed, sealContext.signingSecret(current.id)) ?? null;
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
  if (authUsername === null) throw invalid('authUsername is required with authPassword', 'authUsername');
  if (body.authPassword === undefined && before.authUsername === null) {
    throw invalid('authPassword is required with authUsername', 'authPassword');
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
