import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';

// Tests how `npm start` treats settings and the data of earlier starts. e2e/start.test.ts tests a running instance.

const START_MAY_TAKE_MS = 120_000;
const launcherScript = fileURLToPath(new URL('../devstack/dist/start.js', import.meta.url));
const startScript = fileURLToPath(new URL('../devstack/start.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'posthorn-first-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Ended = { code: number | null; words: string };

/** Runs a start that is expected to end by itself. */
function startAndEnd(home: string, settings: NodeJS.ProcessEnv): Promise<Ended> {
  const { DATABASE_URL, REDIS_URL, ...rest } = process.env;
  const env = { ...rest, PORT: '0', POSTHORN_HOME: home, ...settings };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [launcherScript], { env, timeout: 60_000 }, (_error, _stdout, words) => {
      resolve({ code: child.exitCode, words });
    });
  });
}

let withoutStore: Record<'Redis' | 'PostgreSQL', Promise<Ended>>;
// Both starts wait for ten seconds, so they run while other tests do.
beforeAll(() => {
  const start = (settings: NodeJS.ProcessEnv) => startAndEnd(mkdtempSync(join(folder, 'store-')), settings);
  withoutStore = {
    // The other store must exist, or the start would not get as far as this store.
    Redis: start({ DATABASE_URL: process.env.TEST_DATABASE_URL, REDIS_URL: 'redis://127.0.0.1:1' }),
    PostgreSQL: start({ DATABASE_URL: 'postgresql://127.0.0.1:1/db' }),
  };
});

test('a chosen port that is taken is named before anything is built', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  const env = { ...process.env, PORT: `${port}`, POSTHORN_HOME: join(folder, 'taken') };
  try {
    const run = spawnSync(process.execPath, [startScript], { env, encoding: 'utf8', timeout: 60_000 });
    expect([run.status, run.stderr]).toEqual([
      1,
      `posthorn  Port ${port} is in use, or this user may not listen on it.\n          Choose another: PORT=${port + 1} npm start\n`,
    ]);
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
});

test.each(['start', 'dev', 'docs', 'screenshots'])('npm run %s -- --help explains it, and starts nothing', (name) => {
  const script = fileURLToPath(new URL(`../devstack/${name}.mjs`, import.meta.url));
  const env = { ...process.env, POSTHORN_HOME: join(folder, 'help') };
  const run = (option: string) =>
    spawnSync(process.execPath, [script, option], { env, encoding: 'utf8', timeout: 20_000 });
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^usage: npm (run )?\w+/),
    stderr: '',
  });
  const { status, stderr } = run('--halp');
  expect([status, stderr]).toEqual([2, expect.stringContaining('posthorn  does not take "--halp".\n\nusage: npm')]);
  expect(existsSync(join(folder, 'help'))).toBe(false);
});

test('the dashboard is built again when a program of the documents that it shows changes', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const pages = join(root, 'packages/web/src');
  const shown = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(pages, name), 'utf8'))
    .flatMap((text) => text.match(/(?<=import\.meta\.glob<string>\('[./]+)docs\/\w+/g) ?? []);
  const prepare = readFileSync(join(root, 'devstack/prepare.mjs'), 'utf8');
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.filter((from) => !prepare.includes(`filesBelow('${from}')`))).toEqual([]);
});

describe('a wrong setting', () => {
  test.each([
    ['SEALING_KEYS', 'k1:abc'],
    ['BOOTSTRAP_PASSWORD', 'x'],
    ['BOOTSTRAP_API_KEY', 'abc'],
    ['ADMIN_PASSWORD', 'short'],
    ['REDIS_URL', 'nonsense'],
    ['REDIS_URL', 'redis://user:100%@127.0.0.1'],
  ])('%s is one message with its name, and it is not stored', async (name, value) => {
    const home = join(folder, name);
    const { code, words } = await startAndEnd(home, { [name]: value });
    expect(words).toContain(`\n  ${name} `);
    expect(words.match(new RegExp(name, 'g'))).toHaveLength(1);
    expect(words).not.toMatch(/\n\s+at |within a minute/);
    expect([code, readdirSync(home).filter((file) => file.startsWith('credentials'))]).toEqual([2, []]);
  });

  test('a wrong one that an earlier version has stored is named with the file that holds it', async () => {
    const home = join(folder, 'poisoned');
    mkdirSync(home);
    const file = join(home, 'credentials.json');
    writeFileSync(file, '{"sealingKeys":"k1:abc"}');
    const { code, words } = await startAndEnd(home, {});
    expect([code, words]).toEqual([2, expect.stringMatching(/SEALING_KEYS key 1 must be .*\n.*credentials\.json/)]);
    expect(readFileSync(file, 'utf8')).toBe('{"sealingKeys":"k1:abc"}');
  });

  test('all wrong settings are named at once', async () => {
    const { words } = await startAndEnd(join(folder, 'all'), { SEALING_KEYS: 'k1:abc', ADMIN_PASSWORD: 'short' });
    expect(words).toMatch(/SEALING_KEYS.*ADMIN_PASSWORD/s);
  });
});

const impossible = process.platform === 'linux' ? test : test.skip;
impossible('a home that cannot be made is one clear message', async () => {
  const { code, words } = await startAndEnd('/proc/posthorn', {});
  expect(words).toContain('POSTHORN_HOME, the folder /proc/posthorn, cannot be used');
  expect([code, /\n\s+at /.test(words)]).toEqual([2, false]);
});

test.each(['Redis', 'PostgreSQL'] as const)(
  'a %s that cannot be reached is named with the reason',
  async (store) => {
    const { code, words } = await withoutStore[store];
    expect(words).toMatch(new RegExp(`${store} at 127.0.0.1:1 has not answered for 10 s: .*ECONNREFUSED`));
    expect([code, /\n\s+at /.test(words)]).toEqual([1, false]);
  },
  60_000,
);

/** How an instance runs, by what is at hand. */
const SHAPES = { 'a Redis': 'API and dispatchers, Postgres and Redis', 'no Redis': 'one process, Postgres alone' };
type AtHand = keyof typeof SHAPES;
const homeOf = (atHand: AtHand) => join(folder, atHand.replace(' ', '-'));
let pathWithoutRedis: string;
beforeAll(() => {
  pathWithoutRedis = linkAllBut(/^(redis-server|valkey-server|apt-get|docker)$/);
});
afterAll(() => {
  for (const home of [homeOf('a Redis'), homeOf('no Redis')]) {
    const postgres = join(home, 'postgres');
    if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  }
});

/** A folder for the PATH, with all programs of this machine but these. */
function linkAllBut(names: RegExp): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const place of (process.env.PATH ?? '').split(delimiter).filter((path) => existsSync(path))) {
    for (const name of readdirSync(place)) {
      if (!names.test(name) && !existsSync(join(bin, name))) symlinkSync(resolve(place, name), join(bin, name));
    }
  }
  return bin;
}

describe.each([
  ['a Redis', 'no Redis'],
  ['no Redis', 'a Redis'],
] as const)('a home that was first started where %s was at hand', (first, later) => {
  const home = homeOf(first);
  const created = { secret: '', id: '' };
  let words: string;
  beforeAll(async () => {
    mkdirSync(home);
    words = await whileStarted(home, first, {}, async (instance) => {
      const made = await fetch(`${rootOf(instance)}/endpoints`, {
        ...withToken(instance),
        method: 'POST',
        body: '{"url":"https://example.com/hook"}',
      });
      Object.assign(created, await made.json());
    });
  }, START_MAY_TAKE_MS);

  test('is ready in the shape that this allows', () => {
    expect(words).toContain('Posthorn is ready.');
    expect(words).toContain(SHAPES[first]);
  });

  test(`keeps what it sealed readable when it is started where ${later} is at hand, with other keys and credentials`, async () => {
    expect(created.secret).toMatch(/^whsec_/);
    const other = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const settings = { SEALING_KEYS: other, BOOTSTRAP_PASSWORD: 'another password' };
    const words = await whileStarted(home, later, settings, async (instance) => {
      const endpoint = await fetch(`${rootOf(instance)}/endpoints/${created.id}`, withToken(instance));
      expect(await endpoint.json()).toMatchObject({ secret: created.secret });
      const login = await fetch(`${instance.baseUrl}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(instance.login),
      });
      expect(login.status).toBe(200);
    });
    expect(words).toContain('SEALING_KEYS: the given key comes first now; the kept key stays behind it');
    expect(words).toContain('BOOTSTRAP_PASSWORD: not used, because the database has its first workspace');
    expect(words).toContain('Posthorn is ready.');
    expect(words).toContain(SHAPES[later]);
  }, 150_000);
});

test('a start does not say that it is ready when no demo webhook arrives', async () => {
  const words = await whileStarted(homeOf('a Redis'), 'a Redis', { DISPATCHERS: '0' }, async () => {});
  expect(words).toContain('Posthorn runs. The demo delivery was skipped: with DISPATCHERS=0');
  expect(words).not.toContain('is ready');
}, 150_000);

type Instance = {
  baseUrl: string;
  workspaceId: string;
  managementToken: string;
  login: { email: string; password: string };
};
const rootOf = ({ baseUrl, workspaceId }: Instance) => `${baseUrl}/management/v1/workspaces/${workspaceId}`;
const withToken = ({ managementToken }: Instance) => ({
  headers: { authorization: `Bearer ${managementToken}`, 'content-type': 'application/json' },
});

/** Starts the home, works with the instance, stops it and returns what it printed. */
async function whileStarted(
  home: string,
  atHand: AtHand,
  settings: NodeJS.ProcessEnv,
  work: (instance: Instance) => Promise<void>,
): Promise<string> {
  const { DATABASE_URL, REDIS_URL, ...rest } = process.env;
  const path = atHand === 'no Redis' ? { PATH: pathWithoutRedis } : {};
  const env = { ...rest, ...path, PORT: '0', POSTHORN_HOME: home, ...settings };
  const launcher = spawn(process.execPath, [launcherScript], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  launcher.stderr.on('data', (chunk) => {
    words += String(chunk);
  });
  const isEnded = () => launcher.exitCode !== null || launcher.signalCode !== null;
  try {
    const isStarted = () => existsSync(join(home, 'instance.json')) || isEnded();
    await waitFor(isStarted, { what: 'the instance file', timeoutMs: START_MAY_TAKE_MS });
    if (isEnded()) throw new Error(`the launcher ended:\n${words}`);
    await work(JSON.parse(readFileSync(join(home, 'instance.json'), 'utf8')));
  } finally {
    launcher.kill('SIGTERM');
    await waitFor(isEnded, { what: 'the end of the launcher', timeoutMs: 35_000 });
  }
  return words;
}
