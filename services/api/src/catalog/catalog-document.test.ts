import { expect, test } from '@jest/globals';
import { catalogDocument } from '@posthorn/contract/event-types';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describeType, writeCatalog } from './catalog-document.ts';

const type = (name: string, schema: Record<string, unknown> | null, example: unknown = null) => ({
  name,
  description: 'What happened.',
  schema,
  example,
});
const write = (...types: ReturnType<typeof type>[]) =>
  JSON.parse(writeCatalog({ workspace: 'Acme', environment: 'Live', types: types.map(describeType) }));
const schemaOf = (schema: Record<string, unknown>) =>
  write(type('a.b', schema)).components as { schemas: Record<string, unknown> };

test('the document is valid OpenAPI 3.1', async () => {
  const document = write(
    type('order.created', { type: 'object', properties: { id: { $ref: '#/$defs/id' } }, $defs: { id: {} } }, { id: 1 }),
    type('order_paid', { $anchor: 'top', items: { $ref: '#top' } }),
    type('a', null),
  );
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect([valid, errors]).toEqual([true, undefined]);
});

test('the example in the interface description is a part of such a document', () => {
  const example = { order: 17, total: 4_200, currency: 'EUR' };
  const created = { ...type('order.created', null, example), description: 'A customer placed an order.' };
  const document = JSON.parse(
    writeCatalog({ workspace: 'Acme', environment: 'Production', types: [describeType(created)] }),
  );
  const shown = catalogDocument.meta()?.example as object;
  expect(Object.keys(shown)).toEqual(['openapi', 'info', 'webhooks']);
  expect(document).toMatchObject(shown);
});

test('references of a schema lead to its place in the document', () => {
  const { schemas } = schemaOf({
    properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#' }, $ref: { type: 'string' } },
    $defs: { x: { const: { $ref: '#' } } },
  });
  expect(schemas['a.b']).toEqual({
    properties: {
      a: { $ref: '#/components/schemas/a.b/$defs/x' },
      b: { $ref: '#/components/schemas/a.b' },
      $ref: { type: 'string' },
    },
    $defs: { x: { const: { $ref: '#' } } },
  });
});

test('a schema with names of its own is a resource of its own, as it was given', () => {
  const own = { $defs: { x: { $anchor: 'x' } }, items: { $ref: '#x' } };
  expect(schemaOf(own).schemas['a.b']).toEqual({ $id: 'urn:posthorn:event-type:a.b', ...own });
  const named = { $id: 'https://example.com/a', items: { $ref: '#' } };
  expect(schemaOf(named).schemas['a.b']).toEqual(named);
});
