import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import request from 'supertest';
import { startApi } from '../test/api-under-test.ts';
import { createCaller, managementCaller } from '../test/caller.ts';
import { seedPerson, uuidOf } from '../test/people.ts';
import { runAdmin } from './run-admin.ts';

const api = await startApi();
afterAll(() => api.stop());

const ADMIN = fileURLToPath(new URL('../dist/admin.js', import.meta.url));

type Ran = { code: number | null; stdout: string; stderr: string };

/** Runs the command in this process: to start one takes a second. */
async function admin(args: string[], input = '', settings: Record<string, string> = {}): Promise<Ran> {
  const ran = { stdout: '', stderr: '' };
  const code = await runAdmin(args, {
    environment: { DATABASE_URL: api.databaseUrl, ...settings },
    readInput: async () => input,
    write: (text) => {
      ran.stdout += text;
    },
    writeError: (text) => {
      ran.stderr += text;
    },
  });
  return { code, ...ran };
}

/** Runs the built command like an operator. */
async function spawnAdmin(args: string[], input = '', settings: Record<string, string> = {}): Promise<Ran> {
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
const setPassword = (token: string, password: string) =>
  request(api.app).post('/api/auth/set-password').send({ token, password });
const logIn = (email: string, password: string) => request(api.app).post('/api/auth/login').send({ email, password });

test('the built command reads its settings and standard input, and ends with the exit code of each outcome', async () => {
  const options = ['--name', 'Built', '--slug', 'built', '--email', 'built@example.com', '--password-stdin'];
  const [made, taken, wrong] = [
    await spawnAdmin(['create-workspace', ...options], 'a good password\n'),
    await spawnAdmin(['create-workspace', ...options.with(5, 'other@example.com')], 'a good password\n'),
    await spawnAdmin(['nonsense']),
  ];
  expect([made.code, JSON.parse(made.stdout).setPasswordToken, made.stderr]).toEqual([0, null, '']);
  expect(taken).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('the slug built is taken') });
  expect(wrong).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('usage: posthorn-admin') });
  expect((await logIn('built@example.com', 'a good password')).status).toBe(200);
});

test.each(['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'])(
  'migrate connects to the database of %s, past the pooler of DATABASE_URL',
  async (name) => {
    const pooler = { DATABASE_URL: 'postgresql://127.0.0.1:1/pooler' };
    const done = await admin(['migrate'], '', { ...pooler, [name]: api.databaseUrl });
    expect(done).toEqual({ code: 0, stdout: '{"applied":[]}\n', stderr: '' });
    expect((await admin(['migrate'], '', pooler)).code).not.toBe(0);
  },
);

test('migrate refuses published secrets when BASE_URL is not local, and names the settings', async () => {
  const shipped = { BOOTSTRAP_PASSWORD: 'change-me-at-least-once', ADMIN_PASSWORD: 'change-me' };
  const { code, stderr } = await admin(['migrate'], '', { ...shipped, BASE_URL: 'https://hooks.example.com' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/BOOTSTRAP_PASSWORD is a secret .*\n.*ADMIN_PASSWORD is a/),
  ]);
  expect((await admin(['migrate'], '', { ...shipped, BASE_URL: 'http://localhost:3000' })).code).toBe(0);
});

describe('help', () => {
  const commands = ['migrate', 'create-workspace', 'reinvite', 'reset-password', 'reseal', 'verify-audit', 'new-token'];

  test.each([['--help'], ['-h'], ['help']])('%s names every command with its arguments', async (...args) => {
    const { code, stdout, stderr } = await admin(args);
    expect([code, stderr]).toEqual([0, '']);
    for (const command of commands) expect(stdout).toContain(`\n  ${command}`);
    expect(stdout).toContain('--slug SLUG --email EMAIL [--plan free|pro|enterprise] [--password-stdin]');
  });

  test.each([
    ['help', 'reinvite'],
    ['reinvite', '--help'],
    ['reinvite', '--slug', 'acme', '-h'],
  ])('%s %s shows one command, and does nothing', async (...args) => {
    const { code, stdout } = await admin(args, '', { DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('usage: posthorn-admin reinvite --slug SLUG --email EMAIL'),
    ]);
    expect(stdout).not.toContain('migrate');
  });

  test('without a command, or with an unknown one, it shows every command and fails', async () => {
    for (const args of [[], ['frobnicate'], ['help', 'frobnicate']]) {
      const { code, stdout, stderr } = await admin(args);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('  create-workspace --name NAME')]);
    }
  });
});

describe('create-workspace', () => {
  test('creates a workspace that can be used with the printed credentials', async () => {
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
    const call = managementCaller(api.app, made);
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

  test('leads to a workspace that list-workspaces names with its default environment', async () => {
    const made = JSON.parse(
      (await create('--name', 'Initech', '--slug', 'initech', '--email', 'i@example.com')).stdout,
    );
    const { code, stdout } = await admin(['list-workspaces']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { workspaceId, environmentId } = made;
    const listed = { workspaceId, environmentId, name: 'Initech', slug: 'initech', plan: 'enterprise' };
    expect([code, lines.filter(({ slug }) => slug === 'initech')]).toEqual([0, [listed]]);
    expect(lines.at(-1)).toEqual({ workspaces: lines.length - 1 });
  });

  test('reads the password from standard input, and the plan from an option', async () => {
    const args = ['--name', 'B', '--slug', 'b', '--email', 'bob@example.com', '--plan', 'free', '--password-stdin'];
    const { code, stdout } = await admin(['create-workspace', ...args], 'the first line\nanother\n');
    const made = JSON.parse(stdout);
    expect([code, made.setPasswordToken]).toEqual([0, null]);
    const { body } = await logIn('bob@example.com', 'the first line');
    const own = await request(api.app).get('/api/workspaces').set('authorization', `Bearer ${body.token}`);
    expect(own.body).toMatchObject([{ id: made.workspaceId, plan: 'free', role: 'owner' }]);
  });

  test('an address with an account keeps its password, and owns the workspace once the invitation is accepted', async () => {
    const email = 'eve@example.com';
    await admin(
      ['create-workspace', '--name', 'C', '--slug', 'c', '--email', email, '--password-stdin'],
      'her own password',
    );
    const second = await create('--name', 'D', '--slug', 'd', '--email', email);
    const { workspaceId, setPasswordToken } = JSON.parse(second.stdout);
    const { token } = (await logIn(email, 'her own password')).body;
    const own = async () =>
      (await createCaller(api.app, { base: '/api/workspaces', token })('get')).body.map(({ id }: { id: string }) => id);
    expect(await own()).not.toContain(workspaceId);
    expect((await setPassword(setPasswordToken, 'another password')).status).toBe(401);
    expect((await setPassword(setPasswordToken, 'her own password')).status).toBe(204);
    expect(await own()).toContain(workspaceId);
    const third = await admin(
      ['create-workspace', '--name', 'E', '--slug', 'e', '--email', email, '--password-stdin'],
      'taking her over',
    );
    expect([third.code, third.stdout]).toEqual([1, '']);
    expect(await api.db.workspace.count({ where: { slug: 'e' } })).toBe(0);
    expect((await logIn(email, 'her own password')).status).toBe(200);
  });

  test('a taken slug fails and creates nothing', async () => {
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
  ])('%s is a usage error: exit code 2, and the usage text', async (_, args, message) => {
    const { code, stdout, stderr } = await create(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('usage: posthorn-admin');
  });
});

describe('reinvite', () => {
  test('prints a new token for an owner who did not accept in time, and the previous one is void', async () => {
    const email = 'late@example.com';
    const { setPasswordToken: former } = JSON.parse(
      (await create('--name', 'L', '--slug', 'late', '--email', email)).stdout,
    );
    const { code, stdout } = await admin(['reinvite', '--slug', 'late', '--email', 'Late@example.com']);
    const { setPasswordToken } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect((await setPassword(former, 'a good password')).status).toBe(401);
    expect((await setPassword(setPasswordToken, 'a good password')).status).toBe(204);
    const again = await admin(['reinvite', '--slug', 'late', '--email', email]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has no invitation for late@example.com')]);
  });
});

describe('reset-password', () => {
  test('its token sets the password without the old one, ends every session and voids every other token, once', async () => {
    const email = 'reset@example.com';
    const { workspaceId } = await api.seedAnother();
    await seedPerson(api.db, { email, password: 'what somebody else chose', workspaceId, role: 'member' });
    const session = (await logIn(email, 'what somebody else chose')).body.token;
    const invited = JSON.parse((await create('--name', 'R', '--slug', 'reset', '--email', email)).stdout);
    const first = await admin(['reset-password', '--email', email]);
    const { code, stdout } = await admin(['reset-password', '--email', email]);
    expect([first.code, code]).toEqual([0, 0]);
    const { setPasswordToken } = JSON.parse(stdout);
    expect((await setPassword(JSON.parse(first.stdout).setPasswordToken, 'her own password')).status).toBe(401);
    expect((await logIn(email, 'what somebody else chose')).status).toBe(200);
    expect((await setPassword(setPasswordToken, 'her own password')).status).toBe(204);
    expect((await setPassword(setPasswordToken, 'a third password')).status).toBe(401);
    expect((await logIn(email, 'what somebody else chose')).status).toBe(401);
    expect((await logIn(email, 'her own password')).status).toBe(200);
    expect((await createCaller(api.app, { base: '/api/auth', token: session })('get', '/me')).status).toBe(401);
    expect((await setPassword(invited.setPasswordToken, 'her own password')).status).toBe(401);
    const entries = await api.db.auditEntry.findMany({
      where: { workspaceId: uuidOf('ws', workspaceId), resourceType: 'member' },
      orderBy: { sequence: 'asc' },
    });
    expect(entries.map(({ action, actorType }) => [action, actorType])).toEqual([
      ['member.reset_token_created', 'system'],
      ['member.reset_token_created', 'system'],
      ['member.password_reset', 'user'],
    ]);
  });

  test('its token also voids a link that signs the person in', async () => {
    const { email } = await seedPerson(api.db, { password: 'what somebody else chose' });
    const { path } = JSON.parse((await admin(['sign-in-link', '--email', email])).stdout);
    const { setPasswordToken } = JSON.parse((await admin(['reset-password', '--email', email])).stdout);
    expect((await setPassword(setPasswordToken, 'her own password')).status).toBe(204);
    const token = path.slice(path.indexOf('=') + 1);
    expect((await request(api.app).post('/api/auth/sign-in-link').send({ token })).status).toBe(401);
  });

  test('the token ends after a day, and an address without an account gets none', async () => {
    const { userId, email } = await seedPerson(api.db, { password: 'her own password' });
    const { setPasswordToken, expiresAt } = JSON.parse((await admin(['reset-password', '--email', email])).stdout);
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 60_000)).toBe(24 * 60);
    await api.db.user.update({ where: { id: uuidOf('usr', userId) }, data: { setPasswordTokenEndsAt: new Date() } });
    expect((await setPassword(setPasswordToken, 'a new password')).status).toBe(401);
    const { code, stderr } = await admin(['reset-password', '--email', 'nobody@example.com']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('no account has the email nobody@example.com')]);
    expect((await admin(['reset-password'])).stderr).toContain('email is required');
    expect((await admin(['reset-password', '--slug', 'late', '--email', email])).code).toBe(2);
  });
});

test.each([[[]], [['nonsense']], [['constructor']], [['new-token', 'extra']]])('%j is a usage error', async (args) => {
  const { code, stdout, stderr } = await admin(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('usage: posthorn-admin');
});

test.each(['redis', 'postgres'])('queue pauses and resumes a queue in %s, and shows both', async (kind) => {
  const { redisUrl, prefix } = testRedis();
  const settings = {
    SEALING_KEYS: `test:${randomBytes(32).toString('base64')}`,
    ...(kind === 'redis' ? { REDIS_URL: redisUrl, QUEUE_PREFIX: prefix } : {}),
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await admin(['queue', ...args], '', settings);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const states = { queue: kind, 'fan-out': { isPaused: false }, deliver: { isPaused: false } };
  expect(await run('status')).toMatchObject(states);
  expect(await run('pause', 'deliver')).toMatchObject({ ...states, deliver: { isPaused: true } });
  expect(await run('status')).toMatchObject({ 'fan-out': { isPaused: false }, deliver: { isPaused: true } });
  expect(await run('resume', 'deliver')).toMatchObject(states);
  expect(await admin(['queue', 'pause', 'nothing'], '', settings)).toMatchObject({ code: 2 });
});

test('queue status says that deliver is paused while any of its shards is', async () => {
  const { redisUrl, prefix } = testRedis();
  const run = async (shards: number, ...args: string[]) => {
    const { code, stdout } = await admin(['queue', ...args], '', {
      ...{ REDIS_URL: redisUrl, QUEUE_PREFIX: prefix, DELIVER_QUEUE_SHARDS: String(shards) },
      SEALING_KEYS: `test:${randomBytes(32).toString('base64')}`,
    });
    return [code, JSON.parse(stdout).deliver.isPaused];
  };
  expect(await run(3, 'pause', 'deliver')).toEqual([0, true]);
  // A command that knows fewer shards leaves the third one paused.
  expect(await run(2, 'resume', 'deliver')).toEqual([0, false]);
  expect(await run(3, 'status')).toEqual([0, true]);
  expect(await run(3, 'resume', 'deliver')).toEqual([0, false]);
});

test('queue status says mixed while services of both modes run', async () => {
  const settings = { SEALING_KEYS: `test:${randomBytes(32).toString('base64')}` };
  const queueOfStatus = async () => JSON.parse((await admin(['queue', 'status'], '', settings)).stdout).queue;
  const insert = (queue: string, role: string) => api.db.$executeRaw`
    insert into worker (id, role, queue, version) values (gen_random_uuid(), ${role}, ${queue}, 'test')`;
  await insert('postgres', 'api');
  await insert('redis', 'admin');
  expect(await queueOfStatus()).toBe('postgres');
  await insert('redis', 'dispatcher');
  expect(await queueOfStatus()).toBe('mixed');
  await api.db.$executeRaw`delete from worker where version = 'test'`;
});

test('queue forget-redis deletes what is left in Redis, and needs to know where it is', async () => {
  const { redisUrl, prefix } = testRedis();
  const settings = {
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: prefix,
    SEALING_KEYS: `test:${randomBytes(32).toString('base64')}`,
  };
  expect(await admin(['queue', 'pause', 'deliver'], '', settings)).toMatchObject({ code: 0 });
  const { code, stdout } = await admin(['queue', 'forget-redis'], '', settings);
  expect([code, JSON.parse(stdout)]).toEqual([0, { prefix, keys: expect.any(Number) }]);
  expect(JSON.parse((await admin(['queue', 'status'], '', settings)).stdout)).toMatchObject({
    deliver: { isPaused: false },
  });
  const without = await admin(['queue', 'forget-redis'], '', { REDIS_URL: '' });
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('REDIS_URL')]);
});

test('catch-up end sends at once what an outage has kept, and tells whether there was one', async () => {
  await api.db.$executeRaw`insert into catch_up (since, until) values (now() - interval '1 minute', now())`;
  expect(await admin(['catch-up', 'end'])).toEqual({ code: 0, stdout: '{"ended":true}\n', stderr: '' });
  expect(await admin(['catch-up', 'end'])).toMatchObject({ code: 0, stdout: '{"ended":false}\n' });
  expect(await admin(['catch-up', 'begin'])).toMatchObject({ code: 2 });
});

describe('verify-audit', () => {
  const id = () => api.workspaceId;
  const lines = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('exits 1 and names the workspace when one has no chain, because every workspace has entries', async () => {
    const { code, stdout, stderr } = await admin(['verify-audit']);
    expect(lines(stdout)).toContainEqual({
      workspaceId: id(),
      head: null,
      anchor: null,
      erased: 0,
      firstBreak: expect.stringContaining('no chain'),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${id()} has no chain`)]);
  });

  test('exits 0 and prints every head while all entries are unaltered, and exits 1 naming the entry once one is altered', async () => {
    const call = createCaller(api.app, { base: api.base, token: api.managementToken });
    await call('post', '/event-types', { name: 'a.b' });
    const before = await admin(['verify-audit']);
    const heads = lines(before.stdout);
    const head = { sequence: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(heads).toContainEqual({ workspaceId: id(), head, anchor: null, erased: 0, firstBreak: null });
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
  test('reports the keys that it needs', async () => {
    const { code, stderr } = await admin(['reseal']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('SEALING_KEYS is required')]);
  });
});
