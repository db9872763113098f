import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Instance, instanceFile, removeInstanceFile, writeInstanceFile } from './instance-file.ts';

const instance: Instance = {
  baseUrl: 'http://127.0.0.1:3000',
  dashboardUrl: 'http://127.0.0.1:3000',
  metricsUrl: 'http://127.0.0.1:3001/metrics',
  databaseUrl: 'postgresql://127.0.0.1/posthorn',
  redisUrl: 'redis://127.0.0.1:6379',
  workspaceId: 'ws_1',
  environmentId: 'env_1',
  managementToken: 'phm_1',
  apiKey: 'phk_1',
  login: { email: 'a@example.com', password: 'p' },
  admin: { user: 'admin', password: 'p' },
  processes: [{ name: 'api', pid: 1 }],
};
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'posthorn-instance-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('only the owner may read the instance file, and no other file is left beside it', () => {
  writeInstanceFile(home, instance);
  expect(JSON.parse(readFileSync(instanceFile(home), 'utf8'))).toEqual(instance);
  expect(statSync(instanceFile(home)).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['instance.json']);
});

test('a rewrite replaces the whole file, so that no reader sees a partial one', () => {
  writeInstanceFile(home, instance);
  const before = statSync(instanceFile(home)).ino;
  writeInstanceFile(home, { ...instance, processes: [{ name: 'api', pid: 2 }] });
  expect(statSync(instanceFile(home)).ino).not.toBe(before);
  expect(JSON.parse(readFileSync(instanceFile(home), 'utf8')).processes).toEqual([{ name: 'api', pid: 2 }]);
});

test('removing a missing file does nothing', () => {
  writeInstanceFile(home, instance);
  removeInstanceFile(home);
  removeInstanceFile(home);
  expect(readdirSync(home)).toEqual([]);
});
