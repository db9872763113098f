import { createPrivateKey, type KeyObject, webcrypto } from 'node:crypto';
import { atMost } from '@posthorn/runtime/at-most';
import { basicCredentials } from '@posthorn/runtime/basic-credentials';
import type { Clock } from '@posthorn/runtime/clock';
import { withDeadline } from '@posthorn/runtime/deadline';
import { LRUCache } from 'lru-cache';
import * as oauth from 'oauth4webapi';
import { type SendFailure, timedOut } from '../failure.ts';
import type { OAuth2, Place, Tools, WebResult } from '../kind.ts';
import { redacting } from '../redact.ts';
import type { WebSender } from './send.ts';

/** An endpoint with OAuth 2. */
export type AuthorisedPlace = Pick<Place, 'endpointId' | 'revision' | 'credentials'> & { oauth2: OAuth2 };

/**
 * `secrets` has the values that were sent to the token endpoint. They must never show, even if the other side repeats
 * them.
 */
export type TokenResult = { secrets: readonly string[] } & (
  | { kind: 'token'; token: string; endsInSeconds: number }
  | { kind: 'failed'; failure: SendFailure; answer: Answered | null }
  | { kind: 'aborted' }
);

/** The token endpoint's answer, without secrets. */
type Answered = { status: number; body: Buffer; truncated: boolean };

export type Tokens = {
  /** The endpoint's token, from the cache or from the token endpoint, which gets one request at a time. */
  of(place: AuthorisedPlace, timeoutMs: number): Promise<TokenResult>;
  /** Forgets a token that the receiver refused. */
  forget(place: AuthorisedPlace, token: string): void;
};

/** A token is not used shortly before it expires, because it must still be valid when the request arrives. */
const RESERVE_MS = 30_000;
/** The lifetime of a token without `expires_in`. */
const UNKNOWN_SECONDS = 3_600;
const MAX_KEPT = 10_000;
/** The most bytes of the token endpoint's answer that an attempt shows. */
const SHOWN_BYTES = 1_024;

type Kept = {
  revision: string;
  asked: Promise<Asked>;
  /** The time at which the attempt asked, and how much time it had left. */
  startedMs: number;
  timeoutMs: number;
  untilMs: number;
  token: string | undefined;
};

type Asked =
  | { kind: 'token'; token: string; endsAtMs: number; secrets: readonly string[] }
  | Exclude<TokenResult, { kind: 'token' }>;

export type TokensOptions = { send: WebSender['send']; clock: Clock; onTokenRequest: Tools['onTokenRequest'] };

/** Gets tokens with the client credentials grant, and caches them for each revision of an endpoint. */
export function createTokens({ send, clock, onTokenRequest = () => {} }: TokensOptions): Tokens {
  const kept = new LRUCache<string, Kept>(atMost(MAX_KEPT));

  const begin = (place: AuthorisedPlace, timeoutMs: number): Kept => {
    const startedMs = clock.monotonicMs();
    const asked = askFor(place, { send, clock, timeoutMs });
    const { revision } = place;
    const one: Kept = { revision, asked, startedMs, timeoutMs, untilMs: Number.POSITIVE_INFINITY, token: undefined };
    kept.set(place.endpointId, one);
    const settle = (result: Asked | undefined) => {
      onTokenRequest(result?.kind ?? 'failed');
      one.untilMs = result?.kind === 'token' ? result.endsAtMs - RESERVE_MS : Number.NEGATIVE_INFINITY;
      one.token = result?.kind === 'token' ? result.token : undefined;
    };
    asked.then(settle, () => settle(undefined));
    return one;
  };

  const of = async (place: AuthorisedPlace, timeoutMs: number): Promise<TokenResult> => {
    const startedMs = clock.monotonicMs();
    const present = kept.get(place.endpointId);
    const isGood = present !== undefined && present.revision === place.revision && present.untilMs > startedMs;
    const one = isGood ? present : begin(place, timeoutMs);
    // Another attempt's token request is running, and may have more time.
    if (isGood && one.token === undefined && !(await withDeadline(one.asked, timeoutMs))) return late(timeoutMs);
    const result = await one.asked;
    const leftMs = Math.round(startedMs + timeoutMs - clock.monotonicMs());
    if (isGood && result.kind === 'failed' && hadFarLess(one, timeoutMs) && leftMs >= 1) return of(place, leftMs);
    if (result.kind !== 'token') return result;
    const { kind, token, secrets } = result;
    return {
      kind,
      token,
      secrets,
      endsInSeconds: Math.round((result.endsAtMs - clock.monotonicMs()) / 1_000),
    };
  };

  /**
   * Whether the attempt that asked ran out of time and had far less of it than this one. Then the token endpoint may be
   * healthy.
   */
  const hadFarLess = (one: Kept, timeoutMs: number) =>
    one.timeoutMs < timeoutMs / 2 && clock.monotonicMs() - one.startedMs > one.timeoutMs - 10;

  return {
    of,
    forget({ endpointId }, token) {
      if (kept.get(endpointId)?.token === token) kept.delete(endpointId);
    },
  };
}

/**
 * The characters of a token that a header can carry. Real servers issue tokens with more characters than RFC 6750
 * allows.
 */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
/** Token types that need a signature for each request. Every other type, and none, counts as a bearer token. */
const OTHER_TYPES = ['dpop', 'mac'];

type AskOptions = { send: WebSender['send']; clock: Clock; timeoutMs: number };

async function askFor(place: AuthorisedPlace, { send, clock, timeoutMs }: AskOptions): Promise<Asked> {
  const { oauth2 } = place;
  const { tokenUrl: issuer, clientId: client_id } = oauth2;
  // As the issuer, the token endpoint is the audience of an assertion.
  const server = { issuer, token_endpoint: issuer };
  const startedMs = clock.monotonicMs();
  let secrets: readonly string[] = [];
  let sent: WebResult | undefined;
  try {
    await oauth.clientCredentialsGrantRequest(
      server,
      { client_id },
      await authenticating(place),
      parametersOf(oauth2),
      {
        async [oauth.customFetch](url, { headers, body }) {
          secrets = secretsIn(place, headers, body);
          sent = await send({ url, headers, body: Buffer.from(String(body)), timeoutMs });
          // The library only makes the request. Its own check of the answer would follow the RFC too strictly.
          return new Response(null);
        },
      },
    );
  } catch {
    // Nothing in the library can fail after the request, so the request was not made.
    return unusable('the request could not be made with these credentials', secrets);
  }
  if (sent === undefined) return unusable('the request could not be made with these credentials', secrets);
  const found = sent.kind === 'response' && isSuccess(sent) ? tokenIn(sent.body) : '';
  if (typeof found === 'string') return failedBy(sent, { secrets, why: found });
  return { kind: 'token', token: found.token, endsAtMs: startedMs + 1_000 * found.seconds, secrets };
}

function isSuccess({ status }: { status: number }): boolean {
  return status >= 200 && status < 300;
}

/** The token in an answer, or why it has no usable token. Members that are not needed may have any form. */
function tokenIn(body: Buffer): { token: string; seconds: number } | string {
  const answer = objectIn(body);
  const { access_token: token, token_type: type, expires_in: seconds } = answer ?? {};
  if (typeof token !== 'string') return 'it is not a JSON object with an access_token';
  if (!TOKEN.test(token)) return 'the token is too long, or has characters that no header may have';
  if (typeof type === 'string' && OTHER_TYPES.includes(type.toLowerCase())) return `its token_type is ${type}`;
  const given = typeof seconds === 'string' && seconds.trim() !== '' ? Number(seconds) : seconds;
  const isUsable = typeof given === 'number' && Number.isFinite(given) && given > 0;
  return { token, seconds: isUsable ? given : UNKNOWN_SECONDS };
}

function objectIn(body: Buffer): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(body));
    const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
    return isObject ? (answer as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function parametersOf({ scopes = [], audience, extraParams = {} }: OAuth2): Record<string, string> {
  return {
    ...extraParams,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(audience === undefined ? {} : { audience }),
  };
}

async function authenticating({ oauth2, credentials }: AuthorisedPlace): Promise<oauth.ClientAuth> {
  const { clientId } = oauth2;
  const { oauth2ClientSecret = '', oauth2PrivateKey = '' } = credentials;
  if (oauth2.authMethod === 'post') return oauth.ClientSecretPost(oauth2ClientSecret);
  if (oauth2.authMethod !== 'private_key_jwt') {
    return (_server, _client, _body, headers) =>
      headers.set('authorization', basicCredentials(clientId, oauth2ClientSecret));
  }
  const key = createPrivateKey(oauth2PrivateKey);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const imported = await webcrypto.subtle.importKey('pkcs8', der, algorithmOf(key), false, ['sign']);
  return oauth.PrivateKeyJwt(imported, {
    [oauth.modifyAssertion](header) {
      // EdDSA is the name that servers know from before RFC 9864.
      if (header.alg === 'Ed25519') header.alg = 'EdDSA';
    },
  });
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };
  return { name: 'ECDSA', namedCurve: curves[asymmetricKeyDetails?.namedCurve ?? ''] ?? '' };
}

/** The secrets in the request to the token endpoint, in each form that they have there. */
function secretsIn(
  { credentials }: AuthorisedPlace,
  headers: Record<string, string>,
  body: string | URLSearchParams | undefined | null | ArrayBuffer | Uint8Array,
): string[] {
  const basic = headers.authorization?.slice('Basic '.length);
  const pair = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString('latin1');
  const assertion = body instanceof URLSearchParams ? body.get('client_assertion') : undefined;
  return [credentials.oauth2ClientSecret, basic, pair, pair?.slice(pair.indexOf(':') + 1), assertion].filter(
    (secret) => typeof secret === 'string',
  );
}

function failedBy(sent: WebResult, { secrets, why }: { secrets: readonly string[]; why: string }): Asked {
  if (sent.kind === 'aborted') return { kind: 'aborted', secrets };
  if (sent.kind === 'error') {
    // A fault of the operator's proxy is not a fault of the endpoint.
    const isOurs = sent.errorCode === 'proxy_error';
    const failure: SendFailure = isOurs
      ? { errorCode: 'proxy_error', message: sent.message }
      : { errorCode: 'oauth2_failed', message: `The token endpoint gave no answer: ${sent.message}` };
    return { kind: 'failed', failure, answer: null, secrets };
  }
  const redact = redacting(secrets);
  const told = isSuccess(sent) ? withoutTokens(sent) : sent;
  const body = (redact?.body(told) ?? told.body).subarray(0, SHOWN_BYTES);
  const answer = { status: sent.status, body, truncated: told.truncated || told.body.length > SHOWN_BYTES };
  if (isSuccess(sent)) return unusable(why, secrets, answer);
  const code = errorIn(sent.body);
  const said = code === undefined ? '' : `: ${redact?.text(code) ?? code}`;
  const message = `The token endpoint answered ${sent.status}${said}`;
  return { kind: 'failed', failure: { errorCode: 'oauth2_failed', message }, answer, secrets };
}

function unusable(why: string, secrets: readonly string[], answer: Answered | null = null): Asked {
  const message = `The token endpoint gave no token that can be used: ${why}`;
  return { kind: 'failed', failure: { errorCode: 'oauth2_failed', message }, answer, secrets };
}

function late(timeoutMs: number): TokenResult {
  const { message } = timedOut('No complete answer', timeoutMs);
  const failure: SendFailure = {
    errorCode: 'oauth2_failed',
    message: `The token endpoint gave no answer: ${message}`,
  };
  return { kind: 'failed', failure, answer: null, secrets: [] };
}

/** The keys of RFC 6749, sections 5.1 and 5.2, that never hold a token. */
const OPEN_KEYS = ['error', 'error_description', 'error_uri', 'token_type', 'expires_in', 'scope'];
const PAGE = /^\s{0,100}<(?:!doctype html|html)[\s>]/i;

/** The answer may have a token under any name, so only an HTML page and the known keys of a JSON object are shown. */
function withoutTokens({ body, truncated }: Omit<Answered, 'status'>): Omit<Answered, 'status'> {
  const text = body.toString('utf8');
  if (PAGE.test(text)) return { body, truncated };
  return { body: Buffer.from(withoutValues(body)), truncated: false };
}

function withoutValues(body: Buffer): string {
  const answer = objectIn(body);
  if (answer === undefined) return '';
  const kept = Object.entries(answer).map(([key, value]: [string, unknown]) => {
    const isOpen = OPEN_KEYS.includes(key) && typeof value !== 'object';
    return [key, isOpen ? value : '[redacted]'];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

/** The form of error codes in RFC 6749 and its extensions. */
const ERROR_CODE = /^[a-z0-9_]{1,64}$/;

function errorIn(body: Buffer): string | undefined {
  const code = objectIn(body)?.error;
  return typeof code === 'string' && ERROR_CODE.test(code) ? code : undefined;
}
