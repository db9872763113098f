import { expect, test } from '@jest/globals';
import type { Operation } from '../../client/resources.ts';
import { activityWords, progressOf, progressWords } from './operation-words.ts';

const running: Operation = {
  id: 'op_1',
  type: 'recovery',
  status: 'running',
  endpointId: 'ep_1',
  filter: {},
  matched: 200,
  enqueued: 50,
  delivered: 40,
  failed: 4,
  error: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
  pausedAt: null,
  finishedAt: null,
};

test('an operation that counts has no progress yet', () => {
  const counting = { ...running, status: 'counting', matched: null } as const;
  expect(progressOf(counting)).toBe(0);
  expect(progressWords(counting)).toBe('Counting the matches …');
});

test('the progress is the share of the matches that have ended; of a cancel, that were cancelled', () => {
  expect(progressOf(running)).toBe(0.22);
  expect(progressOf({ ...running, type: 'cancel' })).toBe(0.25);
  expect(progressWords(running)).toBe('50 of 200 enqueued, 40 delivered, 4 failed.');
});

test('a completed operation is at its end, even without a match', () => {
  expect(progressOf({ ...running, status: 'completed', matched: 0 })).toBe(1);
});

test('the header tells what an operation does, and then what it waits for', () => {
  expect(activityWords({ ...running, status: 'counting', matched: null })).toBe('Recovery: counting');
  expect(activityWords(running)).toBe('Recovery: 25% enqueued');
  expect(activityWords({ ...running, pausedAt: running.createdAt })).toBe('Recovery: paused');
  expect(activityWords({ ...running, type: 'cancel' })).toBe('Bulk cancel: 25% cancelled');
  expect(activityWords({ ...running, enqueued: 200, delivered: 0, failed: 0 })).toBe(
    'Recovery: waiting for 200 deliveries',
  );
  expect(activityWords({ ...running, enqueued: 200, delivered: 195 })).toBe('Recovery: waiting for 1 delivery');
});
