import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type HOTP, type TOTP, URI } from 'otpauth';
import { codeOf, type Service, startService, unique } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const anEmail = () => `${unique('person-')}@example.com`;
const logIn = (email: string, password: string) =>
  service.send('POST', '/api/auth/login', { body: { email, password } });
const setPassword = (token: string, password: string) =>
  service.send('POST', '/api/auth/set-password', { body: { token, password } });
const codeOfApp = (app: HOTP | TOTP) => ('period' in app ? app.generate() : '');
const workspacesOf = async (token: string) => {
  const { body } = await service.send('GET', '/api/workspaces', { token });
  return body.map(({ id }: { id: string }) => id);
};

test('docs/interface.md, Invitations: a membership begins when it is accepted', async () => {
  const { dashboard, sessionOf, workspaceId } = service.workspace;
  const owner = await sessionOf('owner');
  const email = anEmail();
  const { status, body: invited } = await dashboard(owner, 'POST', '/members', { email, role: 'viewer' });
  expect([status, invited]).toEqual([
    201,
    {
      ...{ userId: expect.stringMatching(/^usr_/), email, name: email.split('@')[0], role: 'viewer' },
      ...{
        status: 'invited',
        hasSecondFactor: null,
        createdAt: expect.any(String),
        setPasswordToken: expect.any(String),
      },
    },
  ]);
  const again = await dashboard(owner, 'POST', `/members/${invited.userId}/reinvite`);
  expect([again.status, codeOf(await setPassword(invited.setPasswordToken, 'a good password'))]).toEqual([
    200,
    'unauthorized',
  ]);
  expect((await setPassword(again.body.setPasswordToken, 'a good password')).status).toBe(204);
  const { token } = (await logIn(email, 'a good password')).body;
  expect(await workspacesOf(token)).toEqual([workspaceId]);
  const listed = (await dashboard(owner, 'GET', '/members')).body;
  expect(listed.at(-1)).toMatchObject({ email, status: 'active' });

  const other = await service.another();
  const second = await other.dashboard(await other.sessionOf('owner'), 'POST', '/members', {
    email,
    role: 'owner',
    password: 'taken over by us',
  });
  expect([second.status, second.body.status]).toEqual([201, 'invited']);
  expect(await workspacesOf(token)).toEqual([workspaceId]);
  expect(codeOf(await setPassword(second.body.setPasswordToken, 'taken over by us'))).toBe('unauthorized');
  expect((await setPassword(second.body.setPasswordToken, 'a good password')).status).toBe(204);
  expect(await workspacesOf(token)).toHaveLength(2);
});

test('docs/interface.md, Second factor: a login needs a code of the app or a recovery code, and a workspace can require it', async () => {
  const { dashboard, sessionOf, workspaceId } = await service.another();
  const owner = await sessionOf('owner');
  const account = { email: anEmail(), role: 'owner', password: 'a good password' };
  expect((await dashboard(owner, 'POST', '/members', account)).body).toMatchObject({ hasSecondFactor: false });
  expect(codeOf(await dashboard(owner, 'PATCH', '', { requireSecondFactor: true }))).toBe('second_factor_required');
  const { token } = (await logIn(account.email, account.password)).body;
  const own = (method: string, path: string, body?: object) =>
    service.send(method, `/api/auth/second-factor${path}`, { token, ...(body && { body }) });
  const begun = await own('POST', '/authenticator', {});
  expect(begun.status).toBe(201);
  const app = URI.parse(begun.body.uri);
  const confirmed = await own('POST', '/authenticator/confirm', { code: codeOfApp(app) });
  expect([confirmed.status, confirmed.body.recoveryCodes?.length]).toEqual([200, 10]);

  const second = await logIn(account.email, account.password);
  expect([second.status, second.body]).toEqual([
    200,
    {
      challenge: expect.any(String),
      methods: ['authenticator', 'recovery_code'],
      expiresAt: expect.stringMatching(/\.\d{3}Z$/),
    },
  ]);
  const finish = (code: string) =>
    service.send('POST', '/api/auth/login/second-factor', { body: { challenge: second.body.challenge, code } });
  // This code has confirmed the app, and is not accepted a second time.
  expect(codeOf(await finish(codeOfApp(app)))).toBe('unauthorized');
  const finished = await finish(confirmed.body.recoveryCodes[0]);
  expect([finished.status, Object.keys(finished.body).sort()]).toEqual([200, ['expiresAt', 'token', 'user']]);
  expect(codeOf(await finish(confirmed.body.recoveryCodes[1]))).toBe('not_found');

  expect((await dashboard(token, 'PATCH', '', { requireSecondFactor: true })).body.requireSecondFactor).toBe(true);
  expect(codeOf(await dashboard(owner, 'GET', '/environments'))).toBe('second_factor_required');
  const status = await own('GET', '');
  expect(status.body).toEqual({
    authenticator: { createdAt: expect.any(String) },
    passkeys: [],
    recoveryCodesLeft: 9,
    requiredBy: [expect.any(String)],
  });
  expect(await workspacesOf(token)).toEqual([workspaceId]);
});

test('docs/interface.md, Sessions and passwords: a changed password ends every other session, and each session can be ended', async () => {
  const { dashboard, sessionOf } = service.workspace;
  const email = anEmail();
  const member = { email, role: 'viewer', password: 'the first password' };
  expect((await dashboard(await sessionOf('owner'), 'POST', '/members', member)).body.status).toBe('active');
  const [one, two] = [
    (await logIn(email, member.password)).body.token,
    (await logIn(email, member.password)).body.token,
  ];
  const body = { currentPassword: member.password, newPassword: 'the second password' };
  expect((await service.send('POST', '/api/auth/change-password', { token: one, body })).status).toBe(204);
  expect((await service.send('GET', '/api/auth/me', { token: two })).status).toBe(401);
  const sessions = (await service.send('GET', '/api/auth/sessions', { token: one })).body;
  expect(sessions).toMatchObject([{ id: expect.stringMatching(/^ses_/), isCurrent: true }]);
  expect((await service.send('DELETE', `/api/auth/sessions/${sessions[0].id}`, { token: one })).status).toBe(204);
  expect((await service.send('GET', '/api/auth/me', { token: one })).status).toBe(401);
});

test('docs/interface.md, Management token: createdBy names the maker, whose tokens are deleted together', async () => {
  const { dashboard, sessionOf, m } = service.workspace;
  const [owner, admin] = [await sessionOf('owner'), await sessionOf('admin')];
  const { body: made } = await dashboard(admin, 'POST', '/management-tokens', { name: 'T' });
  expect(made.createdBy).toMatch(/^usr_/);
  const refused = await service.send('PATCH', m, { token: made.token, body: { name: 'By an admin' } });
  expect(codeOf(refused)).toBe('forbidden');
  expect((await dashboard(owner, 'DELETE', `/management-tokens?created_by=${made.createdBy}`)).status).toBe(204);
  expect((await service.send('GET', m, { token: made.token })).status).toBe(401);
});

describe('docs/interface.md, Signing secret: secret is null for those who may not see it', () => {
  test.each([
    [['read'], null],
    [['read', 'payloads'], null],
    [['read', 'write'], 'whsec_'],
    [['read', 'keys'], 'whsec_'],
  ])('a token with %j', async (scopes, expected) => {
    const { dashboard, sessionOf, make, m } = service.workspace;
    const id = await make('/endpoints', { url: 'https://127.0.0.1/' });
    const { token } = (await dashboard(await sessionOf('owner'), 'POST', '/management-tokens', { name: 'T', scopes }))
      .body;
    const { secret } = (await service.send('GET', `${m}/endpoints/${id}`, { token })).body;
    expect(secret?.slice(0, 6) ?? null).toBe(expected);
  });

  test('a viewer', async () => {
    const { dashboard, sessionOf, make } = service.workspace;
    const id = await make('/endpoints', { url: 'https://127.0.0.1/' });
    const seenBy = async (role: 'viewer' | 'member') =>
      (await dashboard(await sessionOf(role), 'GET', `/endpoints/${id}`)).body.secret;
    expect([await seenBy('viewer'), (await seenBy('member'))?.slice(0, 6)]).toEqual([null, 'whsec_']);
  });
});

test('docs/interface.md, Portal capabilities: a portal session may do at most what its maker may', async () => {
  const { dashboard, sessionOf, make } = service.workspace;
  const applicationId = await make('/applications', { name: 'A' });
  const create = async (role: 'member' | 'admin', body: object) =>
    dashboard(await sessionOf(role), 'POST', `/applications/${applicationId}/portal-sessions`, body);
  const all = (await create('admin', {})).body.capabilities;
  expect(all).toContain('secrets:rotate');
  expect((await create('member', {})).body.capabilities).toEqual(all.filter((one: string) => one !== 'secrets:rotate'));
  expect(codeOf(await create('member', { capabilities: ['secrets:rotate'] }))).toBe('forbidden');
});

test('docs/interface.md, Device logins: a confirmed device gets a session of its own, once', async () => {
  const { sessionOf } = service.workspace;
  const token = await sessionOf('viewer');
  const { body: begun } = await service.send('POST', '/api/auth/device-logins', { body: { name: 'laptop' } });
  const poll = async () =>
    (await service.send('POST', '/api/auth/device-logins/poll', { body: { deviceCode: begun.deviceCode } })).body;
  expect((await poll()).status).toBe('pending');
  const body = { userCode: begun.userCode };
  expect((await service.send('POST', '/api/auth/device-logins/approve', { token, body })).status).toBe(204);
  const { session } = await poll();
  const sessions = (await service.send('GET', '/api/auth/sessions', { token: session.token })).body;
  expect(sessions).toContainEqual(expect.objectContaining({ isCurrent: true, kind: 'device', name: 'laptop' }));
  expect((await poll()).status).toBe('expired');
});

test('docs/interface.md, Sign-in provider: without one, its operations are not found', async () => {
  const { body } = await service.send('GET', '/api/auth/sign-in', {});
  expect(body).toMatchObject({ passwordLogin: true, provider: null });
  expect(codeOf(await service.send('POST', '/api/auth/oidc/start', { body: {} }))).toBe('not_found');
  expect(codeOf(await service.send('POST', '/api/auth/oidc/finish', { body: { query: '?code=x' } }))).toBe('not_found');
  const token = await service.workspace.sessionOf('viewer');
  for (const path of ['connect', 'disconnect']) {
    expect(codeOf(await service.send('POST', `/api/auth/oidc/${path}`, { token, body: {} }))).toBe('not_found');
  }
});
