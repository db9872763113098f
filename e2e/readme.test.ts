import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, isFree } from '@posthorn/testkit/free-port';
import { waitFor } from '@posthorn/testkit/wait-for';
import { projectRoot, runPage } from './pages/run-page.ts';

// Runs README.md on a machine where only `npm start` and `npm run receiver` were run. Only the ports of the two
// receivers differ: they are free ports instead of the fixed ones.

let folder: string;
let start: Running;
let receiver: Running;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-readme-'));
  start = run('start.js', [], { PORT: '0', POSTHORN_HOME: home() });
  await waitFor(() => existsSync(join(home(), 'env')) || hasEnded(start), { what: 'the start', timeoutMs: 120_000 });
  await waitFor(() => start.words().includes('Posthorn is ready.') || hasEnded(start), {
    what: 'the end of the demo',
    timeoutMs: 60_000,
  });
  receiver = run('receiver/main.js', ['--port', '0'], { POSTHORN_HOME: home() });
  await waitFor(() => addressOf(receiver) ?? hasEnded(receiver), { what: 'the receiver', timeoutMs: 20_000 });
}, 210_000);
afterAll(async () => {
  for (const one of [receiver, start]) {
    if (one === undefined) continue;
    one.child.kill('SIGTERM');
    await waitFor(() => hasEnded(one), { what: 'the end of a process', timeoutMs: 35_000 });
  }
  // If root runs it, Postgres has its data elsewhere, and the home has a link to it.
  const postgres = join(home(), 'postgres');
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}, 80_000);

test('README.md can be pasted from top to bottom, and the receiver prints what it says', async () => {
  const port = await freePort();
  const replace = {
    '. .posthorn/env': `. .posthorn/env; RECEIVER_URL=${addressOf(receiver)}/webhooks; export PORT=${port}`,
    '127.0.0.1:9444': `127.0.0.1:${port}`,
    'node docs/receivers/local.mjs': `'${process.execPath}' ${join(projectRoot, 'docs/receivers/local.mjs')}`,
  };
  const page = await runPage('README.md', { XDG_CONFIG_HOME: folder }, { cwd: folder, replace });
  expect({ ...page, words: start.words() }).toMatchObject({ code: 0, differences: [] });
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const [, shown = ''] =
    /The receiver verifies the signature and prints the webhook.*?^```text\n(.*?)^```/ms.exec(readme) ?? [];
  const lines = shown.trim().split('\n');
  expect(lines).toHaveLength(3);
  const printed = await waitFor(() => receiver.words().includes(lines.at(-1) ?? '') && receiver.words(), {
    what: 'the webhook',
  });
  const [id] = /msg_\w+/.exec(printed) ?? [];
  for (const line of lines) expect(printed).toContain(line.replace('msg_…', String(id)));
}, 100_000);

test('the receiver of README.md is healthy to the doctor', async () => {
  const { baseUrl, workspaceId, managementToken } = JSON.parse(readFileSync(join(home(), 'instance.json'), 'utf8'));
  const ask = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${baseUrl}/management/v1/workspaces/${workspaceId}/${path}`, {
      method,
      headers: { authorization: `Bearer ${managementToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, string>;
  };
  const port = await freePort();
  const { id, secret = '' } = await ask('POST', 'endpoints', { url: `https://127.0.0.1:${port}/webhooks` });
  const own = spawn(process.execPath, [join(projectRoot, 'docs/receivers/local.mjs')], {
    cwd: folder,
    env: { ...process.env, PORT: `${port}`, WEBHOOK_SECRET: secret },
    stdio: 'ignore',
  });
  try {
    await waitFor(async () => !(await isFree(port)), { what: 'the receiver', timeoutMs: 20_000 });
    const { verdict, checks } = await ask('POST', `endpoints/${id}/doctor`, {});
    expect({ verdict, checks }).toMatchObject({ verdict: 'healthy', checks: expect.anything() });
  } finally {
    own.kill('SIGKILL');
  }
}, 60_000);

test('npm run receiver -- --pull fetches each event, shows it and settles it', async () => {
  const { baseUrl, apiKey } = JSON.parse(readFileSync(join(home(), 'instance.json'), 'utf8'));
  const fetching = run('receiver/main.js', ['--pull'], { POSTHORN_HOME: home() });
  try {
    const [, id] = (await waitFor(() => /endpoint (ep_\w+)/.exec(fetching.words()) ?? hasEnded(fetching), {
      what: 'the endpoint',
      timeoutMs: 20_000,
    })) as string[];
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    await fetch(`${baseUrl}/api/ingest/${id}`, { method: 'POST', headers, body: '{"fetched":true}' });
    await waitFor(() => fetching.words().includes('{"fetched":true}'), { what: 'the event' });
    expect(fetching.words()).toContain('signature verified; answered 204');
  } finally {
    fetching.child.kill('SIGTERM');
    await waitFor(() => hasEnded(fetching), { what: 'the end of the receiver', timeoutMs: 20_000 });
  }
}, 60_000);

type Running = { child: ChildProcess; words: () => string };

function home(): string {
  return join(folder, '.posthorn');
}

/** Runs a command of the launcher without the stores of the tests, as `npm start` and `npm run receiver` do. */
function run(script: string, args: string[], settings: Record<string, string>): Running {
  const { DATABASE_URL, REDIS_URL, ...env } = process.env;
  const child = spawn(process.execPath, [join(projectRoot, 'devstack/dist', script), ...args], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk) => {
    words += String(chunk);
  });
  return { child, words: () => words };
}

function hasEnded({ child }: Running): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function addressOf({ words }: Running): string | undefined {
  return /https:\/\/127\.0\.0\.1:\d+/.exec(words())?.[0];
}
