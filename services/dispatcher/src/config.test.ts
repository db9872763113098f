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

test('every bad one is named at once, and no secret is repeated', () => {
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
    /REDIS_URL is required.*RETENTION_DAYS.*SEALING_KEYS.*EGRESS_ALLOW_CIDRS.*DELIVERY_TIMEOUT_SECONDS.*RETRY_SCHEDULE.*SWEEP_INTERVAL_MS/s,
  );
  expect(() => readConfig(bad)).not.toThrow(new RegExp(key.slice(0, 20).replaceAll(/[+/]/g, '\\$&')));
});
