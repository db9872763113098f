import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import request from 'supertest';
import { startApi } from '../../../test/api-under-test.ts';
import { codeOf, createCaller, tally } from '../../../test/caller.ts';
import { seedPerson, uuidOf } from '../../../test/people.ts';
import { newSoftPasskey, type SoftPasskey } from '../../../test/soft-passkey.ts';
import { runAdmin } from '../../run-admin.ts';

const password = 'correct horse battery';
let address = 0;

const api = await startApi({ trustedProxies: 1, rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

/** Each request comes from another address, so that no failure counts for another test. */
function post(path: string, body: unknown) {
  address += 1;
  const from = `203.0.${address >> 8}.${address & 255}`;
  return request(api.app).post(`/api/auth${path}`).set('x-forwarded-for', from).send(Object(body));
}

async function person() {
  const email = `${newUuid(new Date())}@example.com`;
  const seeded = await seedPerson(api.db, { email, password, workspaceId: api.workspaceId, role: 'member' });
  return { ...seeded, account: createCaller(api.app, { base: '/api/auth/second-factor', token: seeded.sessionToken }) };
}

type Person = Awaited<ReturnType<typeof person>>;

async function add({ account }: Person, passkey: SoftPasskey, name = 'Laptop') {
  const { body } = await account('post', '/passkeys/options', {}).expect(200);
  return account('post', '/passkeys', { name, passkey: passkey.create(body.options) });
}

async function personWithPasskey() {
  const one = await person();
  const passkey = newSoftPasskey();
  const { status, body } = await add(one, passkey);
  expect(status).toBe(201);
  return { ...one, passkey, passkeyId: body.passkey.id as string, recoveryCodes: body.recoveryCodes as string[] };
}

const challengeOf = async (email: string): Promise<string> =>
  (await post('/login', { email, password })).body.challenge;
const optionsOf = async (challenge: string) => (await post('/login/passkey', { challenge }).expect(200)).body.options;
const finish = (challenge: string, passkey: unknown) => post('/login/second-factor', { challenge, passkey });

test('a passkey is added with its name and recovery codes, and finishes a login instead of a code', async () => {
  const { account, email, userId, passkey, recoveryCodes } = await personWithPasskey();
  expect(recoveryCodes).toHaveLength(10);
  expect((await account('get', '')).body).toEqual({
    authenticator: null,
    passkeys: [{ id: expect.stringMatching(/^psk_/), name: 'Laptop', createdAt: expect.any(String), lastUsedAt: null }],
    recoveryCodesLeft: 10,
    requiredBy: [],
  });
  const first = await post('/login', { email, password });
  expect(first.body).toEqual({
    challenge: expect.any(String),
    methods: ['passkey', 'recovery_code'],
    expiresAt: expect.any(String),
  });
  const options = await optionsOf(first.body.challenge);
  expect(options).toMatchObject({ rpId: 'localhost', challenge: expect.any(String) });
  const reply = await finish(first.body.challenge, passkey.sign(options));
  expect([reply.status, reply.body.user?.id, reply.get('set-cookie')?.length]).toEqual([200, userId, 2]);
  expect((await account('get', '')).body.passkeys[0].lastUsedAt).toEqual(expect.any(String));
  const actions = await api.db.auditEntry.findMany({ where: { resourceId: userId }, select: { action: true } });
  expect(actions).toContainEqual({ action: 'member.second_factor_added' });
});

test('the first passkey ends the other sessions, and a second one leaves the recovery codes as they are', async () => {
  const one = await person();
  const { token } = (await post('/login', { email: one.email, password })).body;
  expect((await add(one, newSoftPasskey())).status).toBe(201);
  const me = await request(api.app).get('/api/auth/me').set('authorization', `Bearer ${token}`);
  expect(me.status).toBe(401);
  const second = await add(one, newSoftPasskey(), 'Key');
  expect([second.status, second.body.recoveryCodes]).toEqual([201, null]);
});

test('a response is accepted once, for the last options of its own login, and by its own account', async () => {
  const mine = await personWithPasskey();
  const other = await personWithPasskey();
  const challenge = await challengeOf(mine.email);
  const earlier = await optionsOf(challenge);
  const options = await optionsOf(challenge);
  const refused = [
    mine.passkey.sign(earlier),
    mine.passkey.sign(options, 'https://evil.example'),
    mine.passkey.sign({ ...options, rpId: 'evil.example' }),
    other.passkey.sign(options),
  ];
  for (const response of refused) expect(codeOf(await finish(challenge, response))).toBe('unauthorized');
  const good = mine.passkey.sign(options);
  expect((await finish(challenge, good)).status).toBe(200);
  expect(codeOf(await finish(challenge, good))).toBe('not_found');
  const next = await challengeOf(mine.email);
  expect(codeOf(await finish(next, good))).toBe('unauthorized');
  await optionsOf(next);
  expect(codeOf(await finish(next, good))).toBe('unauthorized');
});

test('of many requests at once with one response, one signs in', async () => {
  const { email, passkey } = await personWithPasskey();
  const challenge = await challengeOf(email);
  const response = passkey.sign(await optionsOf(challenge));
  const answers = await Promise.all(Array.from({ length: 4 }, () => finish(challenge, response)));
  expect(tally(answers.map(codeOf))[200]).toBe(1);
});

test('a copy that has signed less often than the passkey is refused', async () => {
  const { email, passkey } = await personWithPasskey();
  for (let times = 0; times < 2; times += 1) {
    const challenge = await challengeOf(email);
    expect((await finish(challenge, passkey.sign(await optionsOf(challenge)))).status).toBe(200);
  }
  passkey.rewind(0);
  const challenge = await challengeOf(email);
  expect(codeOf(await finish(challenge, passkey.sign(await optionsOf(challenge))))).toBe('unauthorized');
});

test('a response that nobody can read is refused, and five end the login', async () => {
  const { email, passkey } = await personWithPasskey();
  const challenge = await challengeOf(email);
  const good = passkey.sign(await optionsOf(challenge));
  const broken = [
    { ...good, response: { ...good.response, signature: 'AAAA' } },
    { ...good, response: { ...good.response, authenticatorData: '' } },
    { ...good, response: { clientDataJSON: 'no json' } },
    { ...good, rawId: 'other' },
    { ...good, response: { ...good.response, clientDataJSON: '' } },
  ];
  for (const response of broken) expect(codeOf(await finish(challenge, response))).toBe('unauthorized');
  expect(codeOf(await finish(challenge, good))).toBe('not_found');
  expect(codeOf(await post('/login/passkey', { challenge }))).toBe('not_found');
});

test('an id of a passkey that no database can look up is a validation_error, and takes no try', async () => {
  const { email, passkey } = await personWithPasskey();
  const challenge = await challengeOf(email);
  const good = passkey.sign(await optionsOf(challenge));
  expect(codeOf(await finish(challenge, { ...good, id: 'a\u0000' }))).toBe('validation_error');
  expect((await finish(challenge, good)).status).toBe(200);
});

test.each([
  ['neither', {}],
  ['both', { code: '123456', passkey: newSoftPasskey().sign({ challenge: 'x', rpId: 'localhost' }) }],
])('%s of a code and a passkey is a validation_error', async (_name, given) => {
  const reply = await post('/login/second-factor', { challenge: 'x', ...given });
  expect([codeOf(reply), reply.body.error.details[0].field]).toEqual(['validation_error', 'code']);
});

test('a setup is signed once, by its own person and in time, and a passkey belongs to one account', async () => {
  const [one, other] = [await person(), await person()];
  const passkey = newSoftPasskey();
  const { body } = await one.account('post', '/passkeys/options', {});
  const made = passkey.create(body.options);
  const give = (to: Person, response: unknown) =>
    to.account('post', '/passkeys', { name: 'Laptop', passkey: response });
  expect(codeOf(await give(other, made))).toBe('not_found');
  const theirs = (await other.account('post', '/passkeys/options', {})).body.options;
  expect(codeOf(await give(other, made))).toBe('validation_error');
  const answers = await Promise.all([give(one, made), give(one, made)]);
  expect(tally(answers.map(codeOf))).toEqual({ 201: 1, not_found: 1 });
  expect(codeOf(await give(other, passkey.create(theirs)))).toBe('validation_error');
  await other.account('post', '/passkeys/options', {}).expect(200);
  await api.db.passkeySetup.updateMany({ data: { endsAt: new Date(Date.now() - 1_000) } });
  expect(codeOf(await give(other, newSoftPasskey().create(theirs)))).toBe('not_found');
  expect((await other.account('get', '')).body.recoveryCodesLeft).toBe(0);
});

test('an account has at most 10 passkeys', async () => {
  const one = await person();
  for (let index = 0; index < 10; index += 1) {
    expect((await add(one, newSoftPasskey())).status).toBe(201);
  }
  expect(codeOf(await one.account('post', '/passkeys/options', {}))).toBe('limit_reached');
});

test('a removed passkey signs nobody in; with the last one the recovery codes go, and nobody else can remove it', async () => {
  const one = await personWithPasskey();
  const other = await person();
  const remove = (who: Person, id: string) => who.account('post', `/passkeys/${id}/remove`, {});
  expect(codeOf(await remove(other, one.passkeyId))).toBe('not_found');
  const waiting = await challengeOf(one.email);
  const signed = one.passkey.sign(await optionsOf(waiting));
  expect((await remove(one, one.passkeyId)).status).toBe(204);
  expect(codeOf(await remove(one, one.passkeyId))).toBe('not_found');
  expect(codeOf(await finish(waiting, signed))).toBe('not_found');
  expect((await one.account('get', '')).body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  expect((await post('/login', { email: one.email, password })).body.token).toMatch(/^phs_/);
});

test('a passkey is a second factor for a workspace that requires one, and the operator removes it', async () => {
  const one = await personWithPasskey();
  await api.db.workspace.update({ where: { id: uuidOf('ws', api.workspaceId) }, data: { requireSecondFactor: true } });
  const workspace = () =>
    request(api.app).get(`/api/workspaces/${api.workspaceId}`).set('authorization', `Bearer ${one.sessionToken}`);
  expect((await workspace()).status).toBe(200);
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  const environment = { DATABASE_URL: api.databaseUrl };
  await runAdmin(['reset-second-factor', '--email', one.email], {
    environment,
    readInput: async () => '',
    write,
    writeError: write,
  });
  expect(JSON.parse(printed).removed).toEqual({ authenticators: 0, passkeys: 1, recoveryCodes: 10, sessions: 1 });
  expect((await post('/login', { email: one.email, password })).body.token).toMatch(/^phs_/);
});

/** Runs `use` while BASE_URL is another one. */
async function withBaseUrl<T>(other: string, use: () => Promise<T>): Promise<T> {
  const { settings } = api.services;
  const { baseUrl } = settings;
  settings.baseUrl = other;
  try {
    return await use();
  } finally {
    settings.baseUrl = baseUrl;
  }
}

test.each(['http://192.168.1.5:3000', 'https://203.0.113.7', 'http://[fd00::7]:3000'])(
  'where BASE_URL is the IP address of %s, browsers know no passkeys, and the API says so',
  async (baseUrl) => {
    const { account } = await person();
    const reply = await withBaseUrl(baseUrl, async () => account('post', '/passkeys/options', {}));
    expect([codeOf(reply), reply.body.error.message]).toEqual(['forbidden', expect.stringMatching(/BASE_URL/)]);
  },
);

test.each(['http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'where BASE_URL is %s, passkeys belong to localhost: one is added and finishes a login there',
  async (baseUrl) => {
    const passkey = newSoftPasskey('http://localhost:3000');
    const reply = await withBaseUrl(baseUrl, async () => {
      const one = await person();
      expect((await add(one, passkey)).status).toBe(201);
      const challenge = await challengeOf(one.email);
      const options = await optionsOf(challenge);
      expect(options.rpId).toBe('localhost');
      return finish(challenge, passkey.sign(options));
    });
    expect(reply.status).toBe(200);
  },
);
