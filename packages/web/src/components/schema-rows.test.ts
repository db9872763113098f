import { expect, test } from '@jest/globals';
import { schemaRows } from './schema-rows.ts';

test('a schema is read as its properties, with those of lists and references below them', () => {
  const rows = schemaRows({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Ours.' },
      currency: { enum: ['EUR', 'USD'] },
      lines: { type: 'array', items: { $ref: '#/$defs/line' } },
      note: { type: ['string', 'null'] },
      rest: true,
    },
    $defs: { line: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } },
  });
  expect(rows.map(({ place, type, isRequired }) => [place, type, isRequired])).toEqual([
    ['id', 'string (uuid)', true],
    ['currency', '"EUR" | "USD"', false],
    ['lines', 'list of object', false],
    ['lines[].sku', 'string', true],
    ['note', 'string | null', false],
    ['rest', 'any', false],
  ]);
  expect(rows[0]?.description).toBe('Ours.');
});

test('a schema that refers to itself ends', () => {
  expect(
    schemaRows({ properties: { child: { $ref: '#' }, next: { $ref: '#/properties/child' } } }).length,
  ).toBeLessThan(201);
  const tree = { type: 'array', items: { $ref: '#/properties/tree' } };
  expect(schemaRows({ properties: { tree } })[0]?.type).toBe(`${'list of '.repeat(6)}array`);
  expect(schemaRows({})).toEqual([]);
});
