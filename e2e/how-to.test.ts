import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { projectRoot, readBlocks, runPage } from './pages/run-page.ts';

// The ```bash blocks of docs/how-to/*.md are run in one bash per page, from the root of the project, each page in a
// workspace of its own. An ```output block behind a ```bash block must be its output; `…` there stands for anything.
// The variables of `.posthorn/env` are set: BASE_URL, WORKSPACE_ID, ENVIRONMENT_ID, MANAGEMENT_TOKEN, API_KEY, M (the
// address of the workspace) and RECEIVER_URL, an https receiver that answers 200.

const pages = readdirSync(join(projectRoot, 'docs/how-to')).filter((name) => name.endsWith('.md'));

let receiver: Receiver;
let stack: Stack;
beforeAll(async () => {
  receiver = await startReceiver();
  stack = await startStack({ caPem: receiver.caPem, settings: { RETRY_SCHEDULE: '1,1' } });
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
}, 60_000);

test.each(pages)(
  'the commands of docs/how-to/%s succeed when they are pasted in order',
  async (name) => {
    const file = `docs/how-to/${name}`;
    expect(readBlocks(file)).not.toEqual([]);
    const { workspaceId, environmentId, managementToken, apiKey } = await seedWorkspace(stack.db);
    const run = await runPage(file, {
      BASE_URL: stack.api.url,
      WORKSPACE_ID: workspaceId,
      ENVIRONMENT_ID: environmentId,
      MANAGEMENT_TOKEN: managementToken,
      API_KEY: apiKey,
      M: `${stack.api.url}/management/v1/workspaces/${workspaceId}`,
      RECEIVER_URL: new URL(`/${name}`, receiver.url).href,
    });
    expect({ page: name, ...run }).toMatchObject({ page: name, code: 0, differences: [] });
  },
  100_000,
);
