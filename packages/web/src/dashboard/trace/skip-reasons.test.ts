import { expect, test } from '@jest/globals';
import { groupedByReason } from './skip-reasons.ts';

test('skipped endpoints are grouped by reason in the order of the rules, without empty groups', () => {
  const entries = [
    { id: 1, reason: 'filtered' },
    { id: 2, reason: 'not_subscribed' },
    { id: 3, reason: 'filtered' },
    { id: 4, reason: null },
  ] as const;
  expect(groupedByReason(entries).map(({ reason, entries: some }) => [reason, some.map(({ id }) => id)])).toEqual([
    ['not_subscribed', [2]],
    ['filtered', [1, 3]],
  ]);
});
