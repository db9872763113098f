import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { receiverCertificate } from './receiver-certificate.ts';

export type AgentIssuer = {
  issuer: string;
  /** The claim `posthorn_application` of the issuer's tokens. */
  application: string;
  /** Signs these claims with the issuer's key, or with a key that nobody knows. */
  sign: (claims: JWTPayload, options?: { withUnknownKey?: boolean; kid?: string }) => Promise<string>;
  unsecured: (claims: JWTPayload) => string;
  /** Signs with HMAC, with the issuer's public key as the shared secret: a known attack. */
  signShared: (claims: JWTPayload) => Promise<string>;
  /** The number of times that the issuer's keys were read. */
  readKeys: () => number;
  close: () => Promise<void>;
};

/** An RSA key of 16,384 bits. */
const LARGE_KEY = { kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'large', e: 'AQAB', n: 'x'.repeat(2_731) };

/**
 * A real authorization server on this machine, over TLS. Clients register themselves (RFC 7591), and get JWT access tokens for
 * any resource (RFC 8707). `/large-keys` has a key that costs milliseconds for each token.
 */
export async function startAgentIssuer(): Promise<AgentIssuer> {
  const { key, cert } = await receiverCertificate('good');
  let handle: RequestListener = (_, response) => void response.writeHead(503).end();
  let keysRead = 0;
  const server = createServer({ key, cert }, (request, response) => {
    if (request.url === '/jwks') keysRead += 1;
    if (request.url === '/large-keys') response.end(JSON.stringify({ keys: [LARGE_KEY] }));
    else handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const [own, unknown] = await Promise.all(
    [0, 1].map(() => generateKeyPair('RS256', { extractable: true })) as [
      ReturnType<typeof generateKeyPair>,
      ReturnType<typeof generateKeyPair>,
    ],
  );
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(own.privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    scopes: ['events:subscribe', 'other'],
    extraTokenClaims: () => ({ posthorn_application: made.application }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'events:subscribe other',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  handle = provider.callback();
  const made: AgentIssuer = {
    issuer,
    application: '',
    sign: (claims, { withUnknownKey = false, kid = 'test' } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt' })
        .sign(withUnknownKey ? unknown.privateKey : own.privateKey),
    unsecured: (claims) => new UnsecuredJWT(claims).encode(),
    async signShared(claims) {
      const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(own.publicKey)));
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'test' }).sign(secret);
    },
    readKeys: () => keysRead,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return made;
}
