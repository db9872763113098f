import { isIP } from 'node:net';
import { toId } from '@posthorn/contract/ids';
import type { passkeyResponse } from '@posthorn/contract/second-factor';
import { isLocalUrl } from '@posthorn/runtime/local-url';
import { parseUrl } from '@posthorn/runtime/parse-url';
import type { VerifyAuthenticationResponseOpts, VerifyRegistrationResponseOpts } from '@simplewebauthn/server';
import type { z } from 'zod';
import { ApiError } from '../../transport/error.ts';

// The protocol between browsers and passkeys (WebAuthn level 3), without the database.

/** Loaded when a passkey is used: the library and its certificate parsers would be a tenth of the code that a start reads. */
const library = () => import('@simplewebauthn/server');

/** A browser's response. Its shape is checked, but its content is not trusted. */
export type PasskeyResponse = z.output<typeof passkeyResponse>;

export type StoredPasskey = {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  transports: string[];
};

/** The algorithms that passkeys use today (COSE): EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];
/** The person has given the password, so a passkey only has to prove that the person is there. */
const PRESENCE_ONLY = { requireUserVerification: false };

/**
 * The site to which a passkey belongs. Browsers have no passkeys for IP addresses. So a loopback address becomes
 * `localhost`, where the same pages answer, and any other address is `forbidden`.
 */
function siteOf(baseUrl: string) {
  const url = new URL(baseUrl);
  if (isIP(url.hostname.replace('[', '').replace(']', '')) !== 0) {
    if (!isLocalUrl(baseUrl)) {
      throw new ApiError('forbidden', 'Passkeys need a host name, and BASE_URL of this installation has none');
    }
    url.hostname = 'localhost';
  }
  return { expectedRPID: url.hostname, expectedOrigin: url.origin };
}

/**
 * The site that the page of this response must have. On a local machine, pages may have another port than the API, such
 * as those that Vite serves. That is fine, because a passkey belongs to a host.
 */
function siteFor(baseUrl: string, response: PasskeyResponse) {
  const site = siteOf(baseUrl);
  const given = isLocalUrl(baseUrl) ? originIn(response.response.clientDataJSON) : undefined;
  const isSameHost = given !== undefined && new URL(given).hostname === site.expectedRPID;
  return isSameHost ? { ...site, expectedOrigin: given } : site;
}

function originIn(clientDataJson: string): string | undefined {
  try {
    const { origin } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
    return typeof origin === 'string' && parseUrl(origin) ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** The options for `navigator.credentials.create`. They exclude the passkeys that the person already has. */
export async function creationOptions(
  baseUrl: string,
  user: { id: string; email: string; name: string },
  existing: readonly StoredPasskey[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Posthorn',
    rpID: siteOf(baseUrl).expectedRPID,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    timeout: 300_000,
    attestationType: 'none',
    excludeCredentials: existing.map(described),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** The options for `navigator.credentials.get`: one of these passkeys is to sign a new challenge. */
export async function requestOptions(baseUrl: string, passkeys: readonly StoredPasskey[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: siteOf(baseUrl).expectedRPID,
    timeout: 300_000,
    allowCredentials: passkeys.map(described),
    userVerification: 'discouraged',
  });
}

/** The new passkey, if it signed this challenge for this site; undefined for any other response. */
export async function verifiedCreation(
  baseUrl: string,
  response: PasskeyResponse,
  expectedChallenge: string,
): Promise<StoredPasskey | undefined> {
  const given = {
    ...{ ...siteFor(baseUrl, response), expectedChallenge, response, supportedAlgorithmIDs: ALGORITHMS },
    ...PRESENCE_ONLY,
  };
  const { verifyRegistrationResponse } = await library();
  // The library parses the response, which anybody may have written, and throws for what it cannot read.
  const verified = await verifyRegistrationResponse(given as VerifyRegistrationResponseOpts).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const transports = (response.response.transports ?? []).filter((one) => TRANSPORTS.has(one));
  return { credentialId: id, publicKey: new Uint8Array(publicKey), counter: BigInt(counter), transports };
}

/** The new counter of the passkey, if it signed this challenge for this site; undefined for any other response. */
export async function verifiedAssertion(
  baseUrl: string,
  {
    passkey,
    response,
    expectedChallenge,
  }: {
    passkey: StoredPasskey;
    response: PasskeyResponse;
    expectedChallenge: string;
  },
): Promise<bigint | undefined> {
  const credential = { id: passkey.credentialId, publicKey: passkey.publicKey, counter: Number(passkey.counter) };
  const given = { ...siteFor(baseUrl, response), expectedChallenge, response, credential, ...PRESENCE_ONLY };
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse(given as VerifyAuthenticationResponseOpts).catch(() => undefined);
  return verified?.verified ? BigInt(verified.authenticationInfo.newCounter) : undefined;
}

const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

function described({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, transports };
}

type PasskeyRow = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

export function presentPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow) {
  return {
    id: toId('psk', id),
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
