import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rotateLog } from './rotate-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a full log is rotated while its program keeps appending to it; 5 files are kept', () => {
  const file = join(folder, 'api.log');
  // The file stays open all the time, as in the program.
  const log = openSync(file, 'a', 0o600);
  for (let n = 1; n <= 8; n += 1) {
    writeSync(log, `line ${n}\n`);
    rotateLog(file, 7);
  }
  writeSync(log, 'line 9');
  rotateLog(file, 7);
  closeSync(log);
  expect(readdirSync(folder).sort()).toEqual(['api.log', ...[1, 2, 3, 4].map((n) => `api.log.${n}`)]);
  expect([file, `${file}.1`, `${file}.4`].map((one) => readFileSync(one, 'utf8'))).toEqual([
    'line 9',
    'line 8\n',
    'line 5\n',
  ]);
  expect(statSync(`${file}.1`).mode & 0o777).toBe(0o600);
});

test('a log is full at 20 MiB, and a missing log is ignored', () => {
  const file = join(folder, 'api.log');
  rotateLog(file);
  const log = openSync(file, 'a');
  writeSync(log, Buffer.alloc(20 * 1024 * 1024 - 1));
  rotateLog(file);
  expect(readdirSync(folder)).toEqual(['api.log']);
  writeSync(log, 'x');
  rotateLog(file);
  closeSync(log);
  expect(readdirSync(folder)).toEqual(['api.log', 'api.log.1']);
});
