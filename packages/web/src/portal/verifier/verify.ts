import { isPublicKey, isSecret, isSignedFor, signatureOf } from '../../client/webhook-signature.ts';
import { t } from '../../language/language.ts';
import { bodyVariants } from './variants.ts';

/** One step of the check. The steps have the order in which a receiver takes them. */
export type Check = { name: string; outcome: 'pass' | 'fail' | 'skipped'; said: string };

export type VerifierInput = {
  headers: ReadonlyMap<string, string>;
  body: string;
  /** The receiver's key: a secret (for `v1`) or a public key (`whpk_…`, for `v1a`). */
  secret: string;
  /** The secrets and public keys of the customer's endpoints, each with the endpoint's address. */
  otherSecrets: ReadonlyMap<string, string>;
  /** The time at which the request was received, in milliseconds. */
  receivedAtMs: number;
};

const NEEDED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const TOLERANCE_SECONDS = 300;

/** Finds which part of a signed request fails, and why. All of it is computed here; nothing is sent. */
export async function verify(input: VerifierInput): Promise<Check[]> {
  const missing = NEEDED.filter((name) => !input.headers.get(name));
  const headers: Check =
    missing.length === 0
      ? pass(t('Headers'), t('webhook-id, webhook-timestamp and webhook-signature are there.'))
      : fail(
          t('Headers'),
          t('Missing: {names}. A proxy or framework in front may have dropped it.', { names: missing.join(', ') }),
        );
  return [headers, timestampCheck(input), secretCheck(input.secret), await signatureCheck(input, missing)];
}

function timestampCheck({ headers, receivedAtMs }: VerifierInput): Check {
  const text = headers.get('webhook-timestamp');
  if (!text) return skipped(t('Timestamp'), t('There is no webhook-timestamp.'));
  const sent = Number(text);
  if (!Number.isInteger(sent) || sent <= 0)
    return fail(t('Timestamp'), t('webhook-timestamp is not a number of seconds.'));
  const age = Math.round(receivedAtMs / 1_000) - sent;
  if (age > TOLERANCE_SECONDS) {
    return fail(t('Timestamp'), t('Too old: signed {age} s before it was received; a receiver allows 300 s.', { age }));
  }
  if (age < -TOLERANCE_SECONDS) {
    return fail(
      t('Timestamp'),
      t('Signed {seconds} s in the future. Check the clock of your server.', { seconds: -age }),
    );
  }
  return pass(
    t('Timestamp'),
    age < 0
      ? t('Signed {seconds} s after it was received.', { seconds: -age })
      : t('Signed {seconds} s before it was received.', { seconds: age }),
  );
}

function secretCheck(secret: string): Check {
  const name = nameOf(secret);
  if (secret === '') return skipped(name, t('No secret and no public key was given.'));
  if (isPublicKey(secret)) return pass(name, t('It has the form of a public key: the v1a signatures are checked.'));
  if (isHmacKey(secret)) return pass(name, t('It has the form of a secret: the v1 signatures are checked.'));
  return fail(
    name,
    secret.startsWith('whpk_')
      ? t('A public key is whpk_ followed by the base64 of 32 bytes. Copy it whole from the endpoint’s page.')
      : t(
          'A secret is whsec_ followed by base64, or another text of 8 to 256 characters. Copy it whole from the endpoint’s page.',
        ),
  );
}

/** A signature scheme: which entries of webhook-signature belong to it, and how a key checks them. */
type Scheme = {
  version: 'v1' | 'v1a';
  isKey: (text: string) => boolean;
  matches: (key: string, given: readonly string[], content: Content) => Promise<boolean>;
};

type Content = { id: string; timestamp: string; body: Uint8Array };

const HMAC: Scheme = {
  version: 'v1',
  isKey: isHmacKey,
  matches: async (key, given, content) => given.includes(await signatureOf(key, content)),
};

const ED25519: Scheme = { version: 'v1a', isKey: isPublicKey, matches: isSignedFor };

async function signatureCheck(input: VerifierInput, missing: readonly string[]): Promise<Check> {
  const { secret, headers, body } = input;
  const scheme = [HMAC, ED25519].find(({ isKey }) => isKey(secret));
  if (missing.length > 0 || scheme === undefined) {
    return skipped(t('Signature'), t('It is checked when the headers and the secret or the public key are there.'));
  }
  const prefix = `${scheme.version},`;
  const given = (headers.get('webhook-signature') ?? '')
    .split(' ')
    .flatMap((one) => (one.startsWith(prefix) ? [one.slice(prefix.length)] : []));
  if (given.length === 0) return noEntry(scheme);
  const [id = '', timestamp = ''] = NEEDED.map((name) => headers.get(name));
  const matches: Matches = (key, text) =>
    scheme.matches(key, given, { id, timestamp, body: new TextEncoder().encode(text) });
  try {
    if (await matches(secret, body)) {
      return pass(
        t('Signature'),
        t('{secret} and signature belong together: this id, time and body were signed.', { secret: nameOf(secret) }),
      );
    }
    return await whyNot(input, scheme, matches);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotSupportedError') throw error;
    return skipped(
      t('Signature'),
      t('This browser does not support Ed25519. Use a newer one, or check with the secret.'),
    );
  }
}

type Matches = (key: string, body: string) => Promise<boolean>;

function noEntry({ version }: Scheme): Check {
  const said = t('webhook-signature has no entry that begins with {version}, so nothing verifies it.', { version });
  if (version === 'v1') return fail(t('Signature'), said);
  const advice = t('Switch Ed25519 on in the endpoint’s settings, or check with the secret.');
  return fail(t('Signature'), `${said} ${advice}`);
}

async function whyNot({ secret, otherSecrets, body }: VerifierInput, scheme: Scheme, matches: Matches): Promise<Check> {
  for (const { body: variant, said, isPasting } of bodyVariants(body)) {
    if (await matches(secret, variant)) return isPasting ? pass(t('Signature'), said) : fail(t('Signature'), said);
  }
  const kind = kindOf(secret);
  for (const [other, url] of otherSecrets) {
    if (scheme.isKey(other) && (await matches(other, body))) {
      return fail(t('Signature'), t(`Wrong ${kind}: the request was signed with the one of {url}.`, { url }));
    }
  }
  return fail(
    t('Signature'),
    kind === 'secret'
      ? t(
          'Wrong secret, or the body was altered. Compare the secret with the endpoint’s page, and verify the bytes as they came, before anything parses them.',
        )
      : t(
          'Wrong public key, or the body was altered. Compare the public key with the endpoint’s page, and verify the bytes as they came, before anything parses them.',
        ),
  );
}

/**
 * True for a complete `whsec_…` secret, and for any other text of 8 to 256 characters. An endpoint with another
 * service's kind of signature may have any text as its secret.
 */
function isHmacKey(text: string): boolean {
  const isOther = !text.startsWith('whsec_') && !text.startsWith('whpk_');
  return isSecret(text) || (isOther && text.length >= 8 && text.length <= 256);
}

function nameOf(secret: string): string {
  return kindOf(secret) === 'public key' ? t('Public key') : t('Secret');
}

function kindOf(secret: string): 'public key' | 'secret' {
  return secret.startsWith('whpk_') ? 'public key' : 'secret';
}

const pass = (name: string, said: string): Check => ({ name, outcome: 'pass', said });
const fail = (name: string, said: string): Check => ({ name, outcome: 'fail', said });
const skipped = (name: string, said: string): Check => ({ name, outcome: 'skipped', said });
