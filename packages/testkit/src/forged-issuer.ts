import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

/** Makes a token from the claims of a correct one, or any text in its place. */
type Forge = (claims: JWTPayload) => Promise<string> | string;

export type ForgedIssuer = {
  issuer: string;
  /** Makes the ID token of the next code exchange. If undefined, that is a correct token. */
  forge: Forge | undefined;
  /** Claims of every token, in addition to those of the protocol. */
  claims: JWTPayload;
  /** The nonce of the sign-in that is in progress. */
  nonce: string;
  /** False values for the provider's discovery document. They replace the true ones. */
  description: Record<string, unknown>;
  /** The fields of the next token response besides the ID token. */
  tokens: Record<string, unknown>;
  /** The status and content type of the token response. */
  exchanged: { status: number; type: string };
  sign: (claims: JWTPayload, options?: { kid?: string; withUnknownKey?: boolean }) => Promise<string>;
  unsecured: (claims: JWTPayload) => string;
  /** Signs with a new key from now on. The published key set has only this key. */
  rotate: () => Promise<void>;
  /** The number of requests by path. */
  asked: Record<string, number>;
  close: () => Promise<void>;
};

/** A provider that misbehaves on purpose. It exchanges any code, and checks nothing. */
export async function startForgedIssuer(clientId: string): Promise<ForgedIssuer> {
  const newKey = () => generateKeyPair('RS256', { extractable: true });
  let key = await newKey();
  let kid = 1;
  const unknown = await newKey();
  const asked: Record<string, number> = {};
  const answers: Record<string, () => Promise<unknown>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer: made.issuer,
      authorization_endpoint: `${made.issuer}/authorize`,
      token_endpoint: `${made.issuer}/token`,
      jwks_uri: `${made.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      ...made.description,
    }),
    '/keys': async () => ({
      keys: [{ ...(await exportJWK(key.publicKey)), kid: String(kid), alg: 'RS256', use: 'sig' }],
    }),
    '/token': async () => {
      const now = Math.floor(Date.now() / 1_000);
      const claims = { iss: made.issuer, aud: clientId, iat: now, exp: now + 300, nonce: made.nonce, ...made.claims };
      const idToken = await (made.forge ?? ((given) => made.sign(given)))(claims);
      return { ...made.tokens, id_token: idToken };
    },
  };
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    asked[path] = (asked[path] ?? 0) + 1;
    request.resume();
    void Promise.resolve(answers[path]?.()).then((answer) => {
      const { status, type } = path === '/token' ? made.exchanged : { status: 200, type: 'application/json' };
      response.writeHead(answer === undefined ? 404 : status, { 'content-type': type });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made: ForgedIssuer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forge: undefined,
    claims: {},
    nonce: '',
    description: {},
    tokens: { access_token: 'x', token_type: 'Bearer' },
    exchanged: { status: 200, type: 'application/json' },
    asked,
    sign: (claims, { kid: other, withUnknownKey } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: other ?? String(kid) })
        .sign(withUnknownKey ? unknown.privateKey : key.privateKey),
    unsecured: (claims) => new UnsecuredJWT(claims).encode(),
    async rotate() {
      key = await newKey();
      kid += 1;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return made;
}
