import { isSecret, signatureOf } from '../../client/webhook-signature.ts';
import { bodyVariants } from './variants.ts';

/** One step of the check, in the order in which a receiver takes it. */
export type Check = { name: string; outcome: 'pass' | 'fail' | 'skipped'; said: string };

export type VerifierInput = {
  headers: ReadonlyMap<string, string>;
  body: string;
  secret: string;
  /** The secrets of the customer's other endpoints, by their address. */
  otherSecrets: ReadonlyMap<string, string>;
  /** When the request was received, in milliseconds. */
  receivedAtMs: number;
};

const NEEDED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const TOLERANCE_SECONDS = 300;

/** Says which part of a signed request fails, and why. Everything is computed here; nothing is sent. */
export async function verify(input: VerifierInput): Promise<Check[]> {
  const missing = NEEDED.filter((name) => !input.headers.get(name));
  const headers: Check =
    missing.length === 0
      ? pass('Headers', 'webhook-id, webhook-timestamp and webhook-signature are there.')
      : fail('Headers', `Missing: ${missing.join(', ')}. A proxy or framework in front may have dropped it.`);
  return [headers, timestampCheck(input), secretCheck(input.secret), await signatureCheck(input, missing)];
}

function timestampCheck({ headers, receivedAtMs }: VerifierInput): Check {
  const text = headers.get('webhook-timestamp');
  if (!text) return skipped('Timestamp', 'There is no webhook-timestamp.');
  const sent = Number(text);
  if (!Number.isInteger(sent) || sent <= 0) return fail('Timestamp', 'webhook-timestamp is no number of seconds.');
  const age = Math.round(receivedAtMs / 1_000) - sent;
  if (age > TOLERANCE_SECONDS) {
    return fail('Timestamp', `Too old: signed ${age} s before it was received; a receiver allows 300 s.`);
  }
  if (age < -TOLERANCE_SECONDS) {
    return fail('Timestamp', `In the future by ${-age} s. Check the clock of your server.`);
  }
  return pass('Timestamp', `Signed ${Math.abs(age)} s ${age < 0 ? 'after' : 'before'} it was received.`);
}

function secretCheck(secret: string): Check {
  if (secret === '') return skipped('Secret', 'No secret was given.');
  if (!isSecret(secret)) {
    return fail('Secret', 'A secret is whsec_ followed by base64. Copy it whole from the endpoint’s page.');
  }
  return pass('Secret', 'It has the form of a secret.');
}

async function signatureCheck(input: VerifierInput, missing: readonly string[]): Promise<Check> {
  if (missing.length > 0 || !isSecret(input.secret)) {
    return skipped('Signature', 'It is checked when the headers and the secret are there.');
  }
  const given = (input.headers.get('webhook-signature') ?? '').split(' ').filter((one) => one.startsWith('v1,'));
  if (given.length === 0) {
    return fail('Signature', 'webhook-signature has no entry that begins with v1, so no secret can verify it.');
  }
  const [id = '', timestamp = ''] = NEEDED.map((name) => input.headers.get(name));
  const matches = async (secret: string, body: string) =>
    given.includes(`v1,${await signatureOf(secret, { id, timestamp, body: new TextEncoder().encode(body) })}`);
  if (await matches(input.secret, input.body))
    return pass('Signature', 'The secret has signed this id, time and body.');
  for (const { body, said, isPasting } of bodyVariants(input.body)) {
    if (await matches(input.secret, body)) return isPasting ? pass('Signature', said) : fail('Signature', said);
  }
  return wrongSecret(input, matches);
}

async function wrongSecret(
  { otherSecrets, body }: VerifierInput,
  matches: (secret: string, body: string) => Promise<boolean>,
): Promise<Check> {
  for (const [url, secret] of otherSecrets) {
    if (isSecret(secret) && (await matches(secret, body))) {
      return fail('Signature', `Wrong secret: the request was signed with that of ${url}.`);
    }
  }
  return fail(
    'Signature',
    'Wrong secret, or the body was altered. Compare the secret with the endpoint’s page, and verify the bytes as they came, before anything parses them.',
  );
}

const pass = (name: string, said: string): Check => ({ name, outcome: 'pass', said });
const fail = (name: string, said: string): Check => ({ name, outcome: 'fail', said });
const skipped = (name: string, said: string): Check => ({ name, outcome: 'skipped', said });
