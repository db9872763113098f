import { expect, test } from '@jest/globals';
import { readDeliveriesSearch } from './deliveries-search.ts';

test('an address keeps its filters', () => {
  const search = { status: 'failed', endpoint: 'ep_1', customer: 'app_1', type: 'order.created', since: '24h' };
  expect(readDeliveriesSearch(search)).toEqual(search);
});

test('what is not a filter is left out', () => {
  expect(
    readDeliveriesSearch({ status: 'lost', endpoint: '', customer: 3, type: 7, since: 'toString', page: 2 }),
  ).toEqual({});
});
