import type { Endpoint, EndpointConfig } from '../../client/resources.ts';

// What the forms for OAuth 2 and TLS hold, and the body of an update that it makes. The service checks the values.

type ConnectionUpdate = { config: EndpointConfig; credentials: Record<string, string | null> };

/** Makes the update of the endpoint as it is when the form is saved. */
export type ConnectionChange = (now: Pick<Endpoint, 'config' | 'credentialNames'>) => ConnectionUpdate;

export type AuthMethod = 'basic' | 'post' | 'private_key_jwt';

export type OAuth2Draft = {
  tokenUrl: string;
  clientId: string;
  authMethod: AuthMethod;
  /** With spaces between them. */
  scopes: string;
  audience: string;
  /** The client secret or the private key; empty: the stored one stays. */
  credential: string;
};

export function oauth2DraftOf({ oauth2 }: EndpointConfig): OAuth2Draft {
  return {
    tokenUrl: oauth2?.tokenUrl ?? '',
    clientId: oauth2?.clientId ?? '',
    authMethod: oauth2?.authMethod ?? 'basic',
    scopes: (oauth2?.scopes ?? []).join(' '),
    audience: oauth2?.audience ?? '',
    credential: '',
  };
}

/** Keys that the form does not know stay. A credential of the other way to authenticate is removed. */
export function withOAuth2(config: EndpointConfig, names: readonly string[], draft: OAuth2Draft): ConnectionUpdate {
  const { tokenUrl, clientId, authMethod, credential, audience } = draft;
  const { scopes: _scopes, audience: _audience, authMethod: _method, ...others } = config.oauth2 ?? {};
  const scopes = draft.scopes.split(' ').filter((scope) => scope !== '');
  const own = authMethod === 'private_key_jwt' ? 'oauth2PrivateKey' : 'oauth2ClientSecret';
  return {
    config: {
      ...config,
      oauth2: {
        ...others,
        ...{ tokenUrl: tokenUrl.trim(), clientId: clientId.trim() },
        ...(authMethod !== 'basic' && { authMethod }),
        ...(scopes.length > 0 && { scopes }),
        ...(audience.trim() !== '' && { audience: audience.trim() }),
      },
    },
    credentials: {
      ...removed(
        names,
        OF_OAUTH2.filter((name) => name !== own),
      ),
      ...(credential !== '' && { [own]: credential }),
    },
  };
}

export function withoutOAuth2({ oauth2: _, ...config }: EndpointConfig, names: readonly string[]): ConnectionUpdate {
  return { config, credentials: removed(names, OF_OAUTH2) };
}

export type TlsDraft = {
  ca: string;
  clientCertificate: string;
  serverName: string;
  /** Empty: the stored one stays. */
  key: string;
};

export function tlsDraftOf({ tls }: EndpointConfig): TlsDraft {
  const { ca = '', clientCertificate = '', serverName = '' } = tls ?? {};
  return { ca, clientCertificate, serverName, key: '' };
}

/** Without any value, the endpoint has no TLS of its own. */
export function withTls(config: EndpointConfig, names: readonly string[], draft: TlsDraft): ConnectionUpdate {
  const { tls: _, ...others } = config;
  const [ca, clientCertificate, serverName] = [
    draft.ca.trim(),
    draft.clientCertificate.trim(),
    draft.serverName.trim(),
  ];
  const tls = {
    ...(ca !== '' && { ca }),
    ...(clientCertificate !== '' && { clientCertificate }),
    ...(serverName !== '' && { serverName }),
  };
  return {
    config: Object.keys(tls).length === 0 ? others : { ...others, tls },
    credentials: {
      ...(clientCertificate === '' && removed(names, ['tlsClientKey'])),
      ...(draft.key.trim() !== '' && { tlsClientKey: draft.key }),
    },
  };
}

const OF_OAUTH2 = ['oauth2ClientSecret', 'oauth2PrivateKey'];

function removed(names: readonly string[], these: readonly string[]): Record<string, null> {
  return Object.fromEntries(these.filter((name) => names.includes(name)).map((name) => [name, null]));
}
