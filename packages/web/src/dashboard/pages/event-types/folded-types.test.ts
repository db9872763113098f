import { expect, test } from '@jest/globals';
import type { EventType } from '../../../client/resources.ts';
import { matrixRows } from './folded-types.ts';

const types = ['order.shipped', 'ping', 'order.created', 'invoice.paid', 'order.line.added'].map(
  (name) => ({ id: name, name }) as EventType,
);

const namesOf = (folded: string[] = []) =>
  matrixRows(types, new Set(folded)).map((row) =>
    row.kind === 'group' ? `${row.prefix}: ${row.count}` : `${row.isInGroup ? '  ' : ''}${row.eventType.name}`,
  );

test('types with the same prefix stand below it, and one alone without it', () => {
  const names = ['invoice.paid', 'order: 2', '  order.created', '  order.shipped', 'order.line.added', 'ping'];
  expect(namesOf()).toEqual(names);
});

test('a folded group is one row', () => {
  expect(namesOf(['order'])).toEqual(['invoice.paid', 'order: 2', 'order.line.added', 'ping']);
});
