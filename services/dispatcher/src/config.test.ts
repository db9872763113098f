import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const key = randomBytes(32).toString('base64');
const given = { DATABASE_URL: 'postgres://localhost/a', REDIS_URL: 'redis://localhost', SEALING_KEYS: `a:${key}` };

test('the dispatcher’s settings have the defaults of the contract', () => {
  expect(readConfig(given)).toMatchObject({
    DELIVERY_CONCURRENCY: 200,
    DELIVERY_TIMEOUT_SECONDS: 15,
    RETRY_SCHEDULE: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    SWEEP_INTERVAL_MS: 2_000,
    RETENTION_DAYS: 7,
    ADMIN_WRITE: false,
    LOG_LEVEL: 'info',
  });
});

test('all invalid settings are named at once, and no secret is shown', () => {
  const bad = {
    DATABASE_URL: given.DATABASE_URL,
    SEALING_KEYS: `a:${key.slice(0, 20)}`,
    RETRY_SCHEDULE: '5,soon',
    RETENTION_DAYS: '3',
    EGRESS_ALLOW_CIDRS: '10.0.0.0/99',
    DELIVERY_TIMEOUT_SECONDS: '31',
    SWEEP_INTERVAL_MS: '0',
  };
  expect(() => readConfig(bad)).toThrow(
    /RETENTION_DAYS.*SEALING_KEYS.*EGRESS_ALLOW_CIDRS.*DELIVERY_TIMEOUT_SECONDS.*RETRY_SCHEDULE.*SWEEP_INTERVAL_MS/s,
  );
  expect(() => readConfig(bad)).not.toThrow(new RegExp(key.slice(0, 20).replaceAll(/[+/]/g, '\\$&')));
});

test('a board password under 12 characters is refused, and so are published secrets with a public BASE_URL', () => {
  expect(() => readConfig({ ...given, ADMIN_PASSWORD: 'elevenchars' })).toThrow(
    'ADMIN_PASSWORD must have at least 12 characters',
  );
  const open = { ...given, BASE_URL: 'https://hooks.example.com', LISTEN_ADDRESS: '10.0.0.1' };
  expect(readConfig({ ...open, ADMIN_PASSWORD: 'twelve chars' })).toMatchObject({ LISTEN_ADDRESS: '10.0.0.1' });
  expect(() => readConfig({ ...open, REDIS_URL: 'redis://:posthorn-trial@localhost' })).toThrow(
    'REDIS_URL is a secret that this project has published',
  );
  expect(() => readConfig({ ...open, LISTEN_ADDRESS: 'localhost' })).toThrow('LISTEN_ADDRESS must be an IP address');
});
