import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keepCredentials } from './credentials.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'posthorn-credentials-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('credentials are made once, stored for their owner only, and are the same at every later start', () => {
  const first = keepCredentials(home, {});
  expect(keepCredentials(home, {})).toEqual(first);
  expect(statSync(join(home, 'credentials.json')).mode & 0o777).toBe(0o600);
});

test('credentials given at the first start stay in use at a later start without any', () => {
  const given = { BOOTSTRAP_EMAIL: 'ada@example.com', BOOTSTRAP_MANAGEMENT_TOKEN: 'phm_given', SEALING_KEYS: 'k9:abc' };
  const first = keepCredentials(home, given);
  expect(first).toMatchObject({ email: 'ada@example.com', managementToken: 'phm_given', sealingKeys: 'k9:abc' });
  expect(keepCredentials(home, {})).toEqual(first);
});

test('credentials given later are used for that start; only keys are kept, since they may have sealed data', () => {
  const first = keepCredentials(home, {});
  const later = keepCredentials(home, { BOOTSTRAP_MANAGEMENT_TOKEN: 'phm_other', SEALING_KEYS: 'k2:new,k1:old' });
  expect(later).toMatchObject({ managementToken: 'phm_other', sealingKeys: 'k2:new,k1:old' });
  expect(keepCredentials(home, {})).toEqual({ ...first, sealingKeys: 'k2:new,k1:old' });
});
