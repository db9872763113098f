import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../test/api-under-test.ts';
import { createCaller } from '../test/caller.ts';

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const ADMIN = fileURLToPath(new URL('../dist/admin.js', import.meta.url));

/** The built command, as an operator runs it. */
async function admin(args: string[], input = '', settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [ADMIN, ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: api.databaseUrl, ...settings },
    timeout: 30_000,
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}
const create = (...args: string[]) => admin(['create-workspace', ...args]);
const logIn = (email: string, password: string) => request(api.app).post('/api/auth/login').send({ email, password });

test.each(['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'])(
  'migrate goes where %s leads, past the pooler of DATABASE_URL',
  async (name) => {
    const pooler = { DATABASE_URL: 'postgresql://127.0.0.1:1/pooler' };
    const done = await admin(['migrate'], '', { ...pooler, [name]: api.databaseUrl });
    expect(done).toEqual({ code: 0, stdout: '{"applied":[]}\n', stderr: '' });
    expect((await admin(['migrate'], '', pooler)).code).not.toBe(0);
  },
);

test('migrate refuses published secrets where BASE_URL is not local, and names the settings', async () => {
  const shipped = { BOOTSTRAP_PASSWORD: 'change-me-at-least-once', ADMIN_PASSWORD: 'change-me' };
  const { code, stderr } = await admin(['migrate'], '', { ...shipped, BASE_URL: 'https://hooks.example.com' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/BOOTSTRAP_PASSWORD is a secret .*\n.*ADMIN_PASSWORD is a/),
  ]);
  expect((await admin(['migrate'], '', { ...shipped, BASE_URL: 'http://localhost:3000' })).code).toBe(0);
});

describe('create-workspace', () => {
  test('makes a workspace that can be used with what it prints', async () => {
    const { code, stdout } = await create('--name', 'Globex', '--slug', 'globex', '--email', 'Ann@Example.com');
    expect(code).toBe(0);
    const made = JSON.parse(stdout);
    expect(made).toEqual({
      workspaceId: expect.stringMatching(/^ws_/),
      environmentId: expect.stringMatching(/^env_/),
      userId: expect.stringMatching(/^usr_/),
      managementToken: expect.stringMatching(/^phm_/),
      apiKey: expect.stringMatching(/^phk_/),
      setPasswordToken: expect.any(String),
    });
    const base = `/management/v1/workspaces/${made.workspaceId}`;
    const call = createCaller(api.app, { base, token: made.managementToken });
    expect((await call('get')).body).toMatchObject({ name: 'Globex', slug: 'globex', plan: 'enterprise' });
    expect((await call('get', '/environments')).body).toMatchObject([{ id: made.environmentId, slug: 'production' }]);
    expect((await call('get', '/audit-logs')).body.data).toMatchObject([{ action: 'workspace.created' }]);
    await call('post', '/event-types', { name: 'a.b' });
    const ingest = request(api.app).post('/api/ingest/event/a.b').set('x-api-key', made.apiKey);
    expect((await ingest).status).toBe(202);
    const token = made.setPasswordToken;
    await request(api.app).post('/api/auth/set-password').send({ token, password: 'a good password' }).expect(204);
    expect((await logIn('ann@example.com', 'a good password')).status).toBe(200);
  });

  test('takes the password from standard input, and the plan', async () => {
    const args = ['--name', 'B', '--slug', 'b', '--email', 'bob@example.com', '--plan', 'free', '--password-stdin'];
    const { code, stdout } = await admin(['create-workspace', ...args], 'the first line\nanother\n');
    const made = JSON.parse(stdout);
    expect([code, made.setPasswordToken]).toEqual([0, null]);
    const { body } = await logIn('bob@example.com', 'the first line');
    const own = await request(api.app).get('/api/workspaces').set('authorization', `Bearer ${body.token}`);
    expect(own.body).toMatchObject([{ id: made.workspaceId, plan: 'free', role: 'owner' }]);
  });

  test('somebody who has a user keeps their password and becomes an owner', async () => {
    const email = 'eve@example.com';
    await admin(
      ['create-workspace', '--name', 'C', '--slug', 'c', '--email', email, '--password-stdin'],
      'her own password',
    );
    const second = await create('--name', 'D', '--slug', 'd', '--email', email);
    expect([second.code, JSON.parse(second.stdout).setPasswordToken]).toEqual([0, null]);
    const third = await admin(
      ['create-workspace', '--name', 'E', '--slug', 'e', '--email', email, '--password-stdin'],
      'taking her over',
    );
    expect([third.code, third.stdout]).toEqual([1, '']);
    expect(await api.db.workspace.count({ where: { slug: 'e' } })).toBe(0);
    expect((await logIn(email, 'her own password')).status).toBe(200);
  });

  test('a taken slug fails and makes nothing', async () => {
    await create('--name', 'F', '--slug', 'taken', '--email', 'f@example.com');
    const { code, stdout, stderr } = await create('--name', 'G', '--slug', 'taken', '--email', 'g@example.com');
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      'posthorn-admin create-workspace failed: the slug taken is taken\n',
    ]);
    expect(await api.db.user.count({ where: { email: 'g@example.com' } })).toBe(0);
  });

  test.each<[string, string[], RegExp]>([
    ['no name', ['--slug', 'a', '--email', 'a@example.com'], /name is required/],
    ['a bad slug', ['--name', 'A', '--slug', 'A B', '--email', 'a@example.com'], /slug must be/],
    ['a bad email', ['--name', 'A', '--slug', 'a', '--email', 'nobody'], /email must be/],
    ['a bad plan', ['--name', 'A', '--slug', 'a', '--email', 'a@example.com', '--plan', 'gold'], /plan must be/],
    ['an unknown option', ['--name', 'A', '--color', 'red'], /--color/],
    [
      'an empty password',
      ['--name', 'A', '--slug', 'a', '--email', 'a@example.com', '--password-stdin'],
      /password must be/,
    ],
  ])('%s is a wrong call: exit code 2, and how to call it', async (_, args, message) => {
    const { code, stdout, stderr } = await create(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('usage: posthorn-admin');
  });
});

test.each([[[]], [['nonsense']], [['constructor']], [['new-token', 'extra']]])('%j is a wrong call', async (args) => {
  const { code, stdout, stderr } = await admin(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('usage: posthorn-admin');
});

describe('verify-audit', () => {
  const id = () => api.workspaceId;
  const lines = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('exits 1 and names the workspace while one has no chain, for every workspace has entries', async () => {
    const { code, stdout, stderr } = await admin(['verify-audit']);
    expect(lines(stdout)).toContainEqual({
      workspaceId: id(),
      head: null,
      firstBreak: expect.stringContaining('no chain'),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${id()} has no chain`)]);
  });

  test('exits 0 and prints every head while all is as written, and 1 with the altered entry named once it is not', async () => {
    const call = createCaller(api.app, { base: api.base, token: api.managementToken });
    await call('post', '/event-types', { name: 'a.b' });
    const before = await admin(['verify-audit']);
    const heads = lines(before.stdout);
    const head = { sequence: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(heads).toContainEqual({ workspaceId: id(), head, firstBreak: null });
    expect([before.code, heads.at(-1)]).toEqual([0, { workspaces: heads.length - 1, broken: 0 }]);
    const entry = await api.db.auditEntry.findFirstOrThrow();
    await api.db.$executeRaw`alter table audit_entry disable trigger user`;
    await api.db.$executeRaw`update audit_entry set actor_label = 'Eve' where id = ${entry.id}::uuid`;
    await api.db.$executeRaw`alter table audit_entry enable trigger user`;
    const after = await admin(['verify-audit']);
    expect([after.code, after.stderr]).toEqual([1, expect.stringContaining(entry.id)]);
  });
});

describe('reseal', () => {
  test('asks for the keys it needs', async () => {
    const { code, stderr } = await admin(['reseal']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('SEALING_KEYS is required')]);
  });
});
