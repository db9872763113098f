import { expect, test } from '@jest/globals';
import { draftOf } from '../draft.ts';
import { OAUTH2, TLS, withOAuth2, withoutOAuth2, withTls } from './connection-draft.ts';

const oauth2 = { tokenUrl: 'https://login.example/token', clientId: 'c', scopes: ['a', 'b'], extraParams: { x: 'y' } };
const config = { timeoutSeconds: 5, oauth2, tls: { ca: 'CA', clientCertificate: 'CERT' } };
const stored = (...credentialNames: string[]) => ({ config, credentialNames });

test('a draft that is not changed makes the same config, and no credential', () => {
  const same = { config, credentials: {} };
  const [oauth2Draft, tlsDraft] = [draftOf(OAUTH2, { config }), draftOf(TLS, { config })];
  expect(withOAuth2(oauth2Draft, oauth2Draft)(stored('oauth2ClientSecret'))).toEqual(same);
  expect(withTls(tlsDraft, tlsDraft)(stored('tlsClientKey'))).toEqual(same);
});

test('a field that was not typed stays as somebody else has changed it meanwhile', () => {
  const [start, tlsStart] = [draftOf(OAUTH2, { config }), draftOf(TLS, { config })];
  const draft = { ...start, config: { oauth2: { ...start.config.oauth2, audience: 'all' } } };
  const tlsDraft = { ...tlsStart, config: { tls: { ...tlsStart.config.tls, ca: 'OWN' } } };
  const theirs = {
    oauth2: { ...oauth2, authMethod: 'private_key_jwt' as const, clientId: 'theirs' },
    tls: { ...config.tls, serverName: 'theirs' },
  };
  const now = { config: { ...config, ...theirs }, credentialNames: ['oauth2PrivateKey', 'tlsClientKey'] };
  expect(withOAuth2(draft, start)(now)).toEqual({
    config: { ...now.config, oauth2: { ...theirs.oauth2, audience: 'all' } },
    credentials: {},
  });
  expect(withTls(tlsDraft, tlsStart)(now)).toEqual({
    config: { ...now.config, tls: { ...theirs.tls, ca: 'OWN' } },
    credentials: {},
  });
});

test('another way to authenticate removes the credential of the first one', () => {
  const start = draftOf(OAUTH2, { config });
  const draft = draftOf(OAUTH2, { config, credentials: { oauth2ClientSecret: 'typed', oauth2PrivateKey: 'PEM' } });
  draft.config.oauth2.authMethod = 'private_key_jwt';
  expect(withOAuth2(draft, start)(stored('oauth2ClientSecret'))).toEqual({
    config: { ...config, oauth2: { ...oauth2, authMethod: 'private_key_jwt' } },
    credentials: { oauth2ClientSecret: null, oauth2PrivateKey: 'PEM' },
  });
});

test('without OAuth 2 or a client certificate, their credentials are removed', () => {
  const { oauth2: _, ...rest } = config;
  expect(withoutOAuth2(stored('oauth2PrivateKey', 'tlsClientKey'))).toEqual({
    config: rest,
    credentials: { oauth2PrivateKey: null },
  });
  const draft = draftOf(TLS, { config: { tls: { ca: ' ' } } });
  expect(withTls(draft, draftOf(TLS, { config }))(stored('tlsClientKey'))).toEqual({
    config: { timeoutSeconds: 5, oauth2 },
    credentials: { tlsClientKey: null },
  });
});
