import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeCaBundle } from './ca-bundle.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'posthorn-bundle-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (callersFile?: string) => readFileSync(writeCaBundle(home, 'own\n', callersFile), 'utf8');

test("the caller's authorities stay trusted besides the receiver's own, each on separate lines", () => {
  const callersFile = join(home, 'callers.pem');
  writeFileSync(callersFile, 'callers without a last newline');
  expect(read(callersFile)).toBe('callers without a last newline\nown\n');
});

test("without a caller's file, or with a missing one, the bundle has only the receiver's own authority", () => {
  expect(read()).toBe('own\n');
  expect(read('')).toBe('own\n');
  expect(read(join(home, 'missing.pem'))).toBe('own\n');
});
