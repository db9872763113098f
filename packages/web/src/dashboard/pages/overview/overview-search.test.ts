import { expect, test } from '@jest/globals';
import { readOverviewSearch } from './overview-search.ts';

test.each([
  [{ span: '7d' }, { span: '7d' }],
  [{ span: '99y' }, {}],
  [{ span: 'toString' }, {}],
  [{}, {}],
])('the address %j has the span %j', (search, read) => {
  expect(readOverviewSearch(search)).toEqual(read);
});
