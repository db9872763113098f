import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { projectRoot, runPage } from './pages/run-page.ts';

// README.md on a machine where only `npm start` and `npm run receiver` were run. Only the receiver's port differs: any
// free one in place of the fixed one.

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
  // As root, Postgres has its data elsewhere, and the home has a link to it.
  const postgres = join(home(), 'postgres');
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}, 80_000);

test('README.md can be pasted from top to bottom, and the receiver prints what it says', async () => {
  const replace = { '. .posthorn/env': `. .posthorn/env; RECEIVER_URL=${addressOf(receiver)}/webhooks` };
  const page = await runPage('README.md', {}, { cwd: folder, replace });
  expect({ ...page, words: start.words() }).toMatchObject({ code: 0, differences: [] });
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const [, shown = ''] = /The receiver shows it.*?^```text\n(.*?)^```/ms.exec(readme) ?? [];
  const lines = shown.trim().split('\n');
  expect(lines).toHaveLength(3);
  const printed = await waitFor(() => receiver.words().includes(lines.at(-1) ?? '') && receiver.words(), {
    what: 'the webhook',
  });
  const [id] = /msg_\w+/.exec(printed) ?? [];
  for (const line of lines) expect(printed).toContain(line.replace('msg_…', String(id)));
}, 100_000);

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
