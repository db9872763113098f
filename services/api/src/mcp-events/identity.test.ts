import { expect, test } from '@jest/globals';
import { type Identity, identityOf } from './identity.ts';

const given: Identity = {
  environmentId: '0193258f-a283-7b9a-a37c-ba00e5e5c49f',
  principal: 'key:0193258f-a283-7b9a-a37c-ba00e5e5c49e',
  url: 'https://agent.example/in/41',
  name: 'order.shipped',
  arguments: { 'order.country': ['DE', 'FR'], 'order.total': { gte: 1, lt: 1e21 } },
};

test('the id of a subscription is the same in every process and release', () => {
  expect(identityOf(given)).toBe('mcs_s1bapdaaqxph9zqtv8547zcnjh');
});

test('the order of keys does not matter, and every part does', () => {
  const reversed = { 'order.total': { lt: 1e21, gte: 1.0 }, 'order.country': ['DE', 'FR'] };
  expect(identityOf({ ...given, arguments: reversed })).toBe(identityOf(given));
  const others: Partial<Identity>[] = [
    { environmentId: '0193258f-a283-7b9a-a37c-ba00e5e5c490' },
    { principal: 'key:0193258f-a283-7b9a-a37c-ba00e5e5c490' },
    { url: 'https://agent.example/in/42' },
    { name: 'order.paid' },
    { arguments: { ...given.arguments, 'order.country': ['FR', 'DE'] } },
    { arguments: {} },
  ];
  const ids = others.map((other) => identityOf({ ...given, ...other }));
  expect(new Set([identityOf(given), ...ids]).size).toBe(others.length + 1);
});
