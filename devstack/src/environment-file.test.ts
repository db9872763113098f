import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { environmentFile, removeEnvironmentFile, writeEnvironmentFile } from './environment-file.ts';
import type { Instance } from './instance-file.ts';
import { readLauncherSettings } from './settings.ts';

const instance: Instance = {
  baseUrl: "http://127.0.0.1:3000/it's $HOME",
  dashboardUrl: '',
  metricsUrl: '',
  databaseUrl: '',
  redisUrl: '',
  workspaceId: 'ws_1',
  environmentId: 'env_1',
  managementToken: 'phm_1',
  apiKey: 'phk_1',
  login: { email: '', password: '' },
  admin: { user: '', password: '' },
  processes: [],
};
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'posthorn-env-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function sourced(): NodeJS.ProcessEnv {
  const script = `. '${environmentFile(home)}' && '${process.execPath}' -e 'console.log(JSON.stringify(process.env))'`;
  return JSON.parse(execFileSync('sh', ['-c', script], { env: {}, encoding: 'utf8' }));
}

test('a shell that reads the file has the address and the credentials; only its owner may read it', () => {
  writeEnvironmentFile(home, instance);
  expect(statSync(environmentFile(home)).mode & 0o777).toBe(0o600);
  expect(sourced()).toMatchObject({
    BASE_URL: instance.baseUrl,
    WORKSPACE_ID: 'ws_1',
    ENVIRONMENT_ID: 'env_1',
    MANAGEMENT_TOKEN: 'phm_1',
    API_KEY: 'phk_1',
    M: `${instance.baseUrl}/management/v1/workspaces/ws_1`,
    RECEIVER_URL: 'https://127.0.0.1:9443/webhooks',
  });
  removeEnvironmentFile(home);
  expect(existsSync(environmentFile(home))).toBe(false);
});

test('a start from such a shell does not take the address of the other instance for its own', () => {
  writeEnvironmentFile(home, instance);
  expect(readLauncherSettings(sourced()).environment.BASE_URL).toBeUndefined();
  const given = readLauncherSettings({ ...sourced(), BASE_URL: 'https://hooks.example.com' });
  expect(given.environment.BASE_URL).toBe('https://hooks.example.com');
});
