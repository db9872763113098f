import { expect, test } from '@jest/globals';
import { readOverviewSearch, spanOfAge } from './overview-search.ts';

test.each([
  [{ span: '7d' }, { span: '7d' }],
  [{ span: '99y' }, {}],
  [{ span: 'toString' }, {}],
  [{}, {}],
])('the address %j has the span %j', (search, read) => {
  expect(readOverviewSearch(search)).toEqual(read);
});

test('a workspace of less than two hours begins with its last hour, and an older one with its last day', () => {
  const createdAt = '2026-11-26T10:00:00.000Z';
  expect(spanOfAge(createdAt, Date.parse('2026-11-26T11:59:59.999Z'))).toBe('1h');
  expect(spanOfAge(createdAt, Date.parse('2026-11-26T12:00:00.000Z'))).toBe('24h');
});
