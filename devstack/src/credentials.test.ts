import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { open, parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { credentialsFile, readCredentials } from './credentials.ts';

const now = new Date('2026-11-22T10:00:00Z');
const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'posthorn-credentials-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function start(environment: NodeJS.ProcessEnv) {
  const credentials = readCredentials(home, environment, now);
  credentials.store();
  return credentials;
}

test('credentials are made once, stored for their owner only, and are the same at every later start', () => {
  const first = start({}).used;
  expect(start({}).used).toEqual(first);
  expect(statSync(credentialsFile(home)).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['credentials.json']);
});

test('credentials given at the first start stay in use at a later start without any', () => {
  const given = { BOOTSTRAP_EMAIL: 'ada@example.com', BOOTSTRAP_MANAGEMENT_TOKEN: 'phm_given', SEALING_KEYS: 'k9:abc' };
  const first = start(given).used;
  expect(first).toMatchObject({ email: 'ada@example.com', managementToken: 'phm_given', sealingKeys: 'k9:abc' });
  expect(start({}).used).toEqual(first);
});

test('credentials given later never replace the kept ones', () => {
  const { kept } = start({});
  const later = start({ BOOTSTRAP_MANAGEMENT_TOKEN: 'phm_other', BOOTSTRAP_PASSWORD: 'another one' });
  expect(later.used).toMatchObject({ managementToken: 'phm_other', password: 'another one' });
  expect(later.kept).toEqual(kept);
  expect(start({}).used).toEqual(kept);
});

test.each(['sealingKeys', 'cursorKeys'] as const)('a value sealed with any earlier %s stays readable', (name) => {
  const setting = { sealingKeys: 'SEALING_KEYS', cursorKeys: 'CURSOR_KEYS' }[name];
  const starts = [{}, { [setting]: keyOf('k2', 2) }, { [setting]: keyOf('k3', 3) }, { [setting]: keyOf('k2', 2) }, {}];
  const sealed: Buffer[] = [];
  for (const environment of starts) {
    const keys = parseSealingKeys(start(environment).used[name]);
    sealed.push(seal(keys, Buffer.from('text'), 'context'));
    for (const one of sealed) expect(open(keys, one, 'context')).toMatchObject({ kind: 'opened' });
  }
});

test('a given key seals from then on, also at a later start, and the user is told that the kept keys stay', () => {
  const kept = start({}).used.sealingKeys;
  const { used, notes } = start({ SEALING_KEYS: keyOf('k2', 2) });
  expect(used.sealingKeys).toBe(`${keyOf('k2', 2)},${kept}`);
  expect(notes).toEqual([expect.stringContaining('SEALING_KEYS: the given key comes first now; the kept key stays')]);
  expect(start({}).used.sealingKeys).toBe(used.sealingKeys);
});

test('a given key with the id of another kept key gets an id of its own: both stay usable', () => {
  start({ SEALING_KEYS: keyOf('k1', 1) });
  const first = start({ SEALING_KEYS: keyOf('k1', 2) });
  const [front = '', behind] = first.used.sealingKeys.split(',');
  expect([front.slice(front.indexOf(':')), behind]).toEqual([keyOf('k1', 2).slice(2), keyOf('k1', 1)]);
  expect(front).not.toMatch(/^k1:/);
  expect(first.notes[0]).toContain('k1');
  expect(start({ SEALING_KEYS: keyOf('k1', 2) }).used.sealingKeys).toBe(first.used.sealingKeys);
});

test('with a given database, a key that clashes with a kept one is refused, and nothing changes', () => {
  start({ SEALING_KEYS: keyOf('k1', 1) });
  const before = readFileSync(credentialsFile(home), 'utf8');
  const given = { SEALING_KEYS: keyOf('k1', 2), DATABASE_URL: 'postgresql://db/posthorn' };
  expect(() => start(given)).toThrow('SEALING_KEYS: the key with the id k1 is not the key');
  expect(readFileSync(credentialsFile(home), 'utf8')).toBe(before);
});

test('the stored file of before stays beside a changed one', () => {
  start({});
  const before = readFileSync(credentialsFile(home), 'utf8');
  start({ SEALING_KEYS: keyOf('k2', 2) });
  const copy = join(home, 'credentials-2026-11-22T100000.000Z.json');
  expect([readFileSync(copy, 'utf8'), statSync(copy).mode & 0o777]).toEqual([before, 0o600]);
});

test('a damaged file is reported and not replaced', () => {
  writeFileSync(credentialsFile(home), '{');
  expect(() => start({})).toThrow('is not JSON');
  expect(readFileSync(credentialsFile(home), 'utf8')).toBe('{');
});

test('nothing is stored before the settings have been checked', () => {
  readCredentials(home, { SEALING_KEYS: 'k1:abc' }, now);
  expect(existsSync(credentialsFile(home))).toBe(false);
});
