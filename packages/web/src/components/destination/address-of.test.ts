import { expect, test } from '@jest/globals';
import { addressOf, addressOfAttempt } from './address-of.ts';

test('an endpoint is named by its target, so an address that leads nowhere is never shown', () => {
  const webhook = { type: 'webhook', target: 'https://example.com/hook' };
  expect(addressOf(webhook)).toBe('https://example.com/hook');
  expect(addressOf({ type: 'playground', target: 'playground' })).toBe('playground');
  expect(addressOf({ type: 'pull', target: 'fetched by consumers' })).toBe('Fetched by a program');
});

test('an attempt at an endpoint without a server is named by its type', () => {
  expect(addressOfAttempt('https://playground.invalid/ep_1')).toBe('playground');
  expect(addressOfAttempt('https://example.com/a.invalid/')).toBe('https://example.com/a.invalid/');
});
