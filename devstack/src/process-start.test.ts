import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isSameProcess, startOfProcess } from '../process-start.mjs';

test('a running process is the one that its number and its start name', () => {
  expect(isSameProcess(process.pid, startOfProcess(process.pid))).toBe(true);
  expect(isSameProcess(process.pid, '1')).toBe(false);
});

test('a process that has ended is not running', async () => {
  const child = spawn(process.execPath, ['--eval', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const { pid = 0 } = child;
  const start = startOfProcess(pid);
  expect([start, isSameProcess(pid, start)]).toEqual([expect.any(String), true]);
  child.stdin.end();
  await once(child, 'exit');
  expect(isSameProcess(pid, start)).toBe(false);
});

// On Linux, a thread or a later process can have the id of a process that has ended.
(process.platform === 'linux' ? test : test.skip)(
  'a number that now belongs to a thread is not taken for the process of before',
  () => {
    const threads = readdirSync('/proc/self/task')
      .map(Number)
      .filter((id) => id !== process.pid);
    expect(threads.length).toBeGreaterThan(0);
    const before = '1';
    expect(threads.filter((id) => isSameProcess(id, before))).toEqual([]);
  },
);

test.each([undefined, Number.NaN, 0, -1, 2 ** 30])('%p is no process', (pid) => {
  expect(isSameProcess(pid, '1')).toBe(false);
});
