import { expect, test } from '@jest/globals';
import { readDeliveriesSearch, startOf } from './deliveries-search.ts';

test('an address keeps its filters', () => {
  const search = { status: 'failed', endpoint: 'ep_1', type: 'order.created', since: '24h' };
  expect(readDeliveriesSearch(search)).toEqual(search);
});

test('what is not a filter is left out', () => {
  expect(readDeliveriesSearch({ status: 'lost', endpoint: '', type: 7, since: 'toString', page: 2 })).toEqual({});
});

test('a range starts at a whole minute', () => {
  expect(startOf('1h', Date.parse('2026-11-21T09:30:59.999Z'))).toBe('2026-11-21T08:30:00.000Z');
  expect(startOf(undefined, 0)).toBeUndefined();
});
