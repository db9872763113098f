import { describe, expect, test } from '@jest/globals';
import { EventsError } from './events-error.ts';
import { filterOf, inputSchemaOf, unofferedPath } from './offered-arguments.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    'a.b': { type: 'string' },
    and: { type: 'string' },
    note: { type: ['string', 'null'], description: 'A note.' },
    order: {
      type: 'object',
      properties: {
        country: { enum: ['DE', 'FR'] },
        total: { type: 'number' },
        paid: { type: 'boolean' },
        lines: { type: 'array', items: { type: 'string' } },
        to: {
          type: 'object',
          properties: { city: { type: 'string' }, geo: { properties: { lat: { type: 'number' } } } },
        },
      },
    },
  },
};

/** An event type whose owner has chosen no paths. */
const typeOf = (schema: unknown) => ({ schema, agentFilters: null });
const TYPE = typeOf(SCHEMA);

test('the arguments are the paths that end in a scalar, at most three keys deep', () => {
  const { properties, ...rest } = inputSchemaOf(TYPE) as { properties: Record<string, object> };
  expect(rest).toEqual({ type: 'object', additionalProperties: false });
  expect(Object.keys(properties)).toEqual([
    'a\\.b',
    'note',
    'order.country',
    'order.total',
    'order.paid',
    'order.to.city',
  ]);
  expect(properties.note).toMatchObject({
    description: 'A note.',
    anyOf: [{ type: ['string'] }, { maxItems: 20 }, {}],
  });
  expect(inputSchemaOf(typeOf(null))).toMatchObject({ properties: {} });
});

test('a schema has at most 30 arguments, the first ones', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, { type: 'string' }]));
  const { properties } = inputSchemaOf(typeOf({ properties: many })) as { properties: object };
  expect(Object.keys(properties)).toEqual(Object.keys(many).slice(0, 30));
});

describe('paths that the owner of the type has chosen', () => {
  const chosen = (...agentFilters: string[]) => ({ schema: SCHEMA, agentFilters });

  test('replace the choice: in their order, however deep, and no other', () => {
    const type = chosen('order.to.geo.lat', 'a\\.b');
    const { properties } = inputSchemaOf(type) as { properties: object };
    expect(Object.keys(properties)).toEqual(['order.to.geo.lat', 'a\\.b']);
    expect(filterOf({ 'order.to.geo.lat': { gt: 50 } }, type)).toEqual({ 'order.to.geo.lat': { gt: 50 } });
    expect(() => filterOf({ note: 'x' }, type)).toThrow('is not an argument');
    expect(inputSchemaOf(chosen())).toMatchObject({ properties: {} });
  });

  test('one that the schema no longer has is not offered', () => {
    expect(inputSchemaOf(chosen('order.weight', 'note'))).toMatchObject({ properties: { note: {} } });
    expect(() => filterOf({ 'order.weight': 1 }, chosen('order.weight'))).toThrow('is not an argument');
  });

  test.each([
    'order',
    'order.lines',
    'order.weight',
    'order.total.x',
    'and',
    '',
    '__proto__',
    'order.constructor.name',
  ])('%j leads to nothing by which an agent can filter', (path) => {
    expect(unofferedPath(chosen('note', path))).toBe(1);
    expect(unofferedPath({ schema: null, agentFilters: [path] })).toBe(0);
  });

  test('without a choice there is nothing to refuse', () => {
    expect([unofferedPath(TYPE), unofferedPath(chosen('note'))]).toEqual([undefined, undefined]);
  });
});

describe('a value', () => {
  test.each([
    [{ note: 'x' }],
    [{ note: ['x', 'y'] }],
    [{ note: { startsWith: 'x', contains: 'y' } }],
    [{ 'order.country': 'DE', 'order.total': { gte: 1, lt: 2 } }],
    [{ 'order.paid': true }],
  ])('%j is a filter', (given) => {
    expect(filterOf(given, TYPE)).toEqual(given);
  });

  test('without arguments every event is wanted', () => {
    expect(filterOf({}, TYPE)).toBeNull();
  });

  test.each([
    [{ 'order.country': 'IT' }, 'arguments.order.country'],
    [{ 'order.country': { startsWith: 'D' } }, 'arguments.order.country'],
    [{ 'order.total': '3' }, 'arguments.order.total'],
    [{ 'order.total': { startsWith: '3' } }, 'arguments.order.total'],
    [{ note: [] }, 'arguments.note'],
    [{ note: null }, 'arguments.note'],
    [{ note: Array.from({ length: 21 }, String) }, 'arguments.note'],
    [{ 'order.lines': 'x' }, 'arguments.order.lines'],
    [{ and: [{ note: 'x' }] }, 'arguments.and'],
    [{ note: { exists: true } }, 'arguments.note'],
  ])('%j is refused, and names its argument', (given, field) => {
    try {
      filterOf(given, TYPE);
      throw new Error('it was taken');
    } catch (error) {
      expect(error).toBeInstanceOf(EventsError);
      expect((error as EventsError).data).toEqual({ field });
    }
  });
});
