import { expect, test } from '@jest/globals';
import { readEventsSearch } from './events-search.ts';

test('an address keeps its filters', () => {
  const search = { type: 'order.created', status: 'unmatched', key: 'order_1', customer: 'app_1', since: '24h' };
  expect(readEventsSearch(search)).toEqual(search);
});

test('values that are no filters are left out', () => {
  expect(readEventsSearch({ type: '', status: 'toString', key: [], customer: 1, since: '2h', page: 2 })).toEqual({});
});

test('an idempotency key of digits is a text', () => {
  expect(readEventsSearch({ key: 42 })).toEqual({ key: '42' });
});
