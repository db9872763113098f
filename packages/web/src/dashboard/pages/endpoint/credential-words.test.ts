import { expect, test } from '@jest/globals';
import { credentialWords } from './credential-words.ts';

const none = { config: {}, hasAuth: false, authUsername: null, secretHeaderNames: [], credentialNames: [] };

test('every kind of credential is told, and one of them is one', () => {
  expect(credentialWords(none)).toBe('none');
  const basic = { ...none, hasAuth: true, authUsername: 'shop', secretHeaderNames: ['x-api-key'] };
  expect(credentialWords(basic)).toBe('basic login as shop, 1 secret header');
  const oauth2 = { tokenUrl: 'https://login.example/token', clientId: 'c' };
  const config = { oauth2, tls: { clientCertificate: 'CERT' } };
  const credentialNames = ['oauth2ClientSecret', 'tlsClientKey'];
  expect(credentialWords({ ...none, config, credentialNames, secretHeaderNames: ['a', 'b'] })).toBe(
    'OAuth 2, client certificate, 2 secret headers',
  );
  const broker = { config: { destination: { topic: 'orders' } }, credentialNames: ['username', 'password'] };
  expect(credentialWords({ ...none, ...broker })).toBe('2 stored values');
});
