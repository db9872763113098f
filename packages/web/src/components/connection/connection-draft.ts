import type { Endpoint, EndpointConfig } from '../../client/resources.ts';
import { choice, type DraftOf, draftOf, list, plain, rebased, text, typedValue } from '../draft.ts';

// The drafts of the forms for OAuth 2 and TLS, and the updates that they make. The service checks the values.

type ConnectionUpdate = { config: EndpointConfig; credentials: Record<string, string | null> };

/** Makes the update from the endpoint's state when the form is saved. */
export type ConnectionChange = (now: Pick<Endpoint, 'config' | 'credentialNames'>) => ConnectionUpdate;

export type AuthMethod = 'basic' | 'post' | 'private_key_jwt';

/** The form for OAuth 2. An empty credential keeps the stored one. */
export const OAUTH2 = {
  config: {
    oauth2: {
      ...{ tokenUrl: text, clientId: text, audience: text },
      authMethod: choice<AuthMethod>('basic'),
      scopes: list(' '),
    },
  },
  credentials: { oauth2ClientSecret: plain, oauth2PrivateKey: plain },
};

/** The form for TLS. If all values are empty, the endpoint has no TLS settings. */
export const TLS = {
  config: { tls: { ca: text, clientCertificate: text, serverName: text } },
  credentials: { tlsClientKey: plain },
};

/** What was typed since `start`. A credential of the other way to authenticate is removed. */
export function withOAuth2(draft: DraftOf<typeof OAUTH2>, start: DraftOf<typeof OAUTH2>): ConnectionChange {
  const { oauth2ClientSecret, oauth2PrivateKey } = draft.credentials;
  return (now) => {
    const config = rebased(OAUTH2.config, draft.config, start.config, draftOf(OAUTH2.config, now.config));
    const isKey = config.oauth2.authMethod === 'private_key_jwt';
    return {
      config: typedValue(OAUTH2.config, config, now.config),
      credentials: {
        ...removed(now, [isKey ? 'oauth2ClientSecret' : 'oauth2PrivateKey']),
        ...(isKey ? given({ oauth2PrivateKey }) : given({ oauth2ClientSecret })),
      },
    };
  };
}

export const withoutOAuth2: ConnectionChange = (now) => {
  const { oauth2: _, ...config } = now.config;
  return { config, credentials: removed(now, ['oauth2ClientSecret', 'oauth2PrivateKey']) };
};

/** What was typed since `start`. */
export function withTls(draft: DraftOf<typeof TLS>, start: DraftOf<typeof TLS>): ConnectionChange {
  return (now) => {
    const config = rebased(TLS.config, draft.config, start.config, draftOf(TLS.config, now.config));
    return {
      config: typedValue(TLS.config, config, now.config),
      credentials: {
        ...(config.tls.clientCertificate.trim() === '' && removed(now, ['tlsClientKey'])),
        ...given(draft.credentials),
      },
    };
  };
}

function given(credentials: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== ''));
}

function removed({ credentialNames }: { credentialNames: readonly string[] }, these: readonly string[]) {
  return Object.fromEntries(these.filter((name) => credentialNames.includes(name)).map((name) => [name, null]));
}
