import { connect } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createDb } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, listen, startApi } from '../../test/api-under-test.ts';
import { codeOf, tally } from '../../test/caller.ts';
import { type SeededPerson, seedPerson, uuidOf } from '../../test/people.ts';
import { createPasswordTries } from './password-tries.ts';

const password = 'correct horse battery';
const clock = {
  now: () => new Date((frozenAt ?? Date.now()) + laterMs),
  monotonicMs: () => (frozenMs ?? performance.now()) + laterMs,
};
let laterMs = 0;
let frozenMs: number | undefined;
let frozenAt: number | undefined;
let api: ApiUnderTest;
let owner: SeededPerson;

beforeAll(async () => {
  // The tests set the caller's address in a header.
  api = await startApi({ clock, trustedProxies: 1 });
});
afterAll(() => api.stop());
beforeEach(async () => {
  // Time moves only forwards, past every window.
  laterMs += 2 * 3_600_000;
  owner = await seedPerson(api.db, { password, workspaceId: api.workspaceId, role: 'owner' });
});

const anAddress = () => {
  const [a, b, c] = Buffer.from(newUuid(new Date()).replaceAll('-', ''), 'hex').subarray(-3);
  return `10.${a}.${b}.${c}`;
};
const post = (path: string, body: unknown, address = anAddress()) =>
  request(api.app).post(`/api/auth${path}`).set('x-forwarded-for', address).send(Object(body));
const logIn = (email: string, given: string, address?: string) => post('/login', { email, password: given }, address);
const entries = (workspaceId = api.workspaceId) =>
  api.db.auditEntry.findMany({
    where: { action: 'auth.login_failed', workspaceId: uuidOf('ws', workspaceId) },
    orderBy: { sequence: 'asc' },
  });
const entryOf = (person: SeededPerson, workspaceId?: string) =>
  waitFor(async () => (await entries(workspaceId)).find((entry) => entry.actorId === person.userId), {
    what: 'the entry of the failed login',
  });

describe('one address', () => {
  test('the 11th failure of an account in 15 minutes is rate_limited, also with the right password, and not for others', async () => {
    const { email } = await seedPerson(api.db, { password });
    const here = anAddress();
    const replies = await Promise.all(Array.from({ length: 14 }, () => logIn(email, 'wrong', here)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const right = await logIn(email, password, here);
    expect([right.status, right.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(880);
    expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect((await logIn(owner.email, password, here)).status).toBe(200);
    laterMs += 901_000;
    expect((await logIn(email, password, here)).status).toBe(200);
  });

  test('many correct logins at once all succeed', async () => {
    const replies = await Promise.all(Array.from({ length: 15 }, () => logIn(owner.email, password, '10.0.0.1')));
    expect(replies.map((reply) => reply.status)).toEqual(Array(15).fill(200));
  });

  test('a wrong token or password at set-password is a failed login: an address is limited after 100, an account after 10', async () => {
    const guess = (token: string, address: string) =>
      post('/set-password', { token, password: 'a wrong guess' }, address);
    const here = anAddress();
    const guesses = await Promise.all(Array.from({ length: 102 }, (_, index) => guess(`unknown ${index}`, here)));
    expect(tally(guesses.map(codeOf))).toEqual({ unauthorized: 100, rate_limited: 2 });
    expect(codeOf(await logIn(owner.email, password, here))).toBe('rate_limited');

    const token = await invite(owner.email);
    const there = anAddress();
    const wrong = await Promise.all(Array.from({ length: 12 }, () => guess(token, there)));
    expect(tally(wrong.map(codeOf))).toEqual({ unauthorized: 10, rate_limited: 2 });
    expect(codeOf(await logIn(owner.email, password, there))).toBe('rate_limited');
  });

  test('an unauthenticated address may send 200 requests at once and 20 a second, and is refused before its body is read', async () => {
    const here = anAddress();
    frozenMs = performance.now();
    const me = () => request(api.app).get('/api/auth/me').set('x-forwarded-for', here);
    const replies = await Promise.all(Array.from({ length: 230 }, me));
    const codes = tally(replies.map(codeOf));
    expect(codes).toEqual({ unauthorized: 200, rate_limited: 30 });
    const unread = await post('/login', {}, here).set('content-type', 'application/json').send('{"email":');
    expect([unread.status, codeOf(unread)]).toEqual([429, 'rate_limited']);
    expect(Number(unread.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn(owner.email, password)).status).toBe(200);
    laterMs += 1_000;
    const later = await Promise.all(Array.from({ length: 21 }, me));
    frozenMs = undefined;
    expect(tally(later.map(codeOf))).toEqual({ unauthorized: 20, rate_limited: 1 });
  });
});

test('a body of more than 4 KiB is payload_too_large, and one of 4 KiB is read', async () => {
  const padded = (size: number, fields: object) => JSON.stringify(fields).padEnd(size);
  const logInWith = (size: number) =>
    request(api.app)
      .post('/api/auth/login')
      .set('x-forwarded-for', anAddress())
      .set('content-type', 'application/json')
      .send(padded(size, { email: owner.email, password }));
  expect((await logInWith(4_096)).status).toBe(200);
  expect(codeOf(await logInWith(4_097))).toBe('payload_too_large');
  const create = (size: number) =>
    request(api.app)
      .post('/api/workspaces')
      .set('authorization', `Bearer ${owner.sessionToken}`)
      .set('content-type', 'application/json')
      .send(padded(size, { name: 'Padded', slug: 'padded' }));
  expect(codeOf(await create(4_097))).toBe('payload_too_large');
  expect((await create(4_096)).status).toBe(201);
});

describe('all addresses together', () => {
  test('after 50 failures in 15 minutes an account has one attempt in 10 s over all API processes, and the right password logs in', async () => {
    const { email } = await seedPerson(api.db, { password });
    const other = await anotherProcess();
    const tryAt = (app: ApiUnderTest['app'], given: string) =>
      request(app).post('/api/auth/login').set('x-forwarded-for', anAddress()).send({ email, password: given });
    // Fifty passwords are checked: that may take a loaded machine longer than the 10 s.
    frozenAt = Date.now();
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => tryAt(index % 2 === 0 ? api.app : other.app, 'wrong')),
    );
    expect(tally(replies.map(codeOf))).toEqual({ unauthorized: 50, rate_limited: 10 });
    const soon = await tryAt(other.app, password);
    expect([codeOf(soon), soon.headers['retry-after']]).toEqual(['rate_limited', '10']);
    laterMs += 10_001;
    expect((await tryAt(other.app, password)).status).toBe(200);
    expect(codeOf(await tryAt(api.app, password))).toBe('rate_limited');
    laterMs += 10_001;
    expect(codeOf(await tryAt(api.app, 'wrong'))).toBe('unauthorized');
    expect((await logIn(owner.email, password)).status).toBe(200);
    laterMs += 15 * 60_000;
    expect((await tryAt(api.app, password)).status).toBe(200);
    expect((await tryAt(other.app, password)).status).toBe(200);
    frozenAt = undefined;
    await other.stop();
  });

  test('attempts from elsewhere delay no login of a browser in which the account has logged in; its own 50 failures do', async () => {
    const { email } = await seedPerson(api.db, { password });
    const deviceOf = async (person: string) => (await logIn(person, password)).get('set-cookie')?.at(-1)?.split(';')[0];
    const [device, ofAnother] = [await deviceOf(email), await deviceOf(owner.email)];
    const tryWith = (cookie: string | undefined, given: string) => logIn(email, given).set('cookie', String(cookie));
    const failAll = (cookie: string | undefined) =>
      Promise.all(Array.from({ length: 50 }, () => tryWith(cookie, 'wrong').then(codeOf))).then(tally);
    frozenAt = Date.now();
    expect(await failAll('theme=dark')).toEqual({ unauthorized: 50 });
    for (const cookie of ['theme=dark', ofAnother, `${device}x`, 'posthorn_device=1']) {
      expect(codeOf(await tryWith(cookie, password))).toBe('rate_limited');
    }
    expect(codeOf(await tryWith(`theme=dark; ${device}`, password))).toBe(200);
    expect(await failAll(device)).toEqual({ unauthorized: 50 });
    expect(codeOf(await tryWith(device, password))).toBe('rate_limited');
    // After 180 days the cookie is worth nothing: failures with it count with those from elsewhere.
    laterMs += 180 * 86_400_000;
    expect(await failAll(device)).toEqual({ unauthorized: 50 });
    expect(codeOf(await tryWith('theme=dark', password))).toBe('rate_limited');
    frozenAt = undefined;
  });

  test('a login keeps the id of its browser, and a changed password ends the ids of earlier logins', async () => {
    const { email } = await seedPerson(api.db, { password });
    const cookiesOf = (reply: request.Response) => reply.get('Set-Cookie') ?? [];
    const deviceOf = (reply: request.Response) => cookiesOf(reply).find((cookie) => /^posthorn_device=/.test(cookie));
    const device = String(deviceOf(await logIn(email, password))?.split(';')[0]);
    const again = await logIn(email, password).set('cookie', device);
    expect([again.status, cookiesOf(again).length, deviceOf(again)]).toEqual([200, 1, undefined]);

    const changed = 'a changed password';
    const change = request(api.app).post('/api/auth/change-password').set('x-forwarded-for', anAddress());
    const answer = await change
      .set('authorization', `Bearer ${again.body.token}`)
      .send({ currentPassword: password, newPassword: changed });
    expect(answer.status).toBeLessThan(300);
    frozenAt = Date.now();
    const fails = await Promise.all(Array.from({ length: 50 }, () => logIn(email, 'wrong').then(codeOf)));
    expect(tally(fails)).toEqual({ unauthorized: 50 });
    expect(codeOf(await logIn(email, changed).set('cookie', device))).toBe('rate_limited');
    frozenAt = undefined;
  });

  test('an attempt that is forgiven takes no other attempt of its millisecond from the count', async () => {
    const at = new Date();
    const tries = createPasswordTries(api.db, { now: () => at });
    const name = `${newUuid(at)}@example.com`;
    const [begun] = await Promise.all(Array.from({ length: 50 }, () => tries.begin(name)));
    if (begun === 'slowed') throw new Error('the first attempt is never slowed');
    await begun?.forgive();
    expect(await tries.begin(name)).not.toBe('slowed');
    expect(await tries.begin(name)).toBe('slowed');
  });

  test('a name without an account is limited in the same way', async () => {
    const email = `${newUuid(new Date())}@example.com`;
    const replies = await Promise.all(Array.from({ length: 52 }, () => logIn(email, 'wrong')));
    expect(tally(replies.map(codeOf))).toEqual({ unauthorized: 50, rate_limited: 2 });
  });

  test('correct logins do not count, however many', async () => {
    for (let round = 0; round < 6; round += 1) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => logIn(owner.email, password)));
      expect(tally(replies.map(codeOf))).toEqual({ 200: 10 });
    }
  });
});

describe('the audit entry', () => {
  test('is in each workspace of a known user, for an unknown one in none, and contains no password', async () => {
    const second = await api.seedAnother();
    await api.db.member.create({
      data: { workspaceId: uuidOf('ws', second.workspaceId), userId: uuidOf('usr', owner.userId), role: 'viewer' },
    });
    const { length } = await entries();
    await logIn('who-knows@example.com', 'the canary-password');
    await logIn(owner.email, 'the canary-password');
    const made = [await entryOf(owner), await entryOf(owner, second.workspaceId)];
    for (const entry of made) {
      expect(entry).toMatchObject({ resourceType: 'session', actorType: 'user', actorLabel: owner.email });
      expect(entry.metadata).toMatchObject({ changes: {}, requestId: expect.any(String) });
    }
    expect(await entries()).toHaveLength(length + 1);
    const seen = inspect([made, api.logLines], { depth: null, maxArrayLength: null, maxStringLength: null });
    expect(seen).not.toContain('canary');
    expect(api.logLines.join()).not.toContain('who-knows');
  });

  test('is written even when the caller has disconnected before the answer', async () => {
    const { url, close } = await listen(api.express);
    const body = JSON.stringify({ email: owner.email, password: 'wrong' });
    const head = `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const lock = createDb({ databaseUrl: api.databaseUrl, maxConnections: 1, onIdleError: () => {} });
    const gone = api.logLines.length;
    await inTransaction(lock, async (transaction) => {
      // The login waits for the count of its attempts until the caller is known to have disconnected.
      await transaction.$queryRaw`lock table password_try`;
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(`${head}\r\n\r\n${body}`);
      await waitFor(waitsForTries, { what: 'the login to wait' });
      socket.destroy();
      await waitFor(() => api.logLines.slice(gone).some((line) => line.includes('"operation":"loginUser"')), {
        what: 'the request to be over',
      });
    });
    await lock.$disconnect();
    await close();
    await entryOf(owner);
  });

  test('is written once a minute for a workspace, however many logins fail at two processes', async () => {
    const { workspaceId } = await api.seedAnother();
    const people = await Promise.all([1, 2].map(() => seedPerson(api.db, { password, workspaceId, role: 'viewer' })));
    const other = await anotherProcess();
    const failAll = () =>
      Promise.all(
        [api.app, other.app].flatMap((app) =>
          people.flatMap(({ email }) =>
            Array.from({ length: 5 }, () =>
              request(app)
                .post('/api/auth/login')
                .set('x-forwarded-for', anAddress())
                .send({ email, password: 'wrong' })
                .expect(401),
            ),
          ),
        ),
      );
    await failAll();
    await waitFor(async () => (await entries(workspaceId)).length > 0, { what: 'the first entry' });
    laterMs += 61_000;
    await failAll();
    await waitFor(async () => (await entries(workspaceId)).length > 1, { what: 'the second entry' });
    await other.stop();
    expect(await entries(workspaceId)).toHaveLength(2);
  });

  test('does not delay the answer: a login fails while another change locks the workspace’s log', async () => {
    const outside = createDb({ databaseUrl: api.databaseUrl, maxConnections: 1, onIdleError: () => {} });
    const workspaceId = uuidOf('ws', api.workspaceId);
    await logIn(owner.email, 'wrong');
    await entryOf(owner);
    laterMs += 61_000;
    const { length } = await entries();
    await inTransaction(outside, async (transaction) => {
      await transaction.$queryRaw`select 1 from audit_chain where workspace_id = ${workspaceId}::uuid for update`;
      expect((await logIn(owner.email, 'wrong')).status).toBe(401);
      expect(await entries()).toHaveLength(length);
    });
    await waitFor(async () => (await entries()).length > length, { what: 'the entry after the answer' });
    await outside.$disconnect();
  });
});

test('attempts that no longer count are deleted', async () => {
  await logIn(owner.email, 'wrong');
  laterMs += 16 * 60_000;
  await logIn(`${newUuid(new Date())}@example.com`, 'wrong');
  await waitFor(async () => (await api.db.passwordTry.count()) === 1, { what: 'the old tries to be gone' });
});

async function waitsForTries(): Promise<boolean> {
  const [row] = await api.db.$queryRaw<{ waiting: bigint }[]>`
    select count(*) as waiting from pg_locks where relation = 'password_try'::regclass and not granted`;
  return (row?.waiting ?? 0n) > 0n;
}

/** A second API process on the same database, simulated in this process. */
async function anotherProcess() {
  const second = await startApi({ clock, trustedProxies: 1, databaseUrl: api.databaseUrl });
  return { app: second.app, stop: second.stop };
}

/** Invites the address to a new workspace; returns the token. */
async function invite(email: string): Promise<string> {
  const { workspaceId } = await api.seedAnother();
  const { sessionToken } = await seedPerson(api.db, { workspaceId, role: 'owner' });
  const { body } = await request(api.app)
    .post(`/api/workspaces/${workspaceId}/members`)
    .set('authorization', `Bearer ${sessionToken}`)
    .send({ email, role: 'viewer' });
  return body.setPasswordToken;
}
