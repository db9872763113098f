import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { END_WITH_INPUT, spawnGroup } from './spawn-group.ts';
import { waitFor } from './wait-for.ts';

const STARTS_A_GROUP = `
  const { spawn } = require('node:child_process');
  const { pid } = spawn('sh', ['-c', process.argv[1], 'sh', '-c', 'sleep 600 & sleep 600'], { detached: true });
  console.log(pid);
  setInterval(() => {}, 1000);`;

test('a program and what it has started end with the process that started them, even when that is killed', async () => {
  const parent = spawn(process.execPath, ['-e', STARTS_A_GROUP, END_WITH_INPUT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const group = Number(String(line));
  expect(isAlive(group)).toBe(true);
  parent.kill('SIGKILL');
  await waitFor(() => !isAlive(group), { what: 'the end of the group' });
});

test('the group ends with its program', async () => {
  const child = spawnGroup('sh', ['-c', 'sleep 600 & exit 3'], process.env);
  await once(child, 'exit');
  await waitFor(() => !isAlive(child.pid ?? 0), { what: 'the end of the group' });
});

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
