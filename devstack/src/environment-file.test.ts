import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { environmentFile, FIELD_COMMAND, removeEnvironmentFile, writeEnvironmentFile } from './environment-file.ts';
import type { Instance } from './instance-file.ts';
import { projectRoot } from './project-root.ts';
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
    WORKSPACE_URL: `${instance.baseUrl}/management/v1/workspaces/ws_1`,
    RECEIVER_URL: 'https://127.0.0.1:9443/webhooks',
    POSTHORN_BASE_URL: instance.baseUrl,
    POSTHORN_TOKEN: 'phm_1',
    POSTHORN_API_KEY: 'phk_1',
    POSTHORN_WORKSPACE_ID: 'ws_1',
  });
  removeEnvironmentFile(home);
  expect(existsSync(environmentFile(home))).toBe(false);
});

test.each([
  ['{"id":"ep_1"}', '.id', 0, 'ep_1\n', ''],
  ['[{"status":204}]', '[0].status', 0, '204\n', ''],
  ['{"error":{"code":"event_type_exists","message":"It exists"}}', '.id', 1, '', 'It exists\n'],
])('its command field answers to %s with %s', (answer, field, status, stdout, stderr) => {
  writeEnvironmentFile(home, instance);
  const script = `. '${environmentFile(home)}'; field '${field}'`;
  const run = spawnSync('sh', ['-c', script], { input: answer, encoding: 'utf8' });
  expect(run).toMatchObject({ status, stdout, stderr });
});

test('its command posthorn is the command line of this checkout', () => {
  writeEnvironmentFile(home, instance);
  const run = spawnSync('sh', ['-c', `. '${environmentFile(home)}'; posthorn --version`], { encoding: 'utf8' });
  expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test('docs/how-to/send-an-event.md has the same command for installations without the file', () => {
  const page = readFileSync(join(projectRoot, 'docs/how-to/send-an-event.md'), 'utf8');
  expect(page).toContain(`\n${FIELD_COMMAND}\n`);
});

test('a start from such a shell does not take the address of the other instance for its own', () => {
  writeEnvironmentFile(home, instance);
  expect(readLauncherSettings(sourced()).environment.BASE_URL).toBeUndefined();
  const given = readLauncherSettings({ ...sourced(), BASE_URL: 'https://hooks.example.com' });
  expect(given.environment.BASE_URL).toBe('https://hooks.example.com');
});
