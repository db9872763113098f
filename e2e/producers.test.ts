import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { seedWorkspace } from '@posthorn/testkit/seed';
import ts from 'typescript-api';
import { goModule } from './pages/go-module.ts';
import { projectRoot, runPage } from './pages/run-page.ts';
import { type Services, startServices } from './services-in-process.ts';

// Tests the commands of docs/producing.md and the programs of docs/producers. Skips languages that are not installed.

const programs: { file: string; probe: string[]; build?: string[]; run: string[]; retries: number }[] = [
  { file: 'library.ts', probe: ['node', '-v'], run: ['node', 'library.js'], retries: 2 },
  {
    file: 'library.go',
    probe: ['go', 'version'],
    build: ['go', 'build', '-o', 'library', 'library.go'],
    run: ['./library'],
    retries: 2,
  },
  { file: 'send.ts', probe: ['node', '-v'], run: ['node', 'send.js'], retries: 0 },
  { file: 'send-until-accepted.ts', probe: ['node', '-v'], run: ['node', 'send-until-accepted.js'], retries: 3 },
  { file: 'send.py', probe: ['python3', '--version'], run: ['python3', 'send.py'], retries: 3 },
  {
    file: 'send.go',
    probe: ['go', 'version'],
    build: ['go', 'build', '-o', 'send', 'send.go'],
    run: ['./send'],
    retries: 3,
  },
];

/** A library tries again twice, unless it is told otherwise. */
const FAULTS = ['answer 503 with a date', 'lose the answer', 'answer 503'] as const;

let folder: string;
let stack: Services;
let client: ApiClient;
beforeAll(async () => {
  mkdirSync(join(projectRoot, '.test-results'), { recursive: true });
  folder = mkdtempSync(join(projectRoot, '.test-results/producers-'));
  cpSync(join(projectRoot, 'docs/producers'), folder, { recursive: true });
  writeFileSync(join(folder, 'go.mod'), goModule);
  for (const name of ['library', 'send', 'send-until-accepted']) {
    const { outputText } = ts.transpileModule(readFileSync(join(folder, `${name}.ts`), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    writeFileSync(join(folder, `${name}.js`), outputText);
  }
  stack = await startServices({ dispatchers: 0 });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  await client.call('POST', '/event-types', { name: 'order.paid' });
  await client.call('PUT', '/applications/ext:customer-42', { name: 'Customer 42' });
}, 60_000);
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

for (const { file, probe, build, run, retries } of programs) {
  const [probing = '', ...probeArgs] = probe;
  if (spawnSync(probing, probeArgs, { stdio: 'ignore' }).status !== 0) {
    test.skip(`${file}: ${probing} is not installed`, () => undefined);
    continue;
  }
  const what = retries > 0 ? 'once, though an answer is lost and another is 503' : 'once';
  test(`${file} of the producer’s guide sends its event ${what}`, async () => {
    const [builder = '', ...buildArgs] = build ?? ['true'];
    expect(spawnSync(builder, buildArgs, { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 });
    const front = await openFront(stack.api.url, FAULTS.slice(3 - retries));
    const environment = await client.call<{ id: string }>('POST', '/environments', {
      name: file,
      slug: `e-${run.join('-').replace(/[^a-z]/g, '-')}`.replace(/-+/g, '-'),
    });
    const key = await client.call<{ key: string }>('POST', `/environments/${environment.body.id}/api-keys`, {
      name: file,
    });
    const { status, errors } = await runProgram(run, { BASE_URL: front.url, API_KEY: key.body.key });
    await front.close();
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    const events = await stack.db.event.count({ where: { environmentId: fromId('env', environment.body.id) ?? '' } });
    expect([front.requests(), events]).toEqual([retries + 1, 1]);
  }, 90_000);

  test.each([302, 200])(
    `${file} of the producer’s guide takes no %i for an acceptance`,
    async (status) => {
      const [builder = '', ...buildArgs] = build ?? ['true'];
      expect(spawnSync(builder, buildArgs, { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 });
      const keys: unknown[] = [];
      const answer = (code: number, location: string) =>
        createServer((request, response) => {
          if (location === '') keys.push(request.headers.authorization);
          request.resume().on('end', () => response.writeHead(code, location === '' ? {} : { location }).end('{}'));
        });
      const other = await listening(answer(200, ''));
      const front = await listening(answer(status, `${other.url}/moved`));
      const ended = await runProgram(run, { BASE_URL: front.url, API_KEY: 'phk_not_for_others' });
      await Promise.all([front.close(), other.close()]);
      expect(ended.status).not.toBe(0);
      expect(keys.join('')).not.toContain('phk_not_for_others');
    },
    90_000,
  );
}

test('the commands of docs/producing.md succeed when they are pasted in order', async () => {
  const { workspaceId, environmentId, managementToken, apiKey } = await seedWorkspace(stack.db);
  const page = await runPage('docs/producing.md', {
    BASE_URL: stack.api.url,
    WORKSPACE_ID: workspaceId,
    ENVIRONMENT_ID: environmentId,
    MANAGEMENT_TOKEN: managementToken,
    API_KEY: apiKey,
    WORKSPACE_URL: `${stack.api.url}/management/v1/workspaces/${workspaceId}`,
  });
  expect(page).toMatchObject({ code: 0, differences: [] });
  const events = await stack.db.event.findMany({ where: { workspaceId: fromId('ws', workspaceId) ?? '' } });
  expect(events.map(({ eventType, published }) => [eventType, published])).toEqual(Array(3).fill(['order.paid', true]));
}, 60_000);

/** Stands in front of the API, and treats its first requests with these faults. */
async function openFront(target: string, faults: readonly (typeof FAULTS)[number][]) {
  let requests = 0;
  const server: Server = createServer(async (request, response) => {
    const fault = faults[requests];
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (fault === 'answer 503' || fault === 'answer 503 with a date') {
      const after = fault === 'answer 503' ? '1' : new Date(Date.now() + 1_000).toUTCString();
      response.writeHead(503, { 'retry-after': after }).end('{"error":{"code":"unavailable","message":"a test"}}');
      return;
    }
    const { authorization = '', 'content-type': type = '', 'idempotency-key': key = '' } = request.headers;
    const headers = { authorization, 'content-type': type, 'idempotency-key': String(key) };
    const answer = await fetch(target + request.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
    const body = await answer.text();
    if (fault === 'lose the answer') request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  return { ...(await listening(server)), requests: () => requests };
}

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function runProgram([command = '', ...args]: string[], settings: Record<string, string>) {
  return new Promise<{ status: number | null; errors: string }>((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...settings } });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, errors }));
  });
}
