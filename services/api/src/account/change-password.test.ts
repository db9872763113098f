import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller, tally } from '../../test/caller.ts';
import { type SeededPerson, seedPerson, uuidOf } from '../../test/people.ts';

const password = 'correct horse battery';
const newPassword = 'a better horse battery';
let person: SeededPerson;

const api = await startApi();
afterAll(() => api.stop());
beforeEach(async () => {
  person = await seedPerson(api.db, { password, workspaceId: api.workspaceId, role: 'viewer' });
});

const as = (token: string) => createCaller(api.app, { base: '/api/auth', token });
const logIn = (given: string) =>
  request(api.app).post('/api/auth/login').send({ email: person.email, password: given });
const change = (body: object, token = person.sessionToken) => as(token)('post', '/change-password', body);

describe('changing a password', () => {
  test('the new one logs in, the old one does not, and every other session ends', async () => {
    const [other, elsewhere] = [(await logIn(password)).body.token, await seedPerson(api.db, { password })];
    const reply = await change({ currentPassword: password, newPassword });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await logIn(password)).status).toBe(401);
    expect((await logIn(newPassword)).status).toBe(200);
    expect((await as(other)('get', '/me')).status).toBe(401);
    expect((await as(person.sessionToken)('get', '/me')).status).toBe(200);
    expect((await as(elsewhere.sessionToken)('get', '/me')).status).toBe(200);
    const where = { action: 'member.password_changed', workspaceId: uuidOf('ws', api.workspaceId) };
    const entry = await api.db.auditEntry.findFirstOrThrow({ where, orderBy: { sequence: 'desc' } });
    expect(entry).toMatchObject({ actorId: person.userId, resourceType: 'member', resourceId: person.userId });
    expect(inspect([entry, api.logLines], { depth: null, maxArrayLength: null })).not.toMatch(/horse/);
  });

  test('with a session that ended while the body arrived changes nothing', async () => {
    const body = JSON.stringify({ currentPassword: password, newPassword });
    const headers = {
      authorization: `Bearer ${person.sessionToken}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const held = httpRequest(`${api.app}/api/auth/change-password`, { method: 'POST', headers });
    const answered = once(held, 'response');
    const isWaiting = async (rows: number) => {
      const found = await api.db.$queryRaw<object[]>`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return found.length >= rows;
    };
    const lock = { sql: 'lock table session in access exclusive mode', values: [] };
    let passed: Promise<unknown> = Promise.resolve();
    let ended: Promise<unknown> = Promise.resolve();
    // The token is looked up, then the session. The second lock waits between the two, and the end of the session behind both.
    await whileLocked(api.databaseUrl, lock, async () => {
      held.write(body.slice(0, 10));
      await waitFor(() => isWaiting(1), { what: 'the token to be looked up' });
      passed = whileLocked(api.databaseUrl, lock, async () => {
        await waitFor(() => isWaiting(1), { what: 'the session to be read' });
        ended = api.db.session.deleteMany({ where: { userId: uuidOf('usr', person.userId) } });
        ended.catch(() => undefined);
        await waitFor(() => isWaiting(2), { what: 'its end to wait' });
      });
      await waitFor(() => isWaiting(2), { what: 'the second lock to wait' });
    });
    await passed;
    await ended;
    held.end(body.slice(10));
    const [reply] = await answered;
    reply.resume();
    expect(reply.statusCode).toBe(401);
    expect((await logIn(password)).status).toBe(200);
  });

  test('a wrong current one changes nothing, and counts as a failed login', async () => {
    const guesses = Array.from({ length: 12 }, () => change({ currentPassword: 'a wrong guess', newPassword }));
    const here = tally((await Promise.all(guesses)).map(codeOf));
    expect(here).toEqual({ unauthorized: 10, rate_limited: 2 });
    expect(codeOf(await logIn(password))).toBe('rate_limited');
    expect(codeOf(await logIn(newPassword))).toBe('rate_limited');
    expect((await as(person.sessionToken)('get', '/me')).status).toBe(200);
  });

  test('of two concurrent changes one succeeds', async () => {
    const replies = await Promise.all(
      ['the first new one', 'the second new one'].map((wanted) =>
        change({ currentPassword: password, newPassword: wanted }),
      ),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, 401]);
  });

  test.each([
    [{ newPassword }, 'currentPassword is required'],
    [{ currentPassword: password }, 'newPassword is required'],
    [{ currentPassword: password, newPassword: 'short' }, 'newPassword must be 8 to 200 characters'],
  ])('%j is refused: %s', async (body, message) => {
    const reply = await change(body);
    expect([reply.status, reply.body]).toMatchObject([400, { error: { code: 'validation_error', message } }]);
  });
});

describe('sessions', () => {
  test('the list has the caller’s own, newest first, and marks the requesting one', async () => {
    await seedPerson(api.db, { password });
    const { token } = (await logIn(password)).body;
    const reply = await as(token)('get', '/sessions');
    const one = (isCurrent: boolean) => ({
      id: expect.stringMatching(/^ses_/),
      isCurrent,
      ...{ kind: 'browser', name: null },
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect([reply.status, reply.body]).toEqual([200, [one(true), one(false)]]);
  });

  test('an ended one is refused from the next request on', async () => {
    const { token } = (await logIn(password)).body;
    const [current, former] = (await as(token)('get', '/sessions')).body;
    const reply = await as(token)('delete', `/sessions/${former.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await as(person.sessionToken)('get', '/me')).status).toBe(401);
    expect(codeOf(await as(token)('delete', `/sessions/${former.id}`))).toBe('not_found');
    const own = await as(token)('delete', `/sessions/${current.id}`);
    expect(own.get('set-cookie')?.[0]).toMatch(/^posthorn_session=;/);
    expect((await as(token)('get', '/me')).status).toBe(401);
  });

  test('another person’s is not_found, like one that does not exist', async () => {
    const other = await seedPerson(api.db, {});
    const [{ id }] = (await as(other.sessionToken)('get', '/sessions')).body;
    for (const unknown of [id, toId('ses', newUuid(new Date())), 'ses_1', 'nonsense', person.userId]) {
      const reply = await as(person.sessionToken)('delete', `/sessions/${unknown}`);
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Session not found']);
    }
    expect((await as(other.sessionToken)('get', '/me')).status).toBe(200);
  });

  test('the oldest ends when a 101st begins', async () => {
    const userId = uuidOf('usr', person.userId);
    const at = (minute: number) => new Date(Date.now() - minute * 60_000);
    const ends = { expiresAt: at(-60), endsAt: at(-60) };
    await api.db.session.createMany({
      data: Array.from({ length: 110 }, (_, minute) => {
        const digest = new Uint8Array(Buffer.from(`${userId} ${minute}`));
        return { id: newUuid(new Date()), userId, digest, createdAt: at(minute + 1), ...ends };
      }),
    });
    const { token } = (await logIn(password)).body;
    const listed = (await as(token)('get', '/sessions')).body;
    expect(listed).toHaveLength(100);
    expect(listed[0].isCurrent).toBe(true);
    expect(await api.db.session.count({ where: { userId } })).toBe(100);
  });
});
