import { expect, test } from '@jest/globals';
import type { Endpoint } from '../../../client/resources.ts';
import { RETRYING } from './example.ts';
import { isWorkingPlayground } from './working-playground.ts';

const playground = (config: Endpoint['config'], isActive = true) => ({
  type: 'playground' as const,
  isActive,
  config,
});

test('a playground that fails, answers late or fails more often than it is tried is not used for the first steps', () => {
  const failing = [
    { playground: { status: 500 } },
    { playground: { delayMs: 10_000 } },
    { playground: { failFirst: 2 } },
    { playground: { failFirst: 3 }, retrySchedule: [2, 4] },
  ];
  expect(failing.map((config) => isWorkingPlayground(playground(config)))).toEqual([false, false, false, false]);
  expect(isWorkingPlayground(playground({}, false))).toBe(false);
  expect(isWorkingPlayground({ ...playground({}), type: 'webhook' })).toBe(false);
});

test('a playground as it is added is used, and so is one after the last step, which makes it fail twice', () => {
  const working = [{}, { playground: { status: 204 } }, RETRYING];
  expect(working.map((config) => isWorkingPlayground(playground(config)))).toEqual([true, true, true]);
});
