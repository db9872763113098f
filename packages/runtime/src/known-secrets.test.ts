import { expect, test } from '@jest/globals';
import { knownSecretFaults } from './known-secrets.ts';

const PUBLIC = 'https://hooks.example.com';
const named = (given: Record<string, string>, baseUrl = PUBLIC) =>
  knownSecretFaults({ BASE_URL: baseUrl, ...given }).map((fault) => fault.split(' ')[0]);

test.each([
  ['DATABASE_URL', 'postgresql://posthorn:posthorn-trial@postgres:5432/posthorn'],
  ['DATABASE_URL', 'postgresql://posthorn:change%2Dme@postgres:5432/posthorn'],
  ['REDIS_URL', 'redis+cluster://:posthorn-trial@n1:6379,n2:6379'],
  ['SEALING_KEYS', 'k1:2PKb3F9pouAiSB0A8QZ7c7d3zxby7ijs8c+z/Mk8AYE='],
  ['SEALING_KEYS', 'k2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,k1:2PKb3F9pouAiSB0A8QZ7c7d3zxby7ijs8c+z/Mk8AYE='],
  ['CURSOR_KEYS', 'k1:TVGqAwdDagQF9B6WAb0KrZlwk1PfyybqTA86id4ssPI='],
  ['BOOTSTRAP_PASSWORD', 'change-me-at-least-once'],
  ['ADMIN_PASSWORD', 'change-me'],
])('%s with a published secret is refused by its name when other hosts reach the service', (name, value) => {
  expect(named({ [name]: value })).toEqual([name]);
  expect(knownSecretFaults({ BASE_URL: PUBLIC, [name]: value }).join()).not.toContain(value);
});

test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'http://hooks.localhost'])(
  'when only this machine reaches the service (%s), published secrets are accepted',
  (baseUrl) => {
    expect(named({ ADMIN_PASSWORD: 'change-me' }, baseUrl)).toEqual([]);
    expect(knownSecretFaults({ ADMIN_PASSWORD: 'change-me' })).toEqual([]);
  },
);

test('a host that only looks local is refused, and other secrets are accepted', () => {
  const given = { ADMIN_PASSWORD: 'change-me' };
  for (const host of ['localhost.example.com', '127.0.0.1.example.com', '0.0.0.0', '10.0.0.1']) {
    expect([host, named(given, `http://${host}`)]).toEqual([host, ['ADMIN_PASSWORD']]);
  }
  expect(named({ ADMIN_PASSWORD: 'change-me-not', DATABASE_URL: 'postgresql://a:b@c/d', LOG_LEVEL: 'info' })).toEqual(
    [],
  );
});
