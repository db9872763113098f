import { expect, test } from '@jest/globals';
import { matchesEndpoint, readEndpointsSearch } from './endpoints-search.ts';

const endpoint = {
  id: 'ep_1',
  url: 'https://Shop.example/hooks',
  target: 'https://Shop.example/hooks',
  description: 'The shop',
  isActive: true,
  applicationId: 'app_1',
};

test.each([
  [{}, true],
  [{ search: 'shop.EXAMPLE' }, true],
  [{ search: 'the shop', state: 'active' }, true],
  [{ search: 'ep_1' }, true],
  [{ customer: 'app_1' }, true],
  [{ customer: 'app_2' }, false],
  [{ state: 'inactive' }, false],
  [{ search: 'other' }, false],
] as const)('the filter %j matches the endpoint: %s', (filter, matches) => {
  expect(matchesEndpoint(filter, endpoint)).toBe(matches);
});

test('what is not a filter is left out of an address', () => {
  expect(readEndpointsSearch({ search: '', state: 'odd' })).toEqual({});
});

test('an endpoint of a broker is found by the target that the list shows', () => {
  const broker = { ...endpoint, url: 'https://rabbitmq.invalid/ep_1', target: 'rabbitmq broker.acme.com:5671/orders' };
  expect(matchesEndpoint({ search: 'broker.acme' }, broker)).toBe(true);
});
