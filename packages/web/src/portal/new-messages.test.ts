import { expect, test } from '@jest/globals';
import { countNewer, type NewMessages, withMessages } from './new-messages.ts';

const NONE: NewMessages = new Map();
const messages = (type: string | null, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `evt_${String(from + index).padStart(6, '0')}`, type }));

test('a message that is told of twice counts once', () => {
  const once = withMessages(NONE, messages('order.paid', 0, 2));
  expect(withMessages(once, messages('order.paid', 0, 2))).toBe(once);
  expect(countNewer(once, null, '')).toBe(2);
});

test('a type with more messages than are counted does not end the count of another type', () => {
  const many = withMessages(NONE, messages('log.line', 0, 1_500));
  expect(countNewer(many, 'log.line', '')).toBe(1_000);
  const both = withMessages(many, [...messages('log.line', 1_500, 1), ...messages('order.paid', 1_501, 3)]);
  expect(countNewer(both, 'order.paid', '')).toBe(3);
  expect(countNewer(both, null, '')).toBe(1_003);
});

test('only messages that are newer than the list count, and those of direct ingestion with every type alone', () => {
  const some = withMessages(NONE, [...messages(null, 0, 5), ...messages('order.paid', 5, 5)]);
  expect(countNewer(some, null, 'evt_000003')).toBe(6);
  expect(countNewer(some, 'order.paid', 'evt_000008')).toBe(1);
  expect(countNewer(some, 'order.refunded', '')).toBe(0);
});

test('the messages of a type that are newer than the list count, however many older ones were told of before', () => {
  const full = withMessages(NONE, messages('log.line', 0, 1_000));
  const newest = 'evt_000999';
  expect(countNewer(withMessages(full, messages('log.line', 1_000, 3)), 'log.line', newest)).toBe(3);
  expect(countNewer(withMessages(full, messages('log.line', 1_000, 1_500)), 'log.line', newest)).toBe(1_000);
});

test('an older message takes the place of no newer one, in whichever order the messages are told of', () => {
  const full = withMessages(NONE, messages('log.line', 1_000, 1_000).reverse());
  expect(withMessages(full, messages('log.line', 0, 10))).toBe(full);
  expect(countNewer(withMessages(full, messages('log.line', 2_000, 10)), 'log.line', 'evt_001009')).toBe(1_000);
});
