import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

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
    const names = [...new Set([...asked, 'SEALING_KEYS', 'CURSOR_KEYS', 'BOOTSTRAP_PASSWORD'])];
    expect(names).toHaveLength(6);
    for (const name of names) {
      const form = name.endsWith('_KEYS') ? /^k1:[A-Za-z0-9+/]{43}=$/ : /^[A-Za-z0-9_-]{32}$/;
      expect([name, settings[name]]).toEqual([name, expect.stringMatching(form)]);
    }
    expect(new Set(names.map((name) => settings[name])).size).toBe(6);
  });

  test('makes new secrets each time, and never overwrites a file', () => {
    const first = makeEnv();
    expect(makeEnv('other').settings.SEALING_KEYS).not.toBe(first.settings.SEALING_KEYS);
    const again = makeEnv();
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('exists already')]);
    expect(again.settings).toEqual(first.settings);
  });
});

test('neither docker-compose.yml nor .env.example contains a secret', () => {
  const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'));
  const secret = /PASSWORD|KEYS|TOKEN|API_KEY/;
  expect(Object.entries(example).filter(([name, value]) => secret.test(name) && value !== '')).toEqual([]);
  const defaults = [...compose.matchAll(/\$\{([A-Z_]+):-([^}]+)/g)].map(([, name = '']) => name);
  expect(defaults.filter((name) => secret.test(name))).toEqual([]);
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
  const api = 'node --enable-source-maps services/api/dist/main.js';
  const dispatcher = 'node --enable-source-maps services/dispatcher/dist/main.js';

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
    expect(await check(dispatcher, { PORT: '1', METRICS_PORT: port, LISTEN_ADDRESS: '127.0.0.1' })).toBe('healthy');
    expect(await check(`${init} dispatcher`, { METRICS_PORT: port, LISTEN_ADDRESS: '::' })).toBe('healthy');
    status = 503;
    expect(await check(init, { PORT: port })).toBe('unhealthy');
    server.close();
    expect(await check(dispatcher, { METRICS_PORT: '1' })).toBe('unhealthy');
  });

  test('ignores a role that serves no requests', async () => {
    expect(await check('node services/api/dist/admin.js migrate', { PORT: '1' })).toBe('healthy');
  });
});
