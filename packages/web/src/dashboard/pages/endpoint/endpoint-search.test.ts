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
  expect(tabsOf({ type: 'playground', config: {} })).toContain('inbox');
  expect(tabsOf({ type: 'webhook', config: {} })).not.toContain('inbox');
});

test('only a pull endpoint has the tab about fetching', () => {
  expect(tabsOf({ type: 'pull', config: {} })).toContain('pull');
  expect(tabsOf({ type: 'pull', config: {} })).not.toContain('inbox');
  expect(tabsOf({ type: 'webhook', config: {} })).not.toContain('pull');
});

test('only an endpoint of a broker or a store has a destination', () => {
  expect(tabsOf({ type: 'sqs', config: { destination: {} } })).toContain('destination');
  expect(tabsOf({ type: 'webhook', config: {} })).not.toContain('destination');
});
