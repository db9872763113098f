import { expect, test } from '@jest/globals';
import { lineOfRefusal } from './lines-of-clauses.ts';

const FILTER = `{
  "data.amount": { "gte": true },
  "note": "a \\" , [ {",
  "or": [
    { "a": 1 },
    2
  ]
}`;

test.each([
  ['filter.data.amount.gte must be a number or a string', 2],
  ['filter.note must be a string', 3],
  ['filter.or must be a list of at least one filter', 4],
  ['filter.or[0].a must be a string', 5],
  ['filter must be an object', undefined],
  ['filter.data.amount.near is not an operator', undefined],
])('%s', (message, line) => {
  expect(lineOfRefusal(FILTER, message)).toBe(line);
});

test('a member that stands on the line of the comma before it is found there', () => {
  expect(lineOfRefusal('{"or":[{"a":1},2]}', 'filter.or[1] must be an object')).toBe(1);
});
