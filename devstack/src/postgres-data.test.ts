import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { keepDataFolder } from './postgres-data.ts';

const run = { clock: systemClock, signal: new AbortController().signal, onStop: () => {}, fail: () => {} };
/** Stands for initdb: makes its folder's PG_VERSION, and refuses a folder that is not empty. */
const INITDB = `#!/bin/sh
folder=\${1#--pgdata=}
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty"; exit 1; }
echo 18 >"$folder/PG_VERSION"
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-data-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/initdb'), INITDB);
  chmodSync(join(folder, 'bin/initdb'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const keep = () => keepDataFolder(run, { binaries: folder, folder, user: undefined }, 'secret');

test('a start works while the initdb of a killed start still writes, and leaves nothing of either', async () => {
  // The name that every version gives to the unfinished folder.
  const earlier = join(folder, 'data.new');
  const script = `while :; do mkdir -p ${earlier} && date >${earlier}/$$; done 2>/dev/null`;
  // The script gets its own process group, because its commands must not outlive it.
  const killed = spawn('/bin/sh', ['-c', script], { stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => killed.once('exit', resolve));
  try {
    await waitFor(() => existsSync(earlier), { what: 'the earlier initdb to write' });
    expect(existsSync(join(await keep(), 'PG_VERSION'))).toBe(true);
  } finally {
    if (killed.pid !== undefined) process.kill(-killed.pid, 'SIGKILL');
    await ended;
  }
  await keep();
  expect(readdirSync(folder).sort()).toEqual(['bin', 'data']);
});

test('a data folder without a PG_VERSION is made again, and a complete one is kept', async () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/half'), '');
  const data = await keep();
  expect(readdirSync(data)).toEqual(['PG_VERSION']);
  writeFileSync(join(data, 'table'), '');
  await keep();
  expect(readdirSync(data).sort()).toEqual(['PG_VERSION', 'table']);
});
