import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

/** A person's account at the provider: the claims of the ID token, in addition to those of the protocol. */
export type Person = { sub: string; email?: string; email_verified?: boolean; name?: string; groups?: string[] };

export type OidcIssuer = {
  issuer: string;
  /** The person who is logged in at the provider, so that a sign-in asks for nothing. */
  person: Person;
  /** Registers the client whose users sign in here. */
  register: (client: OidcClient) => Promise<void>;
  close: () => Promise<void>;
};

type OidcClient = { id: string; secret: string; redirectUri: string; afterLogout: string };

/** A real OpenID Connect provider on this machine, for one client. Every visitor is logged in as `person`. */
export async function startOidcIssuer(): Promise<OidcIssuer> {
  let handle: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: OidcIssuer = {
    issuer,
    person: { sub: 'nobody' },
    async register(client) {
      handle = await provide(made, client);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return made;
}

async function provide(made: OidcIssuer, client: OidcClient): Promise<RequestListener> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(made.issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        post_logout_redirect_uris: [client.afterLogout],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...made.person, sub: accountId }) }),
    async loadExistingGrant(ctx) {
      const { client: known, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({ clientId: known?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  return (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: made.person.sub } });
  };
}
