import { expect, test } from '@jest/globals';
import { actionWords, fieldWords } from './activity-words.ts';

test('an action and the fields that it changed are told in words', () => {
  expect(actionWords('endpoint.secret_rotated')).toBe('Endpoint secret rotated');
  expect(fieldWords(['eventTypeIds'])).toBe('Event types');
  expect(fieldWords(['url', 'gracePeriodSeconds', 'filter'])).toBe('Address, grace period seconds, filter');
  expect(fieldWords(['channel', 'quietMinutes', 'credentialNames'])).toBe('Channel, quiet time, credentials');
  expect(fieldWords(['deliveryId', 'patterns'])).toBe('Delivery, event type patterns');
  expect(fieldWords([])).toBe('');
});
