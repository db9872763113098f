import { createHmac } from 'node:crypto';
import type { Clock } from '@posthorn/runtime/clock';
import * as oidc from 'openid-client';
import { boundedFetch, fetchIdToken } from './bounded-fetch.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** The values that bind a sign-in to a browser. All are derived from a secret that only the browser has. */
type SignInKeys = { state: string; nonce: string; verifier: string };

export type Finished =
  | { kind: 'signed_in'; claims: Readonly<Record<string, unknown>>; idToken: string | undefined }
  /** The provider or the person has refused the sign-in. */
  | { kind: 'denied'; code: string }
  | { kind: 'invalid'; reason: string }
  | Away;

/**
 * `unreachable`: the provider does not answer. `misnamed`: its description names another issuer than the setting, often
 * one with a slash at its end.
 */
export type Away = { kind: 'unreachable'; reason: string } | { kind: 'misnamed'; set: string; named: string };

export type Begun = { kind: 'begun'; url: URL } | Away;

export type Provider = {
  settings: OidcSettings;
  /** Answers the address of the provider's sign-in page. Never throws. */
  begin: (secret: string) => Promise<Begun>;
  /** Verifies the provider's answer, which is the query of the page, and exchanges its code. Never throws. */
  finish: (secret: string, query: string) => Promise<Finished>;
  /** The address that ends the provider's own session; undefined when it offers no such page, or does not answer. */
  endSession: (idToken: string | undefined) => Promise<URL | undefined>;
};

const DEADLINE_SECONDS = 10;
const CLOCK_SKEW_SECONDS = 60;
/** The provider's description is read again after this time. Its keys are read again when one is not known. */
const DESCRIPTION_MS = 3_600_000;
/**
 * The library reads the keys again for an unknown key only if its copy is at least this old. So cached keys are handed
 * to it as if they were this old: a provider that rotates its keys then keeps nobody out.
 */
const KEYS_SETTLE_SECONDS = 60;

export function createProvider(
  settings: OidcSettings,
  { clock, baseUrl }: { clock: Clock; baseUrl: string },
): Provider {
  const redirectUri = `${baseUrl}/oidc/callback`;
  const description = createCache(clock, () => discover(settings));
  let keys: oidc.ExportedJWKSCache | undefined;
  /** A new one for each use: the library reads keys again only in a configuration that has not read any itself. */
  const configuration = async () => configure(settings, await description());
  return {
    settings,
    async begin(secret) {
      let found: oidc.Configuration;
      try {
        found = await configuration();
      } catch (error) {
        const { issuer } = settings;
        return readMisnamed(error, issuer) ?? { kind: 'unreachable', reason: reasonOf(error) };
      }
      const { state, nonce, verifier } = keysOf(secret);
      const url = oidc.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { kind: 'begun', url };
    },
    async finish(secret, query) {
      try {
        const found = await configuration();
        const given = keys && { ...keys, uat: keys.uat - KEYS_SETTLE_SECONDS };
        if (given !== undefined) oidc.setJwksCache(found, given);
        const { state, nonce, verifier } = keysOf(secret);
        const url = new URL(redirectUri);
        url.search = query;
        const tokens = await oidc.authorizationCodeGrant(found, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const read = oidc.getJwksCache(found);
        if (read !== undefined && read.uat !== given?.uat) keys = read;
        return { kind: 'signed_in', claims: { ...tokens.claims() }, idToken: tokens.id_token };
      } catch (error) {
        return readMisnamed(error, settings.issuer) ?? explain(error);
      }
    },
    async endSession(idToken) {
      const found = await configuration().catch(() => undefined);
      if (found?.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(found, {
        post_logout_redirect_uri: `${baseUrl}/login`,
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      });
    },
  };
}

async function discover(settings: OidcSettings): Promise<oidc.ServerMetadata> {
  const { issuer, clientId, clientSecret } = settings;
  const found = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute: isPlain(settings) ? [oidc.allowInsecureRequests] : [],
    timeout: DEADLINE_SECONDS,
    [oidc.customFetch]: boundedFetch,
  });
  return found.serverMetadata();
}

function configure(settings: OidcSettings, server: oidc.ServerMetadata): oidc.Configuration {
  const { clientId, clientSecret } = settings;
  const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
  const authentication = takesPost ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
  const metadata = { client_secret: clientSecret, [oidc.clockTolerance]: CLOCK_SKEW_SECONDS };
  const made = new oidc.Configuration(server, clientId, metadata, authentication);
  made.timeout = DEADLINE_SECONDS;
  made[oidc.customFetch] = (url, options) =>
    url === server.token_endpoint ? fetchIdToken(url, options) : boundedFetch(url, options);
  // Without this, the library trusts the ID token because it came over TLS, and does not check its signature.
  oidc.enableNonRepudiationChecks(made);
  if (isPlain(settings)) oidc.allowInsecureRequests(made);
  return made;
}

function isPlain({ issuer }: OidcSettings): boolean {
  return new URL(issuer).protocol === 'http:';
}

function keysOf(secret: string): SignInKeys {
  const derive = (use: string) => createHmac('sha256', secret).update(`oidc ${use}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

function explain(error: unknown): Finished {
  if (error instanceof oidc.AuthorizationResponseError) return { kind: 'denied', code: error.error };
  const { code } = error as { code?: unknown };
  const reason = reasonOf(error);
  const isAway = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || isFetchFailure(error);
  return { kind: isAway ? 'unreachable' : 'invalid', reason };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return `${String(code ?? '')} ${String(message ?? error)}`.trim();
}

/** Both issuers from the library's error, when the provider's description names another one than the setting. */
function readMisnamed(error: unknown, issuer: string): Away | undefined {
  const { code, cause } = error as { code?: unknown; cause?: { attribute?: unknown; body?: { issuer?: unknown } } };
  if (code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' || cause?.attribute !== 'issuer') return undefined;
  return { kind: 'misnamed', set: issuer, named: String(cause.body?.issuer).slice(0, MOST_CHARACTERS_NAMED) };
}

const MOST_CHARACTERS_NAMED = 300;

function isFetchFailure(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof TypeError && at.message === 'fetch failed') return true;
  }
  return false;
}

/** One read serves all callers that wait for it. Its value is kept for a while; a failure is not kept. */
function createCache<Value>(clock: Clock, read: () => Promise<Value>): () => Promise<Value> {
  let kept: { value: Promise<Value>; untilMs: number } | undefined;
  return () => {
    const nowMs = clock.monotonicMs();
    if (kept !== undefined && nowMs < kept.untilMs) return kept.value;
    const value = read();
    kept = { value, untilMs: nowMs + DESCRIPTION_MS };
    value.catch(() => {
      if (kept?.value === value) kept = undefined;
    });
    return value;
  };
}
