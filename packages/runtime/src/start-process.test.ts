import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { EARLY_OPTIMIZATION } from './start-process.ts';

// V8 ignores an unknown flag that is set at run time. On the command line, Node refuses it.
test('this version of Node knows the flags of V8 that every service sets', () => {
  const { status, stderr } = spawnSync(process.execPath, [...EARLY_OPTIMIZATION, '-e', '0'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
