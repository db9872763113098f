import { expect, test } from '@jest/globals';
import { cancelWords } from './cancel-words.ts';

test('only an operation that sends deliveries says that what it has enqueued is still attempted', () => {
  const types = ['recovery', 'retry', 'cancel', 'erasure', 'search_index'] as const;
  expect(types.filter((type) => cancelWords({ type }).includes('still attempted'))).toEqual(['recovery', 'retry']);
  expect(cancelWords({ type: 'erasure' })).toContain('What it has erased stays erased.');
});
