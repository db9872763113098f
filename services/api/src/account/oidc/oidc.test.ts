import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { systemClock } from '@posthorn/runtime/clock';
import { type ForgedIssuer, startForgedIssuer } from '@posthorn/testkit/forged-issuer';
import { type OidcIssuer, startOidcIssuer } from '@posthorn/testkit/oidc-issuer';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../../test/api-under-test.ts';
import { createCaller } from '../../../test/caller.ts';
import { seedPerson, uuidOf } from '../../../test/people.ts';
import {
  BASE,
  begin,
  CLIENT,
  cookiesOf,
  finish,
  post,
  REGISTRATION,
  settingsOf,
  throughProvider,
} from '../../../test/provider-sign-in.ts';
import { parseGroups } from './oidc-settings.ts';
import { createSignInLink } from './sign-in-link.ts';

describe('with a real provider', () => {
  let issuer: OidcIssuer;
  let api: ApiUnderTest;
  let workspace: string;

  beforeAll(async () => {
    issuer = await startOidcIssuer();
    await issuer.register(REGISTRATION);
    const groups = { admins: { workspace: '*', role: 'admin' }, readers: { workspace: '*', role: 'viewer' } };
    api = await startApi({
      settings: {
        ...settingsOf(issuer.issuer),
        OIDC_GROUPS_CLAIM: 'groups',
        OIDC_GROUPS: parseGroups(JSON.stringify(groups)),
      },
    });
    workspace = uuidOf('ws', api.workspaceId);
  });
  afterAll(async () => {
    await api?.stop();
    await issuer?.close();
  });

  const signIn = async (person: Partial<OidcIssuer['person']>) => {
    issuer.person = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada', ...person };
    const { url, cookie } = await begin(api);
    return finish(api, await throughProvider(url), cookie);
  };
  const invite = (email: string) =>
    api.db.invitation.create({
      data: {
        id: crypto.randomUUID(),
        workspaceId: workspace,
        email,
        name: 'Ada',
        role: 'member',
        digest: Buffer.from(crypto.randomUUID()),
        tokenEndsAt: new Date(Date.now() + 60_000),
      },
    });
  const roleOf = async (email: string) =>
    (await api.db.member.findFirst({ where: { user: { email }, workspaceId: workspace } }))?.role;
  const actions = async () =>
    (await api.db.auditEntry.findMany({ orderBy: { createdAt: 'asc' } })).map(({ action }) => action);

  test('the pages know the provider', async () => {
    const { body } = await request(api.app).get('/api/auth/sign-in');
    expect(body).toEqual({ sendsMail: false, passwordLogin: true, provider: 'Okta' });
  });

  test('a page to return to that cannot be stored is a validation_error', async () => {
    const { status, body } = await post(api, 'oidc/start', { returnTo: '/\u0000' });
    expect([status, body.error.details?.[0].field]).toEqual([400, 'returnTo']);
  });

  test('a person without an account is refused, and one who is invited is asked, and becomes a member by accepting', async () => {
    const refused = await signIn({});
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('has no account here')]);
    expect(cookiesOf(refused)).toEqual([]);

    await invite('ada@example.com');
    const reply = await signIn({});
    expect([reply.status, reply.body.returnTo, reply.body.user.email]).toEqual([200, '/w/acme', 'ada@example.com']);
    expect(cookiesOf(reply)).toEqual([`posthorn_session=${reply.body.token}`]);
    expect([await roleOf('ada@example.com'), reply.body.openInvitations]).toEqual([undefined, 1]);
    const own = createCaller(api.app, { base: '/api/auth/invitations', token: reply.body.token });
    const { body: asked } = await own('get');
    expect(asked).toMatchObject([{ workspaceName: expect.any(String), email: 'ada@example.com', role: 'member' }]);
    await own('post', `/${asked[0].id}/accept`).expect(204);
    expect(await roleOf('ada@example.com')).toBe('member');
    expect(await api.db.invitation.count()).toBe(0);
    expect(await actions()).toContain('member.accepted');

    // From then on the person is known by issuer and subject, whatever the address.
    const again = await signIn({ email: 'ada.lovelace@example.com' });
    expect(again.body.user).toEqual(reply.body.user);
  });

  test('an account without a password is joined by its address, once: another person with the address is refused', async () => {
    const { email, userId } = await seedPerson(api.db, { email: 'joined@example.com' });
    expect((await signIn({ sub: 'first', email })).body.user.id).toBe(userId);
    expect((await signIn({ sub: 'second', email })).status).toBe(403);
  });

  test('an account with a password is joined only by the person who is signed in and asks for it', async () => {
    const { email, userId, sessionToken } = await seedPerson(api.db, {
      email: 'pw@example.com',
      password: 'a password',
    });
    const refused = await signIn({ sub: 'pw', email });
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('has a password')]);

    // The address at the provider may be another one.
    issuer.person = { sub: 'pw', email: 'other@example.com', email_verified: true };
    const { url, cookie } = await begin(api, sessionToken);
    expect((await finish(api, await throughProvider(url), cookie)).body.user.id).toBe(userId);
    expect((await signIn({ sub: 'pw', email })).body.user.id).toBe(userId);
    const { body } = await request(api.app).get('/api/auth/me').set('authorization', `Bearer ${sessionToken}`);
    expect(body.provider).toEqual({ name: 'Okta', isConnected: true });

    // Nobody else connects that person of the provider.
    const other = await seedPerson(api.db);
    const begun = await begin(api, other.sessionToken);
    expect((await finish(api, await throughProvider(begun.url), begun.cookie)).status).toBe(403);
  });

  test('a connection ends with the session that asked for it', async () => {
    const { sessionToken } = await seedPerson(api.db, { password: 'a password' });
    issuer.person = { sub: 'late', email: 'late@example.com', email_verified: true };
    const { url, cookie } = await begin(api, sessionToken);
    const query = await throughProvider(url);
    await post(api, 'logout', {}, { authorization: `Bearer ${sessionToken}` }).expect(204);
    expect((await finish(api, query, cookie)).status).toBe(401);
  });

  test('nor with one that has run out', async () => {
    const { userId, sessionToken } = await seedPerson(api.db, { password: 'a password' });
    issuer.person = { sub: 'out', email: 'out@example.com', email_verified: true };
    const { url, cookie } = await begin(api, sessionToken);
    const query = await throughProvider(url);
    await api.db.session.updateMany({ where: { userId: uuidOf('usr', userId) }, data: { expiresAt: new Date() } });
    expect((await finish(api, query, cookie)).status).toBe(403);
  });

  test('a connection that is asked for more than 10 minutes after the sign-in needs the password', async () => {
    const { userId, sessionToken } = await seedPerson(api.db, { password: 'a password' });
    const createdAt = new Date(Date.now() - 11 * 60_000);
    await api.db.session.updateMany({ where: { userId: uuidOf('usr', userId) }, data: { createdAt } });
    const headers = { authorization: `Bearer ${sessionToken}` };
    for (const path of ['oidc/connect', 'oidc/disconnect']) {
      const { status, body } = await post(api, path, {}, headers);
      expect([status, body.error.details?.[0].field]).toEqual([400, 'currentPassword']);
      expect((await post(api, path, { currentPassword: 'another' }, headers)).status).toBe(401);
    }
    expect((await post(api, 'oidc/connect', { currentPassword: 'a password' }, headers)).status).toBe(200);
  });

  test('a person ends the connection, and with it the sessions that began so', async () => {
    const { userId, sessionToken } = await seedPerson(api.db, {
      email: 'd@example.com',
      password: 'a password',
      workspaceId: api.workspaceId,
      role: 'viewer',
    });
    const own = { authorization: `Bearer ${sessionToken}` };
    const me = async (headers: Record<string, string>) => request(api.app).get('/api/auth/me').set(headers);
    expect((await post(api, 'oidc/disconnect', {}, own)).status).toBe(404);
    issuer.person = { sub: 'd', email: 'd@example.com', email_verified: true };
    const { url, cookie } = await begin(api, sessionToken);
    const { token } = (await finish(api, await throughProvider(url), cookie)).body;
    const byProvider = { authorization: `Bearer ${token}` };
    expect((await me(byProvider)).body.provider.isConnected).toBe(true);
    expect(await actions()).toContain('member.identity_connected');

    expect((await post(api, 'oidc/disconnect', {}, own)).status).toBe(204);
    expect((await me(byProvider)).status).toBe(401);
    expect((await me(own)).body.provider.isConnected).toBe(false);
    expect((await signIn({ sub: 'd', email: 'd@example.com' })).status).toBe(403);
    const entry = await api.db.auditEntry.findFirstOrThrow({ where: { action: 'member.identity_disconnected' } });
    expect(entry).toMatchObject({ actorId: userId, resourceId: userId });
  });

  test('the only way to sign in stays', async () => {
    await seedPerson(api.db, { email: 'only@example.com' });
    const { token } = (await signIn({ sub: 'only', email: 'only@example.com' })).body;
    const reply = await post(api, 'oidc/disconnect', {}, { authorization: `Bearer ${token}` });
    expect([reply.status, reply.body.error.message]).toEqual([403, expect.stringContaining('only way to sign in')]);
  });

  test('a connection with an earlier provider does not count', async () => {
    const { userId, sessionToken } = await seedPerson(api.db, { password: 'a password' });
    const earlier = { issuer: 'https://earlier.example.com', subject: 'x', userId: uuidOf('usr', userId) };
    await api.db.identity.create({ data: earlier });
    const own = { authorization: `Bearer ${sessionToken}` };
    const { body } = await request(api.app).get('/api/auth/me').set(own);
    expect(body.provider.isConnected).toBe(false);
    expect((await post(api, 'oidc/disconnect', {}, own)).status).toBe(404);
  });

  test.each([{ email_verified: false }, { email: undefined }])('%j is refused', async (person) => {
    expect((await signIn(person)).status).toBe(403);
  });

  test('the roles of groups are applied at each sign-in, and end with the groups; what a member gave stays', async () => {
    await seedPerson(api.db, { email: 'g@example.com' });
    const roles = [];
    for (const groups of [['admins'], ['readers', 'unknown'], []]) {
      expect((await signIn({ sub: 'g', email: 'g@example.com', groups })).status).toBe(200);
      roles.push(await roleOf('g@example.com'));
    }
    expect(roles).toEqual(['admin', 'viewer', undefined]);
    expect(await actions()).toEqual(expect.arrayContaining(['member.created', 'member.updated', 'member.deleted']));

    await seedPerson(api.db, { email: 'h@example.com', workspaceId: api.workspaceId, role: 'member' });
    await signIn({ sub: 'h', email: 'h@example.com', groups: [] });
    expect(await roleOf('h@example.com')).toBe('member');
  });

  test('all workspaces of an installation are read in pages: the membership of each ends with the groups', async () => {
    const person = { sub: 'w', email: 'w@example.com' };
    await seedPerson(api.db, { email: person.email });
    expect((await signIn({ ...person, groups: ['readers'] })).status).toBe(200);
    const { id: userId } = await api.db.user.findUniqueOrThrow({ where: { email: person.email } });
    const made = Array.from({ length: 1_001 }, (_, n) => ({
      id: newUuid(new Date()),
      name: 'Many',
      slug: `many-${n}`,
    }));
    await api.db.workspace.createMany({ data: made.map((row) => ({ ...row, plan: 'free' })) });
    const lastIds = made
      .map(({ id }) => id)
      .sort()
      .slice(-2);
    const [ended = '', joined = ''] = lastIds;
    // The groups change nothing in the other workspaces.
    const members = made.filter(({ id }) => id !== joined).map(({ id }) => ({ workspaceId: id, userId }));
    const memberOf = (role: 'viewer' | 'member') => ({ role, isFromGroups: true });
    await api.db.member.createMany({
      data: members.map((row) => ({ ...row, ...memberOf(row.workspaceId === ended ? 'member' : 'viewer') })),
    });
    await signIn({ ...person, groups: ['readers'] });
    const roles = await api.db.member.findMany({ where: { userId, workspaceId: { in: lastIds } } });
    expect(roles.map(({ role }) => role)).toEqual(['viewer', 'viewer']);
    const ids = made.map(({ id }) => id);
    await api.db.member.deleteMany({ where: { workspaceId: { in: ids } } });
    await api.db.workspace.deleteMany({ where: { id: { in: ids.filter((id) => !lastIds.includes(id)) } } });
  });

  test('groups never remove or demote the last owner', async () => {
    await api.db.member.deleteMany({ where: { workspaceId: workspace, role: 'owner' } });
    await seedPerson(api.db, { email: 'o@example.com', workspaceId: api.workspaceId, role: 'owner' });
    await signIn({ sub: 'o', email: 'o@example.com', groups: ['readers'] });
    expect(await roleOf('o@example.com')).toBe('owner');
    await seedPerson(api.db, { email: 'p@example.com', workspaceId: api.workspaceId, role: 'owner' });
    await signIn({ sub: 'o', email: 'o@example.com', groups: ['readers'] });
    expect(await roleOf('o@example.com')).toBe('viewer');
  });

  test('a workspace that requires a second factor takes a session of the provider without one', async () => {
    await seedPerson(api.db, { email: 'f@example.com', workspaceId: api.workspaceId, role: 'viewer' });
    await api.db.workspace.update({ where: { id: workspace }, data: { requireSecondFactor: true } });
    const { token } = (await signIn({ sub: 'f', email: 'f@example.com' })).body;
    const reply = await request(api.app)
      .get(`/api/workspaces/${api.workspaceId}/endpoints`)
      .set('authorization', `Bearer ${token}`);
    await api.db.workspace.update({ where: { id: workspace }, data: { requireSecondFactor: false } });
    expect(reply.status).toBe(200);
  });

  test('a logout ends the session, and leads to where the provider ends its own', async () => {
    await seedPerson(api.db, { email: 'l@example.com' });
    const { token } = (await signIn({ sub: 'l', email: 'l@example.com' })).body;
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL((await post(api, 'oidc/logout', {}, headers)).body.url);
    expect(url.href.startsWith(`${issuer.issuer}/session/end?`)).toBe(true);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${BASE}/login`);
    expect((await fetch(url)).status).toBe(200);
    expect((await request(api.app).get('/api/auth/me').set(headers)).status).toBe(401);
  });

  test('a code, a state and a cookie work once, together, and in the browser that began', async () => {
    await seedPerson(api.db, { email: 'r@example.com' });
    issuer.person = { sub: 'r', email: 'r@example.com', email_verified: true };
    const [one, two] = [await begin(api), await begin(api)];
    const query = await throughProvider(one.url);
    // With the cookie of another browser, and with none.
    expect((await finish(api, query, two.cookie)).status).toBe(401);
    expect((await finish(api, query, '')).status).toBe(401);
    expect((await finish(api, query, one.cookie)).status).toBe(200);
    expect((await finish(api, query, one.cookie)).status).toBe(401);
    // The same code again, with a state and a cookie of its own.
    const three = await begin(api);
    const state = three.url.searchParams.get('state') ?? '';
    const replayed = new URLSearchParams(query);
    replayed.set('state', state);
    expect((await finish(api, `?${replayed}`, three.cookie)).status).toBe(401);
  });

  test('what the person refuses at the provider is said', async () => {
    const { url, cookie } = await begin(api);
    const query = new URLSearchParams({
      error: 'access_denied',
      state: url.searchParams.get('state') ?? '',
      iss: issuer.issuer,
    });
    const { status, body } = await finish(api, `?${query}`, cookie);
    expect([status, body.error.message]).toEqual([401, 'Okta answers: access_denied']);
  });

  test('an invitation does not set a password for the account of the provider', async () => {
    await seedPerson(api.db, { email: 'i@example.com' });
    await signIn({ sub: 'i', email: 'i@example.com' });
    const headers = {
      authorization: `Bearer ${(await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' })).sessionToken}`,
    };
    const invited = await request(api.app)
      .post(`/api/workspaces/${api.workspaceId}/members`)
      .set(headers)
      .send({ email: 'i@example.com', role: 'viewer' });
    const token = invited.body.setPasswordToken;
    expect((await post(api, 'set-password', { token, password: 'chosen by another' })).status).toBe(401);
    expect((await api.db.user.findUnique({ where: { email: 'i@example.com' } }))?.passwordHash).toBeNull();
  });
});

describe('with a provider that forges, and without passwords', () => {
  let forged: ForgedIssuer;
  let api: ApiUnderTest;

  beforeAll(async () => {
    forged = await startForgedIssuer(CLIENT.id);
    api = await startApi({ settings: { ...settingsOf(forged.issuer), OIDC_AUTO_CREATE: true, PASSWORD_LOGIN: false } });
  });
  afterEach(() => {
    forged.forge = undefined;
  });
  afterAll(async () => {
    await api?.stop();
    await forged?.close();
  });

  const signIn = (forge?: ForgedIssuer['forge']) => signInAs({ sub: 'eve', email: 'eve@example.com' }, forge);
  const signInAs = async (person: { sub: string; email: string }, forge?: ForgedIssuer['forge']) => {
    const { url, cookie } = await begin(api);
    forged.claims = { ...person, email_verified: true };
    forged.nonce = url.searchParams.get('nonce') ?? '';
    forged.forge = forge;
    return finish(api, `?code=any&state=${url.searchParams.get('state')}`, cookie);
  };
  const now = () => Math.floor(Date.now() / 1_000);

  test('a correct token creates the account, with the workspaces of its groups or none', async () => {
    const { status, body } = await signIn();
    expect([status, body.user.email]).toEqual([200, 'eve@example.com']);
  });

  test('what groups gave ends when no groups are set any more, and what a member gave stays', async () => {
    const userId = uuidOf('usr', (await signIn()).body.user.id);
    const [given, joined] = [newUuid(new Date()), newUuid(new Date())];
    for (const id of [given, joined]) {
      await api.db.workspace.create({ data: { id, name: 'Any', slug: `w-${id}`, plan: 'free' } });
      await api.db.member.create({ data: { workspaceId: id, userId, role: 'admin', isFromGroups: id === given } });
    }
    await signIn();
    expect((await api.db.member.findMany({ where: { userId } })).map(({ workspaceId }) => workspaceId)).toEqual([
      joined,
    ]);
  });

  test('every membership that groups gave ends at one sign-in, however many there are', async () => {
    const userId = uuidOf('usr', (await signIn()).body.user.id);
    const ids = Array.from({ length: 1_001 }, () => newUuid(new Date()));
    const made = ids.map((id) => ({ id, name: 'Many', slug: `w-${id}` }));
    await api.db.workspace.createMany({ data: made.map((row) => ({ ...row, plan: 'free' })) });
    await api.db.member.createMany({
      data: ids.map((workspaceId) => ({ workspaceId, userId, role: 'viewer', isFromGroups: true })),
    });
    expect((await signIn()).status).toBe(200);
    expect(await api.db.member.count({ where: { userId, isFromGroups: true } })).toBe(0);
  }, 60_000);

  test.each<[string, NonNullable<ForgedIssuer['forge']>]>([
    ['of another issuer', (claims) => forged.sign({ ...claims, iss: 'https://evil.example.com' })],
    ['for another audience', (claims) => forged.sign({ ...claims, aud: 'another client' })],
    [
      'for several, with another authorised party',
      (claims) => forged.sign({ ...claims, aud: [CLIENT.id, 'x'], azp: 'x' }),
    ],
    ['with another nonce', (claims) => forged.sign({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...claims }) => forged.sign(claims)],
    ['without a signature', (claims) => forged.unsecured(claims)],
    ['signed with another key', (claims) => forged.sign(claims, { withUnknownKey: true })],
    ['of a key that is not in the set', (claims) => forged.sign(claims, { kid: 'unknown', withUnknownKey: true })],
    ['that has expired', (claims) => forged.sign({ ...claims, iat: now() - 400, exp: now() - 100 })],
    ['without an expiry', ({ exp: _, ...claims }) => forged.sign(claims)],
    ['from the future', (claims) => forged.sign({ ...claims, nbf: now() + 200 })],
    ['that is none', () => 'not.a.token'],
  ])('a token %s is refused', async (_, forge) => {
    const reply = await signIn(forge);
    expect([reply.status, cookiesOf(reply)]).toEqual([401, []]);
  });

  describe('a token answer that a real server gives is taken, whatever stands beside its ID token', () => {
    afterEach(() => {
      forged.tokens = { access_token: 'x', token_type: 'Bearer' };
      forged.exchanged = { status: 200, type: 'application/json' };
    });

    test.each([
      { access_token: 'x' },
      { access_token: 'x', token_type: null },
      { access_token: 'x', token_type: 'JWT' },
      { access_token: 'x', token_type: 'BEARER', scope: null, refresh_token: null, expires_in: null },
      { access_token: 'x', token_type: 'Bearer', scope: ['openid'], refresh_token: 7, expires_in: 'soon' },
      { access_token: null, token_type: 'Bearer', not_before: { policy: 0 }, ext: [[]] },
    ])('%j', async (tokens) => {
      forged.tokens = tokens;
      expect((await signIn()).body.user.email).toBe('eve@example.com');
      // The ID token is checked as ever.
      expect((await signIn((claims) => forged.sign({ ...claims, nonce: 'another' }))).status).toBe(401);
      expect((await signIn((claims) => forged.sign(claims, { withUnknownKey: true }))).status).toBe(401);
    });

    test('with another status of success, and another type', async () => {
      forged.exchanged = { status: 201, type: 'text/plain' };
      expect((await signIn()).status).toBe(200);
    });

    test('and one that is no success, or has no ID token, is refused', async () => {
      forged.exchanged = { status: 400, type: 'application/json' };
      expect((await signIn()).status).not.toBe(200);
      forged.exchanged = { status: 200, type: 'application/json' };
      for (const forge of [() => undefined, () => null, () => ({})]) {
        expect((await signIn(forge as unknown as ForgedIssuer['forge'])).status).toBe(401);
      }
    });
  });

  test('a minute of skew between the clocks is allowed', async () => {
    expect((await signIn((claims) => forged.sign({ ...claims, exp: now() - 40 }))).status).toBe(200);
    expect((await signIn((claims) => forged.sign({ ...claims, nbf: now() + 40 }))).status).toBe(200);
  });

  test('keys that the provider rotates are read again, and the description is not', async () => {
    await signIn();
    const described = forged.asked['/.well-known/openid-configuration'];
    await forged.rotate();
    expect((await signIn()).status).toBe(200);
    expect(forged.asked['/.well-known/openid-configuration']).toBe(described);
  });

  test('a wrong state is refused', async () => {
    const { cookie } = await begin(api);
    expect((await finish(api, '?code=any&state=another', cookie)).status).toBe(401);
  });

  test('the password routes answer 403, and a link of the operator still signs in, once', async () => {
    const { email, sessionToken } = await seedPerson(api.db, { email: 'op@example.com', password: 'a password' });
    const asked: [string, object, Record<string, string>?][] = [
      ['login', { email, password: 'a password' }],
      ['forgot-password', { email }],
      ['login/second-factor', { challenge: 'x', code: '123456' }],
      ['login/passkey', { challenge: 'x' }],
      ['set-password', { token: 'x', password: 'a new password' }],
      [
        'change-password',
        { currentPassword: 'a password', newPassword: 'a new password' },
        { authorization: `Bearer ${sessionToken}` },
      ],
    ];
    for (const [path, body, headers] of asked) expect((await post(api, path, body, headers)).status).toBe(403);

    const unconnected = await signInAs({ sub: 'op', email });
    expect([unconnected.status, unconnected.body.error.message]).toEqual([
      403,
      expect.stringContaining('ask the operator'),
    ]);
    const { path } = await createSignInLink(api.db, email, systemClock);
    const token = path.slice(path.indexOf('=') + 1);
    expect((await post(api, 'sign-in-link', { token })).body.user.email).toBe(email);
    expect((await post(api, 'sign-in-link', { token })).status).toBe(401);
  });
});

test('a provider that does not answer is said, with nothing else harmed', async () => {
  const api = await startApi({ settings: settingsOf('http://127.0.0.1:1') });
  try {
    const { status, body } = await post(api, 'oidc/start', {});
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect((await request(api.app).get('/api/auth/sign-in')).status).toBe(200);
  } finally {
    await api.stop();
  }
});

test('a provider that names itself otherwise than the setting, as with a slash at the end, is told and logged with both names', async () => {
  const forged = await startForgedIssuer(CLIENT.id);
  forged.description = { issuer: `${forged.issuer}/realm/` };
  const api = await startApi({ settings: settingsOf(forged.issuer) });
  try {
    const { status, body } = await post(api, 'oidc/start', {});
    expect([status, body.error.message]).toEqual([
      503,
      `Okta names itself ${forged.issuer}/realm/, but OIDC_ISSUER is ${forged.issuer}: the operator must set the former`,
    ]);
    const line = api.logLines.find((one) => one.includes('cannot be used'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ set: forged.issuer, named: `${forged.issuer}/realm/` });
  } finally {
    await api.stop();
    await forged.close();
  }
});
