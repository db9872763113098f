import { expect, test } from '@jest/globals';
import { slugOf } from './slug-of.ts';

test.each([
  ['Staging', 'staging'],
  ['  Load test (EU) ', 'load-test-eu'],
  ['Größe', 'gr-e'],
  ['', ''],
])('the name %j suggests the slug %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
