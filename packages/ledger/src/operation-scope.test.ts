import { expect, test } from '@jest/globals';
import { summaryOf } from './operation-scope.ts';

test('counts are added up by event type, also by a type that is named like a property of every object', () => {
  const oldest = '01930000-0000-7000-8000-000000000000';
  const newest = '01940000-0000-7000-8000-000000000000';
  const rows = [
    { eventType: 'constructor', count: 2, oldest, newest: oldest },
    { eventType: 'order.created', count: 1, oldest: newest, newest },
    { eventType: 'constructor', count: 3, oldest: newest, newest },
    { eventType: null, count: 4, oldest: newest, newest },
  ];
  const { eventTypes, ...rest } = summaryOf(rows);
  expect(rest).toEqual({ matched: 10, oldest, newest });
  expect(Object.entries(eventTypes)).toEqual([
    ['constructor', 5],
    ['order.created', 1],
  ]);
});
