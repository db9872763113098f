import { expect, test } from '@jest/globals';
import { isExaminable } from './is-examinable.ts';

const url = 'https://shop.example/hooks';

test('an endpoint without a server is not offered an examination, which the service would refuse', () => {
  expect(isExaminable({ url, target: url, config: {} })).toBe(true);
  const broker = { url: 'https://rabbitmq.invalid/ep_1', target: 'rabbitmq broker.acme.com:5671/orders' };
  expect(isExaminable({ ...broker, config: { destination: { exchange: 'orders' } } })).toBe(true);
  const without = ['playground', 'fetched by consumers'].map((target) => ({ url: 'https://x.invalid/ep', target }));
  expect(without.map((one) => isExaminable({ ...one, config: {} }))).toEqual([false, false]);
});
