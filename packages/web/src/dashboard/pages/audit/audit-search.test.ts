import { expect, test } from '@jest/globals';
import { readAuditSearch } from './audit-search.ts';

test.each([
  [
    { action: 'endpoint.created', resource: 'endpoint', actor: 'user', page: 3 },
    { action: 'endpoint.created', resource: 'endpoint', actor: 'user', page: 3 },
  ],
  [{ actor: 'somebody', page: 1, action: '' }, {}],
  [{ page: 1.5, resource: 7 }, {}],
])('the address %j has the filters %j', (search, read) => {
  expect(readAuditSearch(search)).toEqual(read);
});
