import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-deploy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('deploy/make-env.sh', () => {
  const makeEnv = (name = '.env') => {
    const file = join(folder, name);
    const { status, stderr } = spawnSync('sh', [join(root, 'deploy/make-env.sh'), file], { encoding: 'utf8' });
    return { status, stderr, file, settings: parseEnv(readFileSync(file, 'utf8')) };
  };

  test('gives every setting that Docker Compose requires a different secret, readable by the file’s owner only', () => {
    const { status, file, settings } = makeEnv();
    expect([status, statSync(file).mode & 0o777]).toEqual([0, 0o600]);
    const asked = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name);
    const others = ['SEALING_KEYS', 'CURSOR_KEYS', 'BOOTSTRAP_PASSWORD', 'ADMIN_PASSWORD'];
    const names = [...new Set([...asked, ...others])];
    expect(names).toHaveLength(7);
    for (const name of names) {
      const form = name.endsWith('_KEYS') ? /^k[0-9a-f]{6}:[A-Za-z0-9+/]{43}=$/ : /^[A-Za-z0-9_-]{32}$/;
      expect([name, settings[name]]).toEqual([name, expect.stringMatching(form)]);
    }
    expect(new Set(names.map((name) => settings[name])).size).toBe(7);
  });

  test('makes a management token and an API key that the API accepts as its first ones', () => {
    const { settings } = makeEnv();
    expect(settings).toMatchObject({
      BOOTSTRAP_MANAGEMENT_TOKEN: expect.stringMatching(/^phm_/),
      BOOTSTRAP_API_KEY: expect.stringMatching(/^phk_/),
    });
    const stores = { DATABASE_URL: 'postgresql://postgres/posthorn', REDIS_URL: 'redis://redis' };
    const check = (changed: Record<string, string>) =>
      spawnSync(process.execPath, [join(root, 'services/api/dist/check-settings.js')], {
        env: { ...stores, ...settings, ...changed },
        encoding: 'utf8',
      });
    expect(check({})).toMatchObject({ status: 0, stderr: '' });
    const misread = `${settings.BOOTSTRAP_API_KEY?.slice(0, -1)}!`;
    expect(check({ BOOTSTRAP_API_KEY: misread }).stderr).toContain('BOOTSTRAP_API_KEY must be');
  });

  test('gives each checkout a name of its own for its containers, volumes and image', () => {
    const names = [makeEnv(), makeEnv('other')].map(({ settings }) => settings.COMPOSE_PROJECT_NAME);
    expect(names).toEqual([expect.stringMatching(/^posthorn-[0-9a-f]{6}$/), expect.stringMatching(/^posthorn-/)]);
    expect(new Set(names).size).toBe(2);
    // Docker Compose adds this name to containers and volumes, but not to an image.
    expect(compose).toMatch(/^ {2}image: \$\{COMPOSE_PROJECT_NAME:-posthorn\}:local$/m);
    expect(compose).not.toMatch(/container_name:|^ {4}name:/m);
  });

  test('makes new secrets each time, and never overwrites a file', () => {
    const first = makeEnv();
    expect(makeEnv('other').settings.SEALING_KEYS).not.toBe(first.settings.SEALING_KEYS);
    const again = makeEnv();
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('exists already')]);
    expect(again.settings).toEqual(first.settings);
  });
});

test('the image’s compile cache is made by the user that reads it, because Node has a folder for each user', () => {
  const [, asNode = ''] = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split('\nUSER node\n');
  expect(asNode).toMatch(/^RUN for role in api dispatcher all admin;/m);
});

test('the image has every document that llms.txt names', () => {
  const build = readFileSync(join(root, 'deploy/build.sh'), 'utf8').replaceAll('\\\n', '');
  const copied = (/^cp -a --parents (.+) "\$out"$/m.exec(build)?.[1] ?? '').split(/ +/);
  const llms = readFileSync(join(root, 'docs/llms.txt'), 'utf8');
  const pages = [...llms.matchAll(/\]\((docs\/[^)]+)\)/g)].map(([, page = '']) => page);
  expect(pages.length).toBeGreaterThan(50);
  // The files of `docs/*.md` are in docs itself.
  const folders = copied.map((path) => path.replace('/*.md', ''));
  expect(pages.filter((page) => !folders.includes(dirname(page)))).toEqual([]);
});

test('Grafana has no account, and so none with its default password', () => {
  expect(compose).toContain('GF_AUTH_BASIC_ENABLED: "false"');
  expect(compose).toContain('GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: "true"');
});

test('neither docker-compose.yml nor .env.example contains a secret', () => {
  const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'));
  const secret = /PASSWORD|KEYS|TOKEN|API_KEY/;
  expect(Object.entries(example).filter(([name, value]) => secret.test(name) && value !== '')).toEqual([]);
  const defaults = [...compose.matchAll(/\$\{([A-Z_]+):-([^}]+)/g)].map(([, name = '']) => name);
  expect(defaults.filter((name) => secret.test(name))).toEqual([]);
});

test.each([
  ['docker-compose.yml', '256 MiB', '256mb'],
  ['devstack/src/redis.ts', '256 MiB', '256mb'],
  ['deploy/helm/posthorn/templates/bundled-stores.yaml', 'its setting', '{{ .Values.bundled.redis.maxmemory }}'],
])('the Redis of %s refuses jobs when it is full, and takes at most %s', (file, _words, most) => {
  const words = readFileSync(join(root, file), 'utf8').replaceAll(/["',]/g, '');
  expect(words).toContain(`--maxmemory ${most} --maxmemory-policy noeviction`);
});

describe('docker-compose.yml', () => {
  type Service = {
    environment: Record<string, string>;
    ports?: string[];
    volumes: string[];
    logging: object;
    profiles?: string[];
    depends_on?: Record<string, object>;
    deploy?: object;
    healthcheck?: object;
  };
  const { services } = parse(compose, { merge: true }) as { services: Record<string, Service> };
  const ours = ['migrate', 'api', 'dispatcher', 'all'];

  test('puts no password into a URL: the image’s entrypoint does, so that it may hold any character', () => {
    for (const name of ours) {
      const { DATABASE_URL = '', DATABASE_OWNER_URL = '' } = services[name]?.environment ?? {};
      expect([name, new URL(DATABASE_URL).password]).toEqual([name, '']);
      expect([name, DATABASE_OWNER_URL]).toEqual([name, expect.stringMatching(name === 'api' ? /^$/ : /owner@/)]);
    }
    expect(services.api?.environment.POSTGRES_OWNER_PASSWORD).toBe('');
  });

  test('the profile `one` is a process with Postgres alone, and needs no other container but the migration', () => {
    const { all, api, dispatcher } = services;
    expect(all).toMatchObject({ profiles: ['one'], command: ['all'], depends_on: { migrate: expect.anything() } });
    expect(Object.keys(all?.depends_on ?? {})).toEqual(['migrate']);
    expect(Object.keys(services.migrate?.depends_on ?? {})).toEqual(['postgres']);
    // It has the ports and settings of the two services. Only the place of the queues differs.
    expect(all?.environment).toEqual({ ...api?.environment, ...dispatcher?.environment, REDIS_URL: '' });
    expect(all?.ports).toEqual([...(api?.ports ?? []), ...(dispatcher?.ports ?? [])]);
    expect(all?.healthcheck).toEqual(api?.healthcheck);
    const others = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
    expect(others.map(([name]) => name)).toEqual(['postgres', 'redis', 'migrate', 'api', 'dispatcher']);
  });

  test('every `up` starts the number of dispatchers that .env has, so an upgrade takes none away', () => {
    expect(services.dispatcher?.deploy).toEqual({ replicas: '$' + '{DISPATCHERS:-1}' });
    expect(parseEnv(readFileSync(join(root, '.env.example'), 'utf8')).DISPATCHERS).toBe('1');
  });

  test('the dashboard of metrics starts by its name, with what it needs and nothing else', () => {
    const { grafana, prometheus } = services;
    expect([grafana?.depends_on, prometheus?.depends_on]).toEqual([['prometheus'], undefined]);
    expect(prometheus?.profiles).toEqual(grafana?.profiles);
  });

  test('bounds the log of every service', () => {
    for (const [name, { logging }] of Object.entries(services)) {
      expect([name, logging]).toEqual([name, { driver: 'json-file', options: { 'max-size': '50m', 'max-file': '3' } }]);
    }
  });

  test.each(['a/b#c', '%41 d:e@f?g', '\'quoted" $HOME `id`', 'ü€'])('connects with the password %s', (password) => {
    mkdirSync(join(folder, 'services/api/bundle'), { recursive: true });
    writeFileSync(
      join(folder, 'services/api/bundle/main.js'),
      'const { DATABASE_URL, DATABASE_OWNER_URL, POSTGRES_RUNTIME_PASSWORD } = process.env;' +
        'console.log(JSON.stringify([DATABASE_URL, DATABASE_OWNER_URL, POSTGRES_RUNTIME_PASSWORD]));',
    );
    const { stdout } = spawnSync('sh', [join(root, 'deploy/entrypoint.sh'), 'api'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        ...services.dispatcher?.environment,
        POSTGRES_RUNTIME_PASSWORD: password,
        POSTGRES_OWNER_PASSWORD: `owner ${password}`,
      },
      encoding: 'utf8',
    });
    const [runtime, owner, left] = JSON.parse(stdout);
    expect(decodeURIComponent(new URL(runtime).password)).toBe(password);
    expect(decodeURIComponent(new URL(owner).password)).toBe(`owner ${password}`);
    expect(left).toBeNull();
  });

  test('opens the queue board on this machine only, and mounts further authorities', () => {
    expect(services.dispatcher?.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*9465-9474\}:9465$/)]);
    for (const name of ours) {
      expect(services[name]?.volumes).toEqual([
        expect.stringMatching(/NODE_EXTRA_CA_CERTS:-.*:\/etc\/posthorn\/ca\.pem:ro$/),
      ]);
      expect(services[name]?.environment.NODE_EXTRA_CA_CERTS).toBe('/etc/posthorn/ca.pem');
    }
  });
});

describe('the image’s health check', () => {
  const check = async (command: string, settings: Record<string, string>) => {
    const file = join(folder, 'cmdline');
    writeFileSync(file, `${command.replaceAll(' ', '\0')}\0`);
    const run = promisify(execFile)(process.execPath, [join(root, 'deploy/healthcheck.mjs'), file], { env: settings });
    return run.then(
      () => 'healthy',
      () => 'unhealthy',
    );
  };
  const api = 'node --enable-source-maps services/api/bundle/main.js';
  const dispatcher = 'node --enable-source-maps services/dispatcher/bundle/main.js';

  test('asks the running role on its own port', async () => {
    let status = 200;
    const server = createServer(
      (request, response) => void response.writeHead(request.url === '/readyz' ? status : 404).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : 0);
    const init = '/sbin/docker-init -- /bin/sh /app/deploy/entrypoint.sh';
    expect(await check(api, { PORT: port, METRICS_PORT: '1' })).toBe('healthy');
    expect(await check(`${init} all`, { PORT: port, METRICS_PORT: '1' })).toBe('healthy');
    expect(await check(dispatcher, { PORT: '1', METRICS_PORT: port, LISTEN_ADDRESS: '127.0.0.1' })).toBe('healthy');
    expect(await check(`${init} dispatcher`, { METRICS_PORT: port, LISTEN_ADDRESS: '::' })).toBe('healthy');
    status = 503;
    expect(await check(init, { PORT: port })).toBe('unhealthy');
    server.close();
    expect(await check(dispatcher, { METRICS_PORT: '1' })).toBe('unhealthy');
  });

  test('ignores a role that serves no requests', async () => {
    expect(await check('node services/api/bundle/admin.js migrate', { PORT: '1' })).toBe('healthy');
  });
});
