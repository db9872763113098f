import { expect, test } from '@jest/globals';
import { slugOf } from './slug-of.ts';

test.each([
  ['Staging', 'staging'],
  ['  Load test (EU) ', 'load-test-eu'],
  ['Größe', 'gr-e'],
  [`${'a'.repeat(49)} b`, 'a'.repeat(49)],
  ['', ''],
])('the name %j suggests the slug %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
