import { expect, test } from '@jest/globals';
import { oauth2DraftOf, tlsDraftOf, withOAuth2, withoutOAuth2, withTls } from './connection-draft.ts';

const oauth2 = { tokenUrl: 'https://login.example/token', clientId: 'c', scopes: ['a', 'b'], extraParams: { x: 'y' } };
const config = { timeoutSeconds: 5, oauth2, tls: { ca: 'CA', clientCertificate: 'CERT' } };

test('a draft that is not changed makes the same config, and no credential', () => {
  expect(withOAuth2(config, ['oauth2ClientSecret'], oauth2DraftOf(config))).toEqual({ config, credentials: {} });
  expect(withTls(config, ['tlsClientKey'], tlsDraftOf(config))).toEqual({ config, credentials: {} });
});

test('another way to authenticate removes the credential of the first one', () => {
  const draft = { ...oauth2DraftOf(config), authMethod: 'private_key_jwt' as const, credential: 'PEM' };
  expect(withOAuth2(config, ['oauth2ClientSecret'], draft)).toEqual({
    config: { ...config, oauth2: { ...oauth2, authMethod: 'private_key_jwt' } },
    credentials: { oauth2ClientSecret: null, oauth2PrivateKey: 'PEM' },
  });
});

test('without OAuth 2 or a client certificate, their credentials are removed', () => {
  const { oauth2: _, ...rest } = config;
  expect(withoutOAuth2(config, ['oauth2PrivateKey', 'tlsClientKey'])).toEqual({
    config: rest,
    credentials: { oauth2PrivateKey: null },
  });
  const empty = { ca: ' ', clientCertificate: '', serverName: '', key: '' };
  expect(withTls(config, ['tlsClientKey'], empty)).toEqual({
    config: { timeoutSeconds: 5, oauth2 },
    credentials: { tlsClientKey: null },
  });
});
