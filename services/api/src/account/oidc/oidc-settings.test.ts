import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { oidcSettingsOf, readConfig } from '../../config.ts';

const key = () => `test:${randomBytes(32).toString('base64')}`;
const base = {
  DATABASE_URL: 'postgresql://localhost/x',
  REDIS_URL: 'redis://localhost',
  SEALING_KEYS: key(),
  CURSOR_KEYS: key(),
};
const provider = { OIDC_ISSUER: 'https://acme.okta.com', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' };

test('three settings are enough for a provider', () => {
  expect(oidcSettingsOf(readConfig({ ...base, ...provider }))).toMatchObject({
    issuer: 'https://acme.okta.com',
    scopes: 'openid email profile',
    autoCreate: false,
  });
  expect(oidcSettingsOf(readConfig(base))).toBeUndefined();
});

test.each([
  [{ OIDC_ISSUER: 'https://acme.okta.com' }, 'OIDC_ISSUER needs OIDC_CLIENT_ID'],
  [{ OIDC_CLIENT_SECRET: 'secret' }, 'OIDC_CLIENT_SECRET needs OIDC_ISSUER'],
  [{ ...provider, OIDC_ISSUER: 'http://acme.okta.com' }, 'OIDC_ISSUER must be an https URL'],
  [{ ...provider, OIDC_ISSUER: 'https://a:b@acme.okta.com' }, 'OIDC_ISSUER must have no user and no password'],
  [{ ...provider, OIDC_SCOPES: 'email' }, 'OIDC_SCOPES must be openid and other scopes'],
  [{ ...provider, OIDC_GROUPS: '{}' }, 'OIDC_GROUPS needs OIDC_GROUPS_CLAIM'],
  [{ ...provider, OIDC_GROUPS: '[]', OIDC_GROUPS_CLAIM: 'groups' }, 'OIDC_GROUPS must be a JSON object'],
  [{ PASSWORD_LOGIN: 'false' }, 'PASSWORD_LOGIN may be false only with OIDC_ISSUER'],
])('%j is refused with the rule', (settings, fault) => {
  expect(() => readConfig({ ...base, ...settings })).toThrow(fault);
});

test('what settings need of each other is named together with the other faults', () => {
  const wrong = { LOG_LEVEL: 'loud', PASSWORD_LOGIN: 'false' };
  expect(() => readConfig({ ...base, ...wrong })).toThrow(/LOG_LEVEL must be .*\n +PASSWORD_LOGIN may be false only/);
  const unread = { ...provider, OIDC_CLIENT_SECRET: '', OIDC_CLIENT_SECRET_FILE: '/nowhere' };
  expect(() => readConfig({ ...base, ...unread })).not.toThrow('OIDC_ISSUER needs');
});
