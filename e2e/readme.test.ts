import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { projectRoot, runPage } from './pages/run-page.ts';

// The commands of README.md, pasted in order into a shell in a folder that holds `.posthorn/env`.

const RECEIVER_OF_README = 'https://127.0.0.1:9443/webhooks';

let folder: string;
let receiver: Receiver;
let stack: Stack;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-readme-'));
  receiver = await startReceiver();
  receiver.respondWith(() => ({ status: 204 }));
  stack = await startStack({ caPem: receiver.caPem });
  const { workspaceId, environmentId, managementToken, apiKey } = stack;
  const variables = {
    BASE_URL: stack.api.url,
    WORKSPACE_ID: workspaceId,
    ENVIRONMENT_ID: environmentId,
    MANAGEMENT_TOKEN: managementToken,
    API_KEY: apiKey,
  };
  mkdirSync(join(folder, '.posthorn'));
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(join(folder, '.posthorn/env'), lines.join(''));
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

test('the commands of README.md succeed when they are pasted from top to bottom, and the event arrives', async () => {
  expect(readFileSync(join(projectRoot, 'README.md'), 'utf8')).toContain(RECEIVER_OF_README);
  const url = new URL('/webhooks', receiver.url).href;
  const run = await runPage('README.md', {}, { cwd: folder, replace: { [RECEIVER_OF_README]: url } });
  expect(run).toMatchObject({ code: 0, differences: [] });
  const [request] = await receiver.received(1);
  expect(request?.body.toString()).toBe('{"id":"order_1002","total":1900}');
  expect(request?.body).toHaveLength(32);
  expect(request?.headers).toMatchObject({ 'webhook-event-type': 'order.created', 'webhook-attempt': '1' });
}, 100_000);
