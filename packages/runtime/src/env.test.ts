import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { commonSettings, flag, readSettings, SettingsError, wholeNumber } from './env.ts';
import { parsedBy } from './parsed-setting.ts';

const schema = z.object({
  ...commonSettings,
  ADMIN_PASSWORD: z.string().optional(),
  ADMIN_WRITE: flag.default(false),
  DEPTH: wholeNumber(1, 30).default(15),
  KEYS: parsedBy((text) => {
    if (!text.startsWith('id:')) throw new Error('must be written id:base64');
    return text.slice(3);
  }),
});
const good = { DATABASE_URL: 'postgres://localhost/a', REDIS_URL: 'redis://localhost', KEYS: 'id:abc' };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-env-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function faultsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readSettings(schema, environment);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

describe('settings', () => {
  test('have their defaults, and their types', () => {
    expect(readSettings(schema, good)).toEqual({
      ...good,
      KEYS: 'abc',
      DATABASE_PREPARED_STATEMENTS: true,
      DELIVER_QUEUE_SHARDS: 1,
      OTEL_TRACES_SAMPLER_ARG: 1,
      QUEUE_PREFIX: 'posthorn',
      LOG_LEVEL: 'info',
      METRICS_PORT: 9_464,
      RETENTION_DAYS: 7,
      ADMIN_WRITE: false,
      DEPTH: 15,
    });
  });

  test('that are empty count as unset', () => {
    expect(readSettings(schema, { ...good, DEPTH: '', LOG_LEVEL: '' })).toMatchObject({ DEPTH: 15, LOG_LEVEL: 'info' });
    expect(faultsOf({ ...good, KEYS: '' })).toEqual(['KEYS is required']);
  });

  test('report every fault at once', () => {
    const faults = faultsOf({
      DATABASE_URL: 'mysql://a',
      DEPTH: '31',
      ADMIN_WRITE: 'yes',
      LOG_LEVEL: 'loud',
      KEYS: 'k',
    });
    expect(faults).toEqual([
      'DATABASE_URL must begin with postgres://',
      'LOG_LEVEL must be one of error, warn, info, debug, silent',
      'ADMIN_WRITE must be true or false',
      'DEPTH must be from 1 to 30',
      'KEYS must be written id:base64',
    ]);
  });

  test.each(['1.5', '-1', '+1', '1e1', '0x1', ' 1', '１', 'one', '9999999999999999'])(
    'refuse %j as a whole number',
    (text) => {
      expect(faultsOf({ ...good, DEPTH: text })).toEqual(['DEPTH must be a whole number']);
    },
  );

  test('name a URL of Redis that cannot be used, with the rule', () => {
    expect(faultsOf({ ...good, REDIS_URL: 'redis+sentinel://s1,s2' })).toEqual([
      "REDIS_URL must end with /<name of the master>, as in the sentinels' configuration",
    ]);
    const url = 'redis+cluster://ann:secret@n1:7000,n2:7000';
    expect(readSettings(schema, { ...good, REDIS_URL: url })).toMatchObject({ REDIS_URL: url });
  });

  test.each(['pa#ss', 'pa/ss', 'pa?ss'])('name a URL of Postgres with a password not encoded: %s', (password) => {
    const url = `postgresql://ann:${password}@db:5432/posthorn`;
    expect(faultsOf({ ...good, DATABASE_URL: url })).toEqual([expect.stringMatching(/^DATABASE_URL must be a URL; /)]);
    const misleading = `postgresql://ann:${password.replace('pa', '1')}@db:5432/posthorn`;
    expect(faultsOf({ ...good, DATABASE_URL: misleading })).toEqual([
      expect.stringMatching(/^DATABASE_URL has an @ after its host; .*%2F.*%3F.*%23/),
    ]);
    const encoded = `postgresql://ann:${encodeURIComponent(password)}@db:5432/posthorn`;
    expect(readSettings(schema, { ...good, DATABASE_URL: encoded })).toMatchObject({ DATABASE_URL: encoded });
  });

  test.each(['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'])(
    'name a percent sign in the password of %s that begins no escape',
    (name) => {
      expect(faultsOf({ ...good, [name]: 'postgres://ann:100%@db/posthorn' })).toEqual([
        expect.stringMatching(new RegExp(`^${name} has a % .* % as %25$`)),
      ]);
      const encoded = { ...good, [name]: 'postgres://ann:100%25@db/posthorn?application_name=a@b' };
      expect(faultsOf(encoded)).toEqual([]);
    },
  );

  test('name certificates of Postgres that cannot be read', () => {
    const url = `postgres://ann:secret@db/posthorn?sslmode=verify-full&sslrootcert=${folder}/missing.pem`;
    expect(faultsOf({ ...good, DATABASE_URL: url })).toEqual([
      'DATABASE_URL names a file of certificates (sslrootcert, sslcert or sslkey) that cannot be read',
    ]);
  });

  test.each([
    ['BASE_URL', 'ftp://a', 'must be an http or https URL'],
    ['BASE_URL', 'https://', expect.stringMatching(/must be a URL/)],
    ['BASE_URL', 'https://hooks.example/?a=b', expect.stringMatching(/must have no \?/)],
    ['BASE_URL', 'https://hooks.example/#top', expect.stringMatching(/must have no \?/)],
    ['BASE_URL', 'https://ann:secret@hooks.example', expect.stringMatching(/no user and no password/)],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ann:100%@collector:4318', expect.stringMatching(/%25/)],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ann:1/secret@collector:4318', expect.stringMatching(/%2F/)],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://ann:100%@collector/v1/traces', expect.stringMatching(/%25/)],
  ])('refuse %s=%s, with the rule', (name, url, rule) => {
    const [fault = '', ...others] = faultsOf({ ...good, [name]: url });
    expect(others).toEqual([]);
    expect(fault.slice(0, name.length + 1)).toBe(`${name} `);
    expect(fault.slice(name.length + 1)).toEqual(rule);
  });

  test.each([
    ['BASE_URL', 'https://hooks.example/posthorn/'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ann:100%25@collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'https://collector/v1/traces?account=ann@example.com'],
  ])('accept %s=%s', (name, url) => {
    expect(faultsOf({ ...good, [name]: url })).toEqual([]);
  });

  test.each([
    'postgres://ann@/posthorn?host=/var/run/postgresql',
    'postgresql://ann:secret@/posthorn?sslmode=disable&host=/run/postgresql&port=5433',
    'postgresql:///posthorn?host=/var/run/postgresql',
    'postgresql://%2Fvar%2Frun%2Fpostgresql/posthorn',
  ])('accept a URL of Postgres at a socket: %s', (url) => {
    expect(readSettings(schema, { ...good, DATABASE_URL: url })).toMatchObject({ DATABASE_URL: url });
  });

  test.each(['postgres://ann@/posthorn', 'postgres://ann:pa@/ss@db/posthorn', 'postgres://ann@/posthorn?host='])(
    'name a URL of Postgres without a host: %s',
    (url) => {
      expect(faultsOf({ ...good, DATABASE_URL: url })).toEqual([
        'DATABASE_URL must have a host after the @, or end with ?host= and the folder of a socket; encode other @ as %40',
      ]);
    },
  );

  test('never repeat a value in a fault', () => {
    const secret = 'hunter2-hunter2';
    const everything = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, secret]));
    const { ADMIN_PASSWORD, QUEUE_PREFIX, ...bad } = everything;
    const faults = faultsOf({ ...bad, QUEUE_PREFIX: `${secret} !`, ADMIN_PASSWORD_FILE: `/${secret}` });
    // Any text may be the password of the sentinels.
    expect(faults).toHaveLength(Object.keys(schema.shape).length - 1);
    expect(faults.join()).not.toContain(secret);
  });
});

describe('a setting from a file', () => {
  test.each([
    ['without a line break', 'secret', 'secret'],
    ['with a line break, which is removed', 'secret\n', 'secret'],
    ['with a Windows line break', 'secret\r\n', 'secret'],
    ['with two line breaks: only the last is removed', 'secret\n\n', 'secret\n'],
    ['with spaces, which are kept', ' secret ', ' secret '],
  ])('is its content: %s', (_case, content, value) => {
    const settings = readSettings(schema, { ...good, ADMIN_PASSWORD_FILE: file('password', content) });
    expect(settings.ADMIN_PASSWORD).toBe(value);
  });

  test('is refused beside the setting itself, with one fault', () => {
    const faults = faultsOf({ ...good, KEYS_FILE: file('keys', 'id:def') });
    expect(faults).toEqual(['KEYS and KEYS_FILE are both set: keep one']);
  });

  test('that cannot be read is reported once', () => {
    const { KEYS, ...rest } = good;
    expect(faultsOf({ ...rest, KEYS_FILE: join(folder, 'missing') })).toEqual([
      'KEYS_FILE names a file that cannot be read',
    ]);
  });
});
