import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@posthorn/contract/access';
import { newUuid } from '@posthorn/contract/ids';
import { type TOTP, URI } from 'otpauth';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../../test/api-under-test.ts';
import { codeOf, createCaller, managementCaller, tally } from '../../../test/caller.ts';
import { type SeededPerson, seedPerson, uuidOf } from '../../../test/people.ts';
import { runAdmin } from '../../run-admin.ts';

const password = 'correct horse battery';
/** Seven digits are neither the code of an app nor a recovery code. */
const WRONG = '0000000';
const MINUTE_MS = 60_000;
const PERIOD_MS = 30_000;

let api: ApiUnderTest;
/** The clock stands still within a test, so that no period ends between a code and its check. */
const startedAtMs = Date.now();
const nowMs = () => startedAtMs + offsetMs;
/** Each test begins some periods after the one before it, so that no code is of a used period. */
let offsetMs = 0;
/** Each test has an address of its own, so that its failures count for no other. */
let address = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(nowMs()), monotonicMs: () => performance.now() };
  api = await startApi({ clock, trustedProxies: 1, rateLimits: { management: 0, ingest: 0 } });
});
beforeEach(() => {
  offsetMs += 10 * PERIOD_MS;
  address += 1;
});
afterAll(() => api.stop());

const from = () => `203.0.113.${address}`;
const post = (path: string, body: unknown, given = from()) =>
  request(api.app).post(`/api${path}`).set('x-forwarded-for', given).send(Object(body));
const logIn = (email: string) => post('/auth/login', { email, password });
const finish = (challenge: string, code: string, given?: string) =>
  post('/auth/login/second-factor', { challenge, code }, given);
const callerOf = (token: string, base = '/api/auth') => createCaller(api.app, { base, token });
const workspaceOf = (token: string) => callerOf(token, `/api/workspaces/${api.workspaceId}`);
const appOf = (uri: string) => URI.parse(uri) as TOTP;
const codeAt = (app: TOTP, laterMs = 0) => app.generate({ timestamp: nowMs() + laterMs });

async function person(role: Role = 'member'): Promise<SeededPerson> {
  const email = `${newUuid(new Date())}@example.com`;
  const seeded = await seedPerson(api.db, { email, password, workspaceId: api.workspaceId, role });
  const createdAt = new Date(nowMs());
  const expiresAt = new Date(nowMs() + 60 * MINUTE_MS);
  await api.db.session.updateMany({ where: { userId: uuidOf('usr', seeded.userId) }, data: { createdAt, expiresAt } });
  return seeded;
}

/** A person with an app in use, whose codes of the present period are not used. */
async function personWithApp(role?: Role) {
  const seeded = await person(role);
  const account = callerOf(seeded.sessionToken);
  const { body } = await account('post', '/second-factor/authenticator', {}).expect(201);
  const app = appOf(body.uri);
  const confirmed = await account('post', '/second-factor/authenticator/confirm', { code: codeAt(app) }).expect(200);
  offsetMs += 2 * PERIOD_MS;
  return { ...seeded, app, account, recoveryCodes: confirmed.body.recoveryCodes as string[] };
}

async function challengeOf(email: string): Promise<string> {
  const reply = await logIn(email).expect(200);
  return reply.body.challenge;
}

const actionsOf = async (userId: string) => {
  const entries = await api.db.auditEntry.findMany({ where: { resourceId: userId }, orderBy: { id: 'asc' } });
  return entries.map(({ action }) => action);
};

describe('an authenticator app is set up', () => {
  test('with a secret, a confirming code and ten recovery codes that are shown once and stored as hashes', async () => {
    const { sessionToken, email, userId } = await person();
    const account = callerOf(sessionToken);
    const begun = await account('post', '/second-factor/authenticator', {});
    expect(codeOf(begun)).toBe(201);
    const app = appOf(begun.body.uri);
    expect(app).toMatchObject({ issuer: 'Posthorn', label: email, digits: 6, period: 30, algorithm: 'SHA1' });
    expect(app.secret.base32).toBe(begun.body.secret);
    // Until it is confirmed, nothing changes.
    expect((await logIn(email)).body).toMatchObject({ token: expect.stringMatching(/^phs_/) });
    const wrong = await account('post', '/second-factor/authenticator/confirm', { code: WRONG });
    expect([codeOf(wrong), wrong.body.error.details[0].field]).toEqual(['validation_error', 'code']);

    const confirmed = await account('post', '/second-factor/authenticator/confirm', { code: codeAt(app) });
    expect(confirmed.status).toBe(200);
    const { recoveryCodes } = confirmed.body;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9a-hj-km-np-tv-z]{4}-){3}[0-9a-hj-km-np-tv-z]{4}$/);
    expect((await account('get', '/second-factor')).body).toEqual({
      authenticator: { createdAt: expect.any(String) },
      passkeys: [],
      recoveryCodesLeft: 10,
      requiredBy: [],
    });
    expect(await actionsOf(userId)).toContain('member.second_factor_added');

    const id = uuidOf('usr', userId);
    const stored = [await api.db.authenticator.findMany({ where: { userId: id } })];
    const hashes = await api.db.recoveryCode.findMany({ where: { userId: id } });
    const bytes = Buffer.concat([...stored.flat().map((row) => row.secretSealed), ...hashes.map((row) => row.digest)]);
    expect(bytes.includes(Buffer.from(app.secret.bytes))).toBe(false);
    expect(bytes.includes(Buffer.from(recoveryCodes[0]))).toBe(false);
  });

  test('the first one ends every other session of the person, because it began without one', async () => {
    const { sessionToken, email } = await person();
    const other = (await logIn(email)).body.token;
    const account = callerOf(sessionToken);
    const { body } = await account('post', '/second-factor/authenticator', {});
    await account('post', '/second-factor/authenticator/confirm', { code: codeAt(appOf(body.uri)) }).expect(200);
    expect((await account('get', '/me')).status).toBe(200);
    expect((await callerOf(other)('get', '/me')).status).toBe(401);
  });

  test('a new app replaces the one in use when it is confirmed, and the recovery codes stay', async () => {
    const { account, app, email, recoveryCodes } = await personWithApp();
    const { body } = await account('post', '/second-factor/authenticator', {}).expect(201);
    expect((await finish(await challengeOf(email), codeAt(app))).status).toBe(200);
    const next = appOf(body.uri);
    const confirmed = await account('post', '/second-factor/authenticator/confirm', { code: codeAt(next) }).expect(200);
    expect(confirmed.body).toEqual({ recoveryCodes: null });
    offsetMs += 2 * PERIOD_MS;
    const challenge = await challengeOf(email);
    expect(codeOf(await finish(challenge, codeAt(app)))).toBe('unauthorized');
    expect((await finish(challenge, codeAt(next))).status).toBe(200);
    expect((await finish(await challengeOf(email), recoveryCodes[0] ?? '')).status).toBe(200);
  });

  test('a setup that is not confirmed within an hour is not found, and neither is a second confirmation', async () => {
    const { account } = await personWithApp();
    const confirm = (code: string) => account('post', '/second-factor/authenticator/confirm', { code });
    expect(codeOf(await confirm('123456'))).toBe('not_found');
    const { body } = await account('post', '/second-factor/authenticator', {});
    offsetMs += 61 * MINUTE_MS;
    expect(codeOf(await confirm(codeAt(appOf(body.uri))))).toBe('not_found');
  });

  test('more than 10 minutes after the sign-in each change needs the password of the account', async () => {
    const { account, userId } = await personWithApp();
    offsetMs += 11 * MINUTE_MS;
    for (const path of ['authenticator', 'recovery-codes', 'authenticator/remove']) {
      const without = await account('post', `/second-factor/${path}`, {});
      expect([codeOf(without), without.body.error.details?.[0].field]).toEqual(['validation_error', 'currentPassword']);
      const wrong = await account('post', `/second-factor/${path}`, { currentPassword: 'not this one' });
      expect(codeOf(wrong)).toBe('unauthorized');
      const right = await account('post', `/second-factor/${path}`, { currentPassword: password });
      expect(right.status).toBeLessThan(300);
    }
    expect(await actionsOf(userId)).toEqual(
      expect.arrayContaining(['auth.login_failed', 'member.recovery_codes_renewed', 'member.second_factor_removed']),
    );
  });

  test('after its removal the password alone signs in, and the recovery codes are gone', async () => {
    const { account, email } = await personWithApp();
    const waiting = await challengeOf(email);
    expect((await account('post', '/second-factor/authenticator/remove', {})).status).toBe(204);
    expect((await logIn(email)).body).toMatchObject({ token: expect.stringMatching(/^phs_/) });
    const status = { authenticator: null, passkeys: [], recoveryCodesLeft: 0, requiredBy: [] };
    expect((await account('get', '/second-factor')).body).toEqual(status);
    expect(codeOf(await finish(waiting, WRONG))).toBe('not_found');
    for (const path of ['authenticator/remove', 'recovery-codes']) {
      expect(codeOf(await account('post', `/second-factor/${path}`, {}))).toBe('not_found');
    }
  });
});

describe('a login with a second factor', () => {
  test('is answered with a challenge, no session and no cookie; the code gives both', async () => {
    const { app, email, userId } = await personWithApp();
    const first = await logIn(email);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['authenticator', 'recovery_code'],
      expiresAt: expect.any(String),
    });
    expect(first.get('set-cookie')).toBeUndefined();
    const sessions = () => api.db.session.count({ where: { userId: uuidOf('usr', userId) } });
    const before = await sessions();
    const code = codeAt(app);
    const second = await finish(first.body.challenge, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(second.status).toBe(200);
    expect(second.body).toEqual({
      token: expect.stringMatching(/^phs_/),
      expiresAt: expect.any(String),
      user: expect.objectContaining({ id: userId, email }),
    });
    expect(second.get('set-cookie')).toEqual([
      expect.stringMatching(/^posthorn_session=/),
      expect.stringMatching(/^posthorn_device=/),
    ]);
    expect(await sessions()).toBe(before + 1);
    expect((await callerOf(second.body.token)('get', '/me')).status).toBe(200);
  });

  test('the codes of the period before and the one after are accepted, and none farther away', async () => {
    const { app, email } = await personWithApp();
    const challenge = await challengeOf(email);
    for (const laterMs of [-2 * PERIOD_MS, 2 * PERIOD_MS]) {
      expect(codeOf(await finish(challenge, codeAt(app, laterMs)))).toBe('unauthorized');
    }
    expect((await finish(challenge, codeAt(app, -PERIOD_MS))).status).toBe(200);
    expect((await finish(await challengeOf(email), codeAt(app, PERIOD_MS))).status).toBe(200);
  });

  test('a code is accepted once, and an earlier one is refused after it', async () => {
    const { app, email } = await personWithApp();
    const code = codeAt(app);
    expect((await finish(await challengeOf(email), code)).status).toBe(200);
    const challenge = await challengeOf(email);
    expect(codeOf(await finish(challenge, code))).toBe('unauthorized');
    expect(codeOf(await finish(challenge, codeAt(app, -PERIOD_MS)))).toBe('unauthorized');
  });

  test('the code that confirmed the app signs nobody in', async () => {
    const { app, email } = await personWithApp();
    offsetMs -= 2 * PERIOD_MS;
    expect(codeOf(await finish(await challengeOf(email), codeAt(app)))).toBe('unauthorized');
    offsetMs += 2 * PERIOD_MS;
  });

  test('of many requests at once with one code, for one challenge or for several, one signs in', async () => {
    const { app, email } = await personWithApp();
    const challenges = [await challengeOf(email), await challengeOf(email), await challengeOf(email)];
    const requests = challenges.flatMap((challenge) => [challenge, challenge, challenge]);
    const answers = await Promise.all(
      requests.map((challenge, index) => finish(challenge, codeAt(app), `198.51.100.${index}`)),
    );
    expect(tally(answers.map(codeOf))[200]).toBe(1);
  });

  test('each recovery code signs in once, however it is typed, and even when it is given twice at once', async () => {
    const { email, userId, account, recoveryCodes } = await personWithApp();
    const [one = '', two = ''] = recoveryCodes;
    const typed = one.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l');
    expect((await finish(await challengeOf(email), typed)).status).toBe(200);
    expect(codeOf(await finish(await challengeOf(email), one))).toBe('unauthorized');
    const both = [await challengeOf(email), await challengeOf(email)];
    const answers = await Promise.all(both.map((challenge, index) => finish(challenge, two, `198.51.100.${index}`)));
    expect(tally(answers.map(codeOf))).toEqual({ 200: 1, unauthorized: 1 });
    expect((await account('get', '/second-factor')).body.recoveryCodesLeft).toBe(8);
    expect((await actionsOf(userId)).filter((action) => action === 'member.recovery_code_used')).toHaveLength(2);
    await account('post', '/second-factor/recovery-codes', {}).expect(201);
    expect(codeOf(await finish(await challengeOf(email), recoveryCodes[2] ?? ''))).toBe('unauthorized');
  });

  test('the code and the recovery codes of another account are wrong', async () => {
    const mine = await personWithApp();
    const other = await personWithApp();
    const challenge = await challengeOf(mine.email);
    expect(codeOf(await finish(challenge, codeAt(other.app)))).toBe('unauthorized');
    expect(codeOf(await finish(challenge, other.recoveryCodes[0] ?? ''))).toBe('unauthorized');
    // The challenge of another person takes only that person's codes.
    expect(codeOf(await finish(await challengeOf(other.email), codeAt(mine.app)))).toBe('unauthorized');
  });

  test('five wrong codes end it, also in parallel and from several addresses: the right one comes too late', async () => {
    const { app, email, userId } = await personWithApp();
    const challenge = await challengeOf(email);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => finish(challenge, WRONG, `198.51.100.${index}`)),
    );
    expect(tally(answers.map(codeOf))).toEqual({ unauthorized: 5, not_found: 7 });
    expect(answers.filter(({ text }) => text.includes('start again')).length).toBeGreaterThan(0);
    expect(codeOf(await finish(challenge, codeAt(app)))).toBe('not_found');
    expect((await finish(await challengeOf(email), codeAt(app))).status).toBe(200);
    expect(await actionsOf(userId)).toContain('auth.login_failed');
  });

  test('wrong codes count as failed logins: after 10 from one address in 15 minutes none is checked', async () => {
    const { app, email } = await personWithApp();
    for (const challenge of [await challengeOf(email), await challengeOf(email)]) {
      for (let index = 0; index < 5; index += 1) {
        expect(codeOf(await finish(challenge, WRONG))).toBe('unauthorized');
      }
    }
    const refused = await finish(await challengeOf(email), codeAt(app));
    expect([codeOf(refused), Number(refused.get('retry-after'))]).toEqual(['rate_limited', expect.any(Number)]);
    expect((await finish(await challengeOf(email), codeAt(app), '198.51.100.99')).status).toBe(200);
  });

  test('a challenge that ended, was used or never existed is not found', async () => {
    const { app, email, recoveryCodes } = await personWithApp();
    const used = await challengeOf(email);
    await finish(used, codeAt(app)).expect(200);
    const late = await challengeOf(email);
    offsetMs += 10 * MINUTE_MS;
    for (const challenge of [used, late, 'never']) {
      expect(codeOf(await finish(challenge, recoveryCodes[0] ?? ''))).toBe('not_found');
    }
    // None of them used up the code.
    expect((await finish(await challengeOf(email), recoveryCodes[0] ?? '')).status).toBe(200);
  });

  test('a password that was changed or reset meanwhile ends it, and a reset does not skip the second factor', async () => {
    const { account, app, email, recoveryCodes } = await personWithApp();
    const challenge = await challengeOf(email);
    const changed = { currentPassword: password, newPassword: 'another horse battery' };
    await account('post', '/change-password', changed).expect(204);
    expect(codeOf(await finish(challenge, recoveryCodes[0] ?? ''))).toBe('not_found');

    const printed = await admin('reset-password', '--email', email);
    const reset = await post('/auth/set-password', { token: JSON.parse(printed).setPasswordToken, password });
    expect(reset.status).toBe(204);
    expect(reset.get('set-cookie')).toBeUndefined();
    expect((await logIn(email)).body).toEqual(expect.not.objectContaining({ token: expect.anything() }));
    expect((await finish(await challengeOf(email), codeAt(app))).status).toBe(200);
  });

  test('a challenge of a former password uses up no recovery code, and is not found with a wrong code either', async () => {
    const { account, email, userId, recoveryCodes } = await personWithApp();
    const challenge = await challengeOf(email);
    const changed = { currentPassword: password, newPassword: 'another horse battery' };
    await account('post', '/change-password', changed).expect(204);
    for (const code of [recoveryCodes[0] ?? '', WRONG]) expect(codeOf(await finish(challenge, code))).toBe('not_found');
    expect(codeOf(await post('/auth/login/passkey', { challenge }))).toBe('not_found');
    expect((await account('get', '/second-factor')).body.recoveryCodesLeft).toBe(10);
    expect(await actionsOf(userId)).not.toContain('member.recovery_code_used');
  });

  test('a person has at most 20 sign-ins that wait, and ended ones are forgotten', async () => {
    const { app, email, userId } = await personWithApp();
    const first = await challengeOf(email);
    for (let index = 0; index < 20; index += 1) await challengeOf(email);
    const count = () => api.db.signInChallenge.count({ where: { userId: uuidOf('usr', userId) } });
    expect(await count()).toBe(20);
    expect(codeOf(await finish(first, codeAt(app)))).toBe('not_found');
    offsetMs += 11 * MINUTE_MS;
    await challengeOf(email);
    expect(await count()).toBe(1);
  });
});

describe('posthorn-admin reset-second-factor', () => {
  test('removes it with the recovery codes, ends every session, and enters it in the audit log', async () => {
    const { account, app, email, userId } = await personWithApp();
    const waiting = await challengeOf(email);
    expect(JSON.parse(await admin('reset-second-factor', '--email', email.toUpperCase()))).toEqual({
      userId,
      removed: { authenticators: 1, passkeys: 0, recoveryCodes: 10, sessions: 1 },
    });
    expect((await account('get', '/me')).status).toBe(401);
    expect(codeOf(await finish(waiting, codeAt(app)))).toBe('not_found');
    expect((await logIn(email)).body).toMatchObject({ token: expect.stringMatching(/^phs_/) });
    expect(await actionsOf(userId)).toContain('member.second_factor_reset');
  });

  test('an address without an account is an error', async () => {
    expect(await admin('reset-second-factor', '--email', 'nobody@example.com')).toMatch(/no account has the email/);
  });
});

describe('a workspace that requires a second factor', () => {
  const requires = (requireSecondFactor: boolean) => ({ requireSecondFactor });
  beforeEach(() => api.db.workspace.updateMany({ data: requires(false) }));

  test('an owner requires it who has one: then members without one can do nothing but set one up', async () => {
    const owner = await personWithApp('owner');
    const before = await person('member');
    const own = workspaceOf(owner.sessionToken);
    expect((await own('patch', '', requires(true))).body).toMatchObject(requires(true));
    const entry = await api.db.auditEntry.findFirst({
      where: { action: 'workspace.updated' },
      orderBy: { id: 'desc' },
    });
    expect(entry?.metadata).toMatchObject({ changes: { requireSecondFactor: { from: false, to: true } } });

    // Neither a session from before the requirement nor one that begins now with the password alone may be used.
    for (const token of [before.sessionToken, (await logIn(before.email)).body.token]) {
      const member = workspaceOf(token);
      for (const path of ['', '/environments', '/members', '/live']) {
        const refused = await member('get', path);
        expect([refused.status, codeOf(refused)]).toEqual([403, 'second_factor_required']);
        expect(refused.body.error.message).toMatch(/set one up on your account page/);
      }
      expect(codeOf(await member('post', '/environments', { name: 'New', slug: 'new' }))).toBe(
        'second_factor_required',
      );
    }
    const account = callerOf(before.sessionToken);
    const { body: status } = await account('get', '/second-factor');
    expect(status.requiredBy).toHaveLength(1);
    const { body } = await account('post', '/second-factor/authenticator', {});
    expect(codeOf(await workspaceOf(before.sessionToken)('get'))).toBe('second_factor_required');
    await account('post', '/second-factor/authenticator/confirm', { code: codeAt(appOf(body.uri)) }).expect(200);
    expect((await workspaceOf(before.sessionToken)('get')).status).toBe(200);
    // Without it, the same session is refused again.
    await account('post', '/second-factor/authenticator/remove', {}).expect(204);
    expect(codeOf(await workspaceOf(before.sessionToken)('get'))).toBe('second_factor_required');
    expect((await own('patch', '', requires(false))).status).toBe(200);
    expect((await workspaceOf(before.sessionToken)('get')).status).toBe(200);
  });

  test('an owner without one cannot require it, and no token can while no owner has one', async () => {
    const owner = await person('owner');
    const refused = await workspaceOf(owner.sessionToken)('patch', '', requires(true));
    expect([codeOf(refused), refused.body.error.message]).toEqual([
      'second_factor_required',
      expect.stringMatching(/your own account/),
    ]);
    const other = await api.seedAnother();
    const management = managementCaller(api.app, other);
    expect(codeOf(await management('patch', '', requires(true)))).toBe('second_factor_required');
    const { userId } = await personWithApp();
    const workspaceId = uuidOf('ws', other.workspaceId);
    await api.db.member.create({ data: { workspaceId, userId: uuidOf('usr', userId), role: 'owner' } });
    expect((await management('patch', '', requires(true))).status).toBe(200);
    // Tokens belong to no person: they go on.
    expect((await management('get')).body).toMatchObject(requires(true));
  });

  test('somebody else’s workspace stays not found, whether it requires one or not', async () => {
    const stranger = await seedPerson(api.db);
    await api.db.workspace.updateMany({ data: requires(true) });
    expect(codeOf(await workspaceOf(stranger.sessionToken)('get'))).toBe('not_found');
  });

  test('owners and admins see in the list of members who has one, and others do not', async () => {
    const admin = await personWithApp('admin');
    const member = await person('member');
    const shown = async (token: string, userId: string) => {
      const { body } = await workspaceOf(token)('get', '/members?limit=100');
      return body.find((one: { userId: string }) => one.userId === userId)?.hasSecondFactor;
    };
    expect(await shown(admin.sessionToken, admin.userId)).toBe(true);
    expect(await shown(admin.sessionToken, member.userId)).toBe(false);
    expect(await shown(member.sessionToken, admin.userId)).toBeNull();
    const invited = await workspaceOf(admin.sessionToken)('post', '/members', {
      email: 'new@example.com',
      role: 'viewer',
    });
    expect(invited.body.hasSecondFactor).toBeNull();
  });
});

/** Runs the command, and returns what it prints or the message of its failure. */
async function admin(...command: string[]): Promise<string> {
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  const environment = { DATABASE_URL: api.databaseUrl };
  await runAdmin(command, { environment, readInput: async () => '', write, writeError: write });
  return printed;
}

test('wrong second factors of an account from many addresses are slowed down to one try in an hour, for a day', async () => {
  const { email, app } = await personWithApp();
  const outcomes: (string | number)[] = [];
  let address = 0;
  const guess = async (code: string) => {
    address += 1;
    const given = `198.51.100.${address}`;
    const { body } = await post('/auth/login', { email, password }, given);
    return finish(body.challenge, code, given);
  };
  for (let n = 0; n < 22; n += 1) outcomes.push(codeOf(await guess(WRONG)));
  expect(tally(outcomes)).toEqual({ unauthorized: 20, rate_limited: 2 });
  offsetMs += 61 * MINUTE_MS;
  // One try, which may be the owner's.
  expect((await guess(codeAt(app))).status).toBe(200);
  expect(codeOf(await guess(WRONG))).toBe('rate_limited');
});
