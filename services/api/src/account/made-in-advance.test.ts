import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { type ArrivedMail, type MailServer, startMailServer } from '@posthorn/testkit/mail-server';
import { type OidcIssuer, startOidcIssuer } from '@posthorn/testkit/oidc-issuer';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type TOTP, URI } from 'otpauth';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';
import { begin, finish, post, REGISTRATION, settingsOf, throughProvider } from '../../test/provider-sign-in.ts';
import { parseSmtpUrl } from '../mail/smtp-settings.ts';
import { runAdmin } from '../run-admin.ts';
import { createSignInLink } from './oidc/sign-in-link.ts';

// A stranger makes an account for an address that is somebody else's, and wants to be that person later.

const MADE = 'chosen by the maker';
const OWN = 'chosen by the owner';

let issuer: OidcIssuer;
let server: MailServer;
let api: ApiUnderTest;
/** The same installation without a mail server. */
let mute: ApiUnderTest;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  await issuer.register(REGISTRATION);
  server = await startMailServer();
  const settings = { ...settingsOf(issuer.issuer), SMTP_URL: parseSmtpUrl(`smtp://127.0.0.1:${server.port}`) };
  api = await startApi({ settings });
  mute = await startApi({ settings: settingsOf(issuer.issuer) });
});
afterAll(async () => {
  await Promise.all([api?.stop(), mute?.stop()]);
  await server?.close();
  await issuer?.close();
});

const anAddress = () => `${newUuid(new Date())}@example.org`;
const ofSession = (token: string, base = '/api/auth', on = api) => createCaller(on.app, { base, token });
const logIn = (email: string, password: string, on = api) => post(on, 'login', { email, password });

async function membersOf(on = api) {
  const { workspaceId } = await on.seedAnother();
  const { sessionToken } = await seedPerson(on.db, { workspaceId, role: 'owner' });
  return { workspaceId, call: ofSession(sessionToken, `/api/workspaces/${workspaceId}/members`, on) };
}

/** An account that an admin somewhere has made with a password, and the admin's session as this person. */
async function madeInAdvance(email = anAddress(), on = api) {
  const { call, workspaceId } = await membersOf(on);
  expect((await call('post', '', { email, role: 'member', password: MADE })).body.status).toBe('active');
  const { body } = await logIn(email, MADE, on);
  return { email, workspaceId, token: body.token as string };
}

const mailsTo = (address: string) => server.mails.filter(({ to }) => to.includes(address));
async function mailTo(address: string, about: RegExp): Promise<ArrivedMail> {
  const found = () => mailsTo(address).findLast(({ subject }) => about.test(subject));
  return waitFor(found, { what: `a mail to ${address}` });
}
const tokenIn = ({ text }: ArrivedMail) => /\/set-password#token=([\w-]+)/.exec(text)?.[1] ?? '';

async function resetByMail(email: string) {
  const resets = () => mailsTo(email).filter(({ subject }) => subject === 'Set a new Posthorn password');
  const before = resets().length;
  await post(api, 'forgot-password', { email }).expect(204);
  const token = tokenIn(await waitFor(() => resets()[before], { what: 'the mail of the reset' }));
  await post(api, 'set-password', { token, password: OWN }).expect(204);
}

async function signInAs(
  person: Partial<OidcIssuer['person']>,
  { session, password, on = api }: { session?: string; password?: string; on?: ApiUnderTest } = {},
) {
  issuer.person = { sub: newUuid(new Date()), email_verified: true, ...person };
  const { url, cookie } = await begin(on, session, password);
  return finish(on, await throughProvider(url), cookie);
}

test('the maker connects no person of the provider with an address other than the account’s, and adds no second factor', async () => {
  const { email, token } = await madeInAdvance();
  const connected = await signInAs({ sub: 'maker', email: 'maker@example.net' }, { session: token, password: MADE });
  expect([connected.status, connected.body.error.message]).toEqual([403, expect.stringContaining('First prove that')]);
  const call = ofSession(token);
  for (const path of ['/second-factor/authenticator', '/second-factor/passkeys/options']) {
    expect(codeOf(await call('post', path, {}))).toBe('forbidden');
  }
  const user = await api.db.user.findUniqueOrThrow({ where: { email }, include: { identities: true } });
  expect([user.identities, user.addressProvenAt]).toEqual([[], null]);
});

test('a reset by mail ends every way to a session that was there before, the mail says so, and what was added after it stays', async () => {
  const { email, workspaceId, token } = await madeInAdvance();
  const user = await api.db.user.findUniqueOrThrow({ where: { email } });
  // As an earlier release let the maker do.
  await api.db.identity.create({ data: { issuer: issuer.issuer, subject: 'earlier', userId: user.id } });
  const secretSealed = new Uint8Array(40);
  await api.db.authenticator.create({
    data: { id: newUuid(new Date()), userId: user.id, isConfirmed: true, secretSealed },
  });
  const made = { workspaceId: uuidOf('ws', workspaceId), createdBy: user.id, scopes: ['read'], preview: 'phm_…abcd' };
  await api.db.managementToken.create({
    data: { ...made, id: newUuid(new Date()), name: 'Old https://evil.example.com token', digest: secretSealed },
  });

  await resetByMail(email);
  expect((await ofSession(token)('get', '/me')).status).toBe(401);
  expect((await signInAs({ sub: 'earlier', email: 'maker@example.net' })).status).toBe(403);
  const entered = await logIn(email, OWN);
  expect([entered.status, typeof entered.body.token]).toEqual([200, 'string']);
  const mail = await mailTo(email, /have ended/);
  expect(mail.text).toContain('1 session, 1 connection with the sign-in provider, 1 authenticator app, 0 passkeys');
  expect(mail.text).toMatch(/Management token “Old .*” \(phm_…abcd\)/);
  expect(mail.text).not.toContain('https://evil.example.com');
  expect(await api.db.managementToken.count({ where: { createdBy: user.id } })).toBe(1);

  const own = ofSession(entered.body.token);
  const { uri } = (await own('post', '/second-factor/authenticator', {}).expect(201)).body;
  await own('post', '/second-factor/authenticator/confirm', { code: (URI.parse(uri) as TOTP).generate() }).expect(200);
  expect((await signInAs({ sub: 'own', email: 'elsewhere@example.net' }, { session: entered.body.token })).status).toBe(
    200,
  );
  // A second reset is no first proof.
  await resetByMail(email);
  expect((await logIn(email, OWN)).body.methods).toContain('authenticator');
  expect(await api.db.identity.count({ where: { userId: user.id } })).toBe(1);
});

test('an invitation is accepted with the mailed link alone: the answer has no token, and the workspace cannot accept it itself', async () => {
  const { call } = await membersOf();
  const email = anAddress();
  const invited = (await call('post', '', { email, role: 'admin' })).body;
  const again = (await call('post', `/${invited.userId}/reinvite`)).body;
  expect([invited.setPasswordToken, again.setPasswordToken]).toEqual([null, null]);
  const mails = await waitFor(() => (mailsTo(email).length === 2 ? mailsTo(email) : undefined), { what: 'two mails' });
  const replies = [];
  for (const mail of mails) {
    replies.push((await post(api, 'set-password', { token: tokenIn(mail), password: OWN })).status);
  }
  expect(replies.toSorted()).toEqual([204, 401]);
  expect((await api.db.user.findUniqueOrThrow({ where: { email } })).addressProvenAt).not.toBeNull();
});

test('a mailed invitation that the owner accepts with the password ends the sessions of whoever made the account', async () => {
  const { email, token } = await madeInAdvance();
  const { call } = await membersOf();
  await call('post', '', { email, role: 'admin' }).expect(201);
  await post(api, 'set-password', { token: tokenIn(await mailTo(email, /invited/)), password: MADE }).expect(204);
  expect((await ofSession(token)('get', '/me')).status).toBe(401);
  expect((await mailTo(email, /have ended/)).text).toContain('1 session,');
});

test('a provider that has verified the account’s own address proves it, and ends what was there before', async () => {
  const { email, token } = await madeInAdvance();
  const user = await api.db.user.findUniqueOrThrow({ where: { email } });
  await api.db.identity.create({ data: { issuer: issuer.issuer, subject: 'maker of it', userId: user.id } });
  const connected = await signInAs({ sub: 'the owner', email }, { session: token, password: MADE });
  expect(connected.status).toBe(200);
  expect((await ofSession(token)('get', '/me')).status).toBe(401);
  expect((await ofSession(connected.body.token)('get', '/me')).body).toMatchObject({
    isAddressProven: true,
    provider: { isConnected: true },
  });
  expect((await signInAs({ sub: 'maker of it', email: 'maker@example.net' })).status).toBe(403);
});

test('a recent sign-in is not enough to connect a provider that proves the address: the password must be typed in', async () => {
  const { email, token } = await madeInAdvance();
  const connect = (body: object) => ofSession(token)('post', '/oidc/connect', { returnTo: '/account', ...body });
  expect((await connect({})).body.error).toMatchObject({ code: 'validation_error' });
  expect(codeOf(await connect({ currentPassword: 'a guess of mine' }))).toBe('unauthorized');
  expect((await connect({ currentPassword: MADE })).status).toBe(200);
  // A person who has proved the address needs no password so soon after the sign-in.
  await resetByMail(email);
  const own = ofSession((await logIn(email, OWN)).body.token);
  expect((await own('post', '/oidc/connect', { returnTo: '/account' })).status).toBe(200);
});

test('a membership that was there before the proof stays, makes nobody a reader of alerts, and the mail names it', async () => {
  const { email, workspaceId } = await madeInAdvance();
  await api.db.workspace.update({ where: { id: uuidOf('ws', workspaceId) }, data: { name: 'Unknown to you' } });
  await resetByMail(email);
  const { id } = await api.db.user.findUniqueOrThrow({ where: { email } });
  const before = await api.db.member.findFirstOrThrow({ where: { userId: id } });
  expect(before.alertsStoppedAt).not.toBeNull();
  expect((await mailTo(email, /have ended/)).text).toContain('member of “Unknown to you” (member)');
  // A person who accepts an invitation after the proof agrees to the membership.
  const { call } = await membersOf();
  const invited = (await call('post', '', { email, role: 'viewer' }).expect(201)).body.userId;
  const own = ofSession((await logIn(email, OWN)).body.token, '/api/auth/invitations');
  await own('post', `/${invited}/accept`).expect(204);
  const members = await api.db.member.findMany({ where: { userId: id, alertsStoppedAt: null } });
  expect(members).toMatchObject([{ role: 'viewer' }]);
});

test('a sign-in link of the operator ends the password and what was there before, but nothing of an account of the operator', async () => {
  const link = async (email: string) => {
    const { path } = await createSignInLink(api.db, email, api.services.clock);
    return (await post(api, 'sign-in-link', { token: path.split('=')[1] }).expect(200)).body.token as string;
  };
  const { email, token } = await madeInAdvance();
  const entered = await link(email);
  expect((await ofSession(token)('get', '/me')).status).toBe(401);
  expect((await ofSession(entered)('get', '/me')).status).toBe(200);
  expect((await logIn(email, MADE)).status).toBe(401);
  expect((await mailTo(email, /have ended/)).text).toContain('a link of the operator, and its password has ended');

  const byOperator = await seedPerson(api.db, { isProven: false, password: OWN });
  await api.db.user.update({ where: { email: byOperator.email }, data: { isByOperator: true } });
  await link(byOperator.email);
  expect((await ofSession(byOperator.sessionToken)('get', '/me')).status).toBe(200);
  expect((await logIn(byOperator.email, OWN)).status).toBe(200);
});

test('a reset by the operator ends the same, and proves nothing', async () => {
  const { email, token } = await madeInAdvance();
  const lines: string[] = [];
  const terminal = {
    environment: { DATABASE_URL: api.databaseUrl },
    readInput: async () => '',
    write: (text: string) => void lines.push(text),
    writeError: (text: string) => void lines.push(text),
  };
  expect(await runAdmin(['reset-password', '--email', email], terminal)).toBe(0);
  const { setPasswordToken } = JSON.parse(lines.join(''));
  await post(api, 'set-password', { token: setPasswordToken, password: OWN }).expect(204);
  expect((await ofSession(token)('get', '/me')).status).toBe(401);
  expect((await api.db.user.findUniqueOrThrow({ where: { email } })).addressProvenAt).toBeNull();
});

test('an account of the operator adds a second factor unproven; without a mail server every account does, and a passed-on token proves nothing', async () => {
  const byOperator = await seedPerson(api.db, { isProven: false, password: OWN });
  const adds = (token: string, on: ApiUnderTest) =>
    ofSession(token, '/api/auth', on)('post', '/second-factor/authenticator', {});
  expect((await adds(byOperator.sessionToken, api)).status).toBe(403);
  await api.db.user.update({ where: { email: byOperator.email }, data: { isByOperator: true } });
  expect((await adds(byOperator.sessionToken, api)).status).toBe(201);

  const { call } = await membersOf(mute);
  const email = anAddress();
  const { setPasswordToken } = (await call('post', '', { email, role: 'member' })).body;
  await post(mute, 'set-password', { token: setPasswordToken, password: OWN }).expect(204);
  const { token } = (await logIn(email, OWN, mute)).body;
  expect((await ofSession(token, '/api/auth', mute)('get', '/me')).body.isAddressProven).toBe(false);
  expect((await adds(token, mute)).status).toBe(201);
  // Somebody who has passed the token on may still be signed in: this needs a proof of the address everywhere.
  expect((await signInAs({ email: 'other@example.net' }, { session: token, password: OWN, on: mute })).status).toBe(
    403,
  );
  expect((await signInAs({ email }, { session: token, password: OWN, on: mute })).status).toBe(200);
});

test('at the sign-in with a provider nobody becomes a member or an owner unasked, and each invitation is answered by itself', async () => {
  const email = anAddress();
  const invitations = [];
  for (let n = 0; n < 4; n += 1) {
    const { call } = await membersOf();
    invitations.push((await call('post', '', { email, role: 'owner' }).expect(201)).body.userId);
  }
  const { body } = await signInAs({ sub: email, email });
  const userId = uuidOf('usr', body.user.id);
  expect([body.openInvitations, await api.db.member.count({ where: { userId } })]).toEqual([4, 0]);
  const own = ofSession(body.token, '/api/auth/invitations');
  const { body: asked } = await own('get');
  expect(asked.map(({ id }: { id: string }) => id)).toEqual(invitations);
  await own('post', `/${invitations[0]}/accept`).expect(204);
  await own('post', `/${invitations[1]}/decline`).expect(204);
  expect((await own('post', `/${invitations[1]}/accept`)).status).toBe(404);
  expect(await api.db.member.findMany({ where: { userId } })).toMatchObject([{ role: 'owner' }]);
  const entry = await api.db.auditEntry.findFirstOrThrow({ where: { action: 'member.declined' } });
  expect([entry.actorLabel, entry.resourceId]).toEqual([email, invitations[1]]);

  // Nobody else answers them, and an account whose address is not proved sees none.
  const stranger = await seedPerson(api.db);
  expect(
    (await ofSession(stranger.sessionToken, '/api/auth/invitations')('post', `/${invitations[2]}/accept`)).status,
  ).toBe(404);
  const unproven = await madeInAdvance();
  const elsewhere = await membersOf();
  await elsewhere.call('post', '', { email: unproven.email, role: 'viewer' }).expect(201);
  expect((await ofSession(unproven.token, '/api/auth/invitations')('get')).body).toEqual([]);

  // An address that a former provider has verified may be somebody else's by now.
  expect((await own('get')).body).toHaveLength(2);
  await api.db.user.update({ where: { id: userId }, data: { addressProvenAt: null } });
  expect((await own('get')).body).toHaveLength(2);
  await api.db.identity.updateMany({ where: { userId }, data: { issuer: 'https://former.example.org' } });
  expect((await own('get')).body).toEqual([]);
});

test('an invitation as an owner is refused while the person owns as many workspaces as are allowed', async () => {
  const few = await startApi({ maxWorkspacesPerUser: 1 });
  try {
    const { call } = await membersOf(few);
    const person = await seedPerson(few.db, { workspaceId: (await few.seedAnother()).workspaceId, role: 'owner' });
    const { userId } = (await call('post', '', { email: person.email, role: 'owner' })).body;
    const accept = () =>
      request(few.app)
        .post(`/api/auth/invitations/${userId}/accept`)
        .set('authorization', `Bearer ${person.sessionToken}`);
    expect(codeOf(await accept())).toBe('limit_reached');
    await few.db.member.deleteMany({ where: { userId: uuidOf('usr', person.userId) } });
    expect((await accept()).status).toBe(204);
  } finally {
    await few.stop();
  }
});
