import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readCredentials } from './credentials.ts';
import { apiEnvironment, dispatcherEnvironment } from './service-environment.ts';
import { readLauncherSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'posthorn-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string): string {
  const path = join(folder, 'value');
  writeFileSync(path, content);
  return path;
}

/** Every setting that the launcher gives the services. */
function givenToServices(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = {
    environment,
    credentials: readCredentials(folder, environment, new Date(0)).used,
    ownerUrl: 'postgresql://owner@db/posthorn',
    runtimeUrl: 'postgresql://db/posthorn',
    redisUrl: 'redis://redis',
    port: 3_000,
    baseUrl: 'http://localhost:3000',
    egressAllowCidrs: '',
    caBundle: '/ca.pem',
  };
  const api = apiEnvironment(options, { metricsPort: '0', queueBoardUrl: 'http://localhost:1' });
  return { ...api, ...dispatcherEnvironment(options, { metrics: '0', admin: '0' }) };
}

/** Variables that the services do not read as settings, so never from files. */
const OF_NODE = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS'];

test('no setting that the launcher gives the services reaches them as a file too, which they would refuse', () => {
  const names = Object.keys(givenToServices({ REDIS_URL: 'redis://redis' })).filter((name) => !OF_NODE.includes(name));
  expect(names).toEqual(expect.arrayContaining(['PORT', 'BASE_URL', 'QUEUE_PREFIX', 'ADMIN_USER', 'BOOTSTRAP_EMAIL']));
  const path = file('7\n');
  const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, path]));
  const { port, environment } = readLauncherSettings(files);
  expect(port).toBe(7);
  expect(environment).toEqual(Object.fromEntries(names.map((name) => [name, '7'])));
});

test('the file of any other setting is left to the services', () => {
  const { environment } = readLauncherSettings({ LOG_LEVEL_FILE: '/run/log-level', SSL_CERT_FILE: '/etc/ca.pem' });
  expect(environment).toEqual({ LOG_LEVEL_FILE: '/run/log-level', SSL_CERT_FILE: '/etc/ca.pem' });
});

test('a file is one message beside its setting or when it cannot be read, and an empty one counts as unset', () => {
  expect(() => readLauncherSettings({ PORT: '1', PORT_FILE: file('2') })).toThrow('PORT and PORT_FILE are both set.');
  const unread = { BASE_URL_FILE: folder };
  expect(() => readLauncherSettings(unread)).toThrow(`BASE_URL_FILE names ${folder}, which cannot be read.`);
  expect(readLauncherSettings({ PORT_FILE: file('\n') }).port).toBeUndefined();
  expect(readLauncherSettings({ EGRESS_ALLOW_CIDRS_FILE: file('') }).environment).toEqual({ EGRESS_ALLOW_CIDRS: '' });
});

test('a BASE_URL that ends with a slash is taken without it, because paths are added to it', () => {
  const given = (BASE_URL: string) => readLauncherSettings({ BASE_URL }).environment.BASE_URL;
  expect(given('https://hooks.example.com/')).toBe('https://hooks.example.com');
  expect(given('https://example.com/hooks//')).toBe('https://example.com/hooks');
  expect(given('https://hooks.example.com')).toBe('https://hooks.example.com');
  // The services refuse this value.
  expect(given('/')).toBe('/');
});
