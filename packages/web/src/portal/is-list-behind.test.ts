import { expect, test } from '@jest/globals';
import { isListBehind } from './is-list-behind.ts';

const none = { pending: 0, delivering: 0, delivered: 0, scheduled_retry: 0, failed: 0, dead_letter: 0 };
const message = { deliveries: { ...none, delivered: 2, failed: 1 } };

const listOf = (count: number, nextCursor: string | null = null) => ({
  data: { pages: [{ deliveries: Array.from({ length: count }), nextCursor }] },
  error: null,
});

test('a list is behind until it has every delivery that the message counts', () => {
  expect([0, 1, 2, 3, 4].map((count) => isListBehind(message, listOf(count)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('deliveries on a further page, a list that was not read and a failure do not make a list behind', () => {
  expect(isListBehind(message, listOf(2, 'next'))).toBe(false);
  expect(isListBehind(message, { data: undefined, error: null })).toBe(false);
  expect(isListBehind(message, { ...listOf(0), error: new Error('gone') })).toBe(false);
});
