import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = randomBytes(32).toString('base64');
const given = { DATABASE_URL: 'postgres://localhost/a', SEALING_KEYS: `a:${key}`, CURSOR_KEYS: `a:${key}` };

test('a setting with a default of its own may come from a file, as any other', () => {
  expect(readConfig(given).dispatcher.DELIVERY_CONCURRENCY).toBe(100);
  const file = join(folder, 'concurrency');
  writeFileSync(file, '7\n');
  expect(readConfig({ ...given, DELIVERY_CONCURRENCY_FILE: file }).dispatcher.DELIVERY_CONCURRENCY).toBe(7);
  expect(readConfig({ ...given, DELIVERY_CONCURRENCY: '8', DELIVERY_CONCURRENCY_FILE: '' }).dispatcher).toMatchObject({
    DELIVERY_CONCURRENCY: 8,
  });
});
