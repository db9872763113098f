import { expect, test } from '@jest/globals';
import { readEndpointSearch, tabsOf } from './endpoint-search.ts';

test('an address keeps its tab and what is chosen in it', () => {
  const search = { tab: 'inbox', status: 'failed', delivery: 'dlv_1' };
  expect(readEndpointSearch(search)).toEqual(search);
});

test('what the page does not know is left out', () => {
  expect(readEndpointSearch({ tab: 'toString', status: 'lost', delivery: '', page: 2 })).toEqual({});
});

test('only a playground has an inbox', () => {
  expect(tabsOf('playground')).toContain('inbox');
  expect(tabsOf('webhook')).not.toContain('inbox');
});

test('only a pull endpoint has the tab about fetching', () => {
  expect(tabsOf('pull')).toContain('pull');
  expect(tabsOf('pull')).not.toContain('inbox');
  expect(tabsOf('webhook')).not.toContain('pull');
});
