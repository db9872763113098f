import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { seedSession } from '@posthorn/testkit/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import { type CommandLine, prepareCommandLine, type Running } from './posthorn.ts';

const bundle = fileURLToPath(new URL('../../packages/cli/bundle', import.meta.url));

let stack: Services;
let line: CommandLine;
beforeAll(async () => {
  stack = await startServices({ dispatchers: 0 });
  line = prepareCommandLine();
}, 120_000);
afterAll(async () => {
  line?.remove();
  await stack?.stop();
});

test('login keeps a token that works in a file that its owner alone can read; logout removes it', async () => {
  const login = `posthorn login --token - --base-url ${stack.api.url}`;
  const wrong = await line.shell(login, { input: 'phm_wrong' });
  expect(wrong.code).toBe(3);
  expect((await line.shell('posthorn whoami')).code).toBe(3);

  expect((await line.shell(login, { input: `${stack.managementToken}\n` })).code).toBe(0);
  const file = join(line.home, '.config/posthorn/config.toml');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const whoami = JSON.parse((await line.shell('posthorn whoami')).stdout);
  expect(whoami).toMatchObject({ workspaceId: stack.workspaceId, baseUrl: stack.api.url, profile: 'default' });

  expect((await line.shell('posthorn logout')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toContain(stack.managementToken);
  expect((await line.shell('posthorn whoami')).code).toBe(3);
});

/** Sends requests of a person to the account operations. */
function accountOf(person: string) {
  return (method: string, path: string, body?: object) =>
    fetch(`${stack.api.url}/api/auth/${path}`, {
      method,
      headers: { authorization: `Bearer ${person}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

const codeOf = (running: Running) =>
  waitFor(() => /\/device and confirm the code (\S+)/.exec(running.stderr())?.[1], { what: 'the code' });

test('login without a token shows a code, and has the session of the person who confirms it; logout ends the session', async () => {
  const person = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'member' });
  const account = accountOf(person);
  const namesOfSessions = async () =>
    ((await (await account('GET', 'sessions')).json()) as { name: string | null }[]).map(({ name }) => name);

  const login = ['login', '--profile', 'person', '--base-url', stack.api.url, '--name', 'test machine'];
  const refused = line.start(login);
  await account('POST', 'device-logins/refuse', { userCode: await codeOf(refused) });
  const { code, stderr } = await refused.ended;
  expect([code, stderr]).toEqual([3, expect.stringContaining('login_refused')]);

  const running = line.start(login);
  expect((await account('POST', 'device-logins/approve', { userCode: await codeOf(running) })).status).toBe(204);
  expect((await running.ended).code).toBe(0);
  expect(await namesOfSessions()).toContain('test machine');
  const whoami = await line.shell('posthorn whoami --profile person');
  expect(JSON.parse(whoami.stdout)).toMatchObject({ role: 'member', workspaceId: stack.workspaceId });
  // In the dashboard's interface, a member has rights to endpoints, but may not create API keys.
  expect((await line.shell('posthorn endpoints list --profile person')).code).toBe(0);
  expect((await line.shell('posthorn api-keys create Shop --profile person')).code).toBe(3);

  expect((await line.shell('posthorn logout --profile person')).code).toBe(0);
  expect(await namesOfSessions()).not.toContain('test machine');
  expect((await line.shell('posthorn whoami --profile person')).code).toBe(3);
  await line.shell('rm .config/posthorn/config.toml');
}, 60_000);

test('a person who logs in again stays in the workspace and the environment of the profile', async () => {
  const person = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'member' });
  const { userId } = await stack.db.session.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const other = await seedWorkspace(stack.db);
  const workspaceId = fromId('ws', other.workspaceId) ?? '';
  await stack.db.member.create({ data: { userId, workspaceId, role: 'member' } });
  const account = accountOf(person);
  const logIn = async (...more: string[]) => {
    const running = line.start(['login', '--profile', 'again', '--base-url', stack.api.url, ...more]);
    await account('POST', 'device-logins/approve', { userCode: await codeOf(running) });
    expect((await running.ended).code).toBe(0);
    const { stdout } = await line.shell('posthorn profile list');
    return JSON.parse(stdout);
  };
  const named = { workspace: other.workspaceId, environment: 'production' };
  expect(await logIn('--workspace', other.workspaceId, '--environment', 'production')).toMatchObject(named);
  expect(await logIn()).toMatchObject(named);
  await stack.db.member.deleteMany({ where: { userId, workspaceId } });
  expect(await logIn()).toMatchObject({ workspace: stack.workspaceId, environment: null });
  await line.shell('rm .config/posthorn/config.toml');
}, 60_000);

test('what another command writes while a person confirms a login stays', async () => {
  const account = accountOf(await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'member' }));
  const slow = line.start(['login', '--profile', 'slow', '--base-url', stack.api.url]);
  const userCode = await codeOf(slow);
  const quick = `posthorn login --profile quick --token - --base-url ${stack.api.url}`;
  const ofQuick = await line.shell(quick, { input: stack.managementToken });
  expect(ofQuick).toEqual(expect.objectContaining({ code: 0 }));
  expect((await account('POST', 'device-logins/approve', { userCode })).status).toBe(204);
  expect((await slow.ended).code).toBe(0);
  for (const name of ['slow', 'quick']) {
    expect([name, (await line.shell(`posthorn whoami --profile ${name}`)).code]).toEqual([name, 0]);
  }
  await line.shell('rm .config/posthorn/config.toml');
}, 60_000);

test('a person is found in each of 101 workspaces', async () => {
  const token = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'viewer' });
  const { userId } = await stack.db.session.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const ids = Array.from({ length: 100 }, () => newUuid(new Date())).sort();
  await stack.db.workspace.createMany({
    data: ids.map((id) => ({ id, name: 'Acme', slug: `acme-${id}`, plan: 'enterprise' })),
  });
  await stack.db.member.createMany({ data: ids.map((workspaceId) => ({ userId, workspaceId, role: 'admin' })) });
  const env = { POSTHORN_BASE_URL: stack.api.url, POSTHORN_TOKEN: token };
  const { stdout } = await line.shell(`posthorn whoami --workspace ${toId('ws', ids.at(-1) ?? '')}`, { env });
  expect(JSON.parse(stdout)).toMatchObject({ role: 'admin', workspace: 'Acme' });
});

test('profiles are kept side by side, and the one in use can be changed', async () => {
  const input = stack.managementToken;
  for (const name of ['one', 'two']) {
    await line.shell(`posthorn login --profile ${name} --token - --base-url ${stack.api.url}`, { input });
  }
  expect((await line.shell('posthorn profile use two')).code).toBe(0);
  expect(JSON.parse((await line.shell('posthorn whoami')).stdout).profile).toBe('two');
  expect(JSON.parse((await line.shell('posthorn whoami --profile one')).stdout).profile).toBe('one');
  expect((await line.shell('posthorn profile use three')).code).toBe(4);
  const { stdout } = await line.shell('posthorn profile list');
  expect(stdout).not.toContain(input);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((json) => JSON.parse(json).name),
  ).toEqual(['one', 'two']);
});

test('completion offers the profiles, and asks with the one that is typed', async () => {
  const candidates = async (typed: string) =>
    (await line.shell(`posthorn completion candidates -- ${typed}`)).stdout.trim().split('\n');
  expect(await candidates('endpoints list --profile ""')).toEqual(expect.arrayContaining(['one', 'two']));
  expect(await candidates('--profile one endpoints list --environment ""')).toContain('production');
  expect(await candidates('--profile three endpoints list --environment ""')).toEqual(['']);
});

test('the credential of a profile is not sent to an address of the environment', async () => {
  const { code, stderr } = await line.shell('posthorn whoami --profile one', {
    env: { POSTHORN_BASE_URL: 'http://127.0.0.1:1' },
  });
  expect([code, stderr]).toEqual([3, expect.stringContaining('has no credential')]);
});

test('the API key of a profile stays with its address', async () => {
  const input = stack.managementToken;
  const login = 'posthorn login --profile keyed --token - --base-url';
  const file = () => readFileSync(join(line.home, '.config/posthorn/config.toml'), 'utf8');
  await line.shell(`${login} ${stack.api.url} --api-key phk_canary`, { input });
  expect((await line.shell(`${login} ${stack.api.url}`, { input })).code).toBe(0);
  expect(file()).toContain('phk_canary');
  expect((await line.shell(`${login} ${stack.api.url}/`, { input })).code).toBe(0);
  expect(file()).toContain('phk_canary');
  const env = { POSTHORN_BASE_URL: `${stack.api.url.replace('http', 'HTTP')}/` };
  expect((await line.shell('posthorn whoami --profile keyed', { env })).code).toBe(0);
  const other = stack.api.url.replace('127.0.0.1', 'localhost');
  expect((await line.shell(`${login} ${other}`, { input })).code).toBe(0);
  expect(file()).toContain(other);
  expect(file()).not.toContain('phk_canary');
});

test('the API key and the environment of a profile stay with its workspace', async () => {
  const other = await seedWorkspace(stack.db);
  const login = `posthorn login --profile moved --token - --base-url ${stack.api.url}`;
  const own = { input: stack.managementToken };
  const kept = async () => {
    const { stdout } = await line.shell('posthorn profile list');
    const profiles = stdout.trim().split('\n');
    const moved = profiles.map((json) => JSON.parse(json)).find(({ name }) => name === 'moved');
    const file = readFileSync(join(line.home, '.config/posthorn/config.toml'), 'utf8');
    return [moved.workspace, moved.environment, file.includes('phk_of_moved')];
  };
  await line.shell(`${login} --api-key phk_of_moved --environment production`, own);
  await line.shell(login, own);
  expect(await kept()).toEqual([stack.workspaceId, 'production', true]);
  await line.shell(login, { input: other.managementToken });
  expect(await kept()).toEqual([other.workspaceId, null, false]);

  await line.shell(`${login} --api-key phk_of_moved --environment production`, own);
  await line.shell(`posthorn profile use moved --workspace ${stack.workspaceId}`);
  expect(await kept()).toEqual([stack.workspaceId, 'production', true]);
  const used = await line.shell(`posthorn profile use moved --workspace ${other.workspaceId}`);
  expect(used.stderr).toContain('its API key, which is of another workspace, was removed');
  expect(await kept()).toEqual([other.workspaceId, null, false]);
  await line.shell('posthorn profile use two');
});

test('where a token, an environment or a workspace is named, an event is not sent with the API key of the profile', async () => {
  const input = stack.managementToken;
  const login = `posthorn login --profile mixed --token - --base-url ${stack.api.url}`;
  await line.shell(`${login} --api-key phk_of_the_profile`, { input });
  const type = await line.shell('posthorn event-types create mixed.event --profile mixed');
  expect(type.code).toBe(0);
  const send = async (env: Record<string, string>) => {
    const { code } = await line.shell("posthorn events send mixed.event --application '*' --profile mixed", { env });
    return code;
  };
  expect(await send({})).toBe(3);
  expect(await send({ POSTHORN_TOKEN: input })).toBe(0);
  expect(await send({ POSTHORN_ENVIRONMENT: 'production' })).toBe(0);
  expect(await send({ POSTHORN_WORKSPACE_ID: stack.workspaceId })).toBe(0);
  await line.shell(`${login} --environment production`, { input });
  expect(await send({})).toBe(0);
});

test('a login keeps no API key of the environment', async () => {
  const { code } = await line.shell(`posthorn login --profile plain --token - --base-url ${stack.api.url}`, {
    input: stack.managementToken,
    env: { POSTHORN_BASE_URL: stack.api.url, POSTHORN_API_KEY: 'phk_of_the_environment' },
  });
  expect(code).toBe(0);
  const kept = readFileSync(join(line.home, '.config/posthorn/config.toml'), 'utf8');
  expect(kept).toContain('[profiles.plain]');
  expect(kept).not.toContain('phk_of_the_environment');
});

test('a file that is not TOML is named', async () => {
  const { code, stderr } = await line.shell(
    'mkdir -p broken/posthorn; echo "[" > broken/posthorn/config.toml; XDG_CONFIG_HOME=$HOME/broken posthorn whoami',
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining('config.toml is not TOML')]);
});

test('the package depends on nothing, is small, and runs in a project that knows nothing of this repository', () => {
  const project = mkdtempSync(join(tmpdir(), 'posthorn-npm-'));
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const packed = npm('pack', bundle, '--json', '--pack-destination', project);
    const [{ filename, size }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string; size: number }];
    expect(size).toBeLessThanOrEqual(1024 * 1024);
    npm('init', '--yes');
    npm('install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
    const manifest = readFileSync(join(project, 'node_modules/@posthorn/cli/package.json'), 'utf8');
    expect(manifest).not.toMatch(/workspace:|catalog:|[dD]ependencies/);
    expect(npm('exec', '--offline', '--', 'posthorn', '--version')).toBe(`${JSON.parse(manifest).version}\n`);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
