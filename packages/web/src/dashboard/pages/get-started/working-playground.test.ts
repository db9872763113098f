import { expect, test } from '@jest/globals';
import type { Endpoint } from '../../../client/resources.ts';
import { RETRYING } from './example.ts';
import { isWorkingPlayground } from './working-playground.ts';

const playground = (config: Endpoint['config'], isActive = true) => ({
  type: 'playground' as const,
  isActive,
  config,
});

test('a playground that fails, answers late, is retried late or fails more often than it is tried is not used for the first steps', () => {
  const failing = [
    { playground: { status: 500 } },
    { playground: { delayMs: 10_000 } },
    { playground: { failFirst: 2 } },
    { playground: { failFirst: 3 }, retrySchedule: [2, 4] },
    { playground: { failFirst: 2 }, retrySchedule: [20, 11] },
    { playground: { failFirst: 1 }, retrySchedule: [86_400] },
  ];
  expect(failing.filter((config) => isWorkingPlayground(playground(config)))).toEqual([]);
  expect(isWorkingPlayground(playground({}, false))).toBe(false);
  expect(isWorkingPlayground({ ...playground({}), type: 'webhook' })).toBe(false);
});

test('a playground as it is added is used, and so is one after the last step, which makes it fail twice', () => {
  const working = [
    {},
    { playground: { status: 204 } },
    { playground: { failFirst: 1 }, retrySchedule: [30, 3_600] },
    RETRYING,
  ];
  expect(working.filter((config) => isWorkingPlayground(playground(config)))).toEqual(working);
});
