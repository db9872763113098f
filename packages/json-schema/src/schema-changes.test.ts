import { describe, expect, test } from '@jest/globals';
import { type SchemaDocument, schemaChanges } from './schema-changes.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const a = (schema: unknown) => object({ a: schema });
const tagged = (kind: string) => object({ kind: { const: kind } }, { required: ['kind'] });
const CLOSED = { additionalProperties: false };
const SEALED = { unevaluatedProperties: false };

/**
 * Each case has a name, the schema before and after, and the reported changes: path, change, and `!` if it is breaking.
 */
/** `B` changes only because `A` does. `A` is still being compared when `B` is first compared. */
const refersInACircle = (maxProperties: number) => ({
  properties: { p: { not: { $ref: '#/$defs/A' } }, q: { not: { $ref: '#/$defs/B' } } },
  $defs: {
    A: { maxProperties, properties: { b: { not: { $ref: '#/$defs/B' } } } },
    B: { properties: { a: { not: { $ref: '#/$defs/A' } } } },
  },
});

test.each<[string, SchemaDocument, SchemaDocument, string[]]>([
  ['nothing', a({ type: 'string' }), a({ type: 'string' }), []],
  ['a first schema', null, {}, [' added']],
  ['no schema any more', {}, null, [' removed!']],
  ['another description', a({ description: 'x' }), a({ description: 'y', title: 'z' }), []],
  ['a new property', object({}), a({ type: 'string' }), ['/a added']],
  ['a new required property', object({}), object({ a: {} }, { required: ['a'] }), ['/a added', '/a required']],
  ['a removed property', a({ type: 'string' }), object({}), ['/a removed!']],
  ['another type', a({ type: 'string' }), a({ type: 'number' }), ['/a type!']],
  ['a wider type', a({ type: 'integer' }), a({ type: 'number' }), ['/a type!']],
  ['a narrower type', a({ type: ['string', 'null'] }), a({ type: 'string' }), ['/a type']],
  ['integer for number', a({ type: 'number' }), a({ type: 'integer' }), ['/a type']],
  ['types in another order', a({ type: ['string', 'null'] }), a({ type: ['null', 'string'] }), []],
  ['a first type', a({}), a({ type: 'string' }), ['/a type']],
  ['no type any more', a({ type: 'string' }), a({}), ['/a type!']],
  ['required no more', object({ a: {} }, { required: ['a'] }), object({ a: {} }), ['/a required!']],
  ['required now', object({ a: {} }), object({ a: {} }, { required: ['a'] }), ['/a required']],
  ['an enum that grew', a({ enum: ['x'] }), a({ enum: ['x', 'y'] }), ['/a enum!']],
  ['an enum that shrank', a({ enum: ['x', 'y'] }), a({ enum: ['x'] }), ['/a enum']],
  ['an enum in another order', a({ enum: ['x', 'y'] }), a({ enum: ['y', 'x'] }), []],
  ['an enum that went', a({ enum: ['x'] }), a({}), ['/a enum!']],
  ['an enum that came', a({}), a({ enum: ['x'] }), ['/a enum']],
  ['another constant', a({ const: 1 }), a({ const: 2 }), ['/a enum!']],
  ['a constant for an enum with it', a({ enum: [1, 2] }), a({ const: 1 }), ['/a enum']],
  ['a higher maximum', a({ maximum: 1 }), a({ maximum: 2 }), ['/a constraint!']],
  ['a lower maximum', a({ maximum: 2 }), a({ maximum: 1 }), ['/a constraint']],
  ['a lower minimum', a({ minLength: 2 }), a({ minLength: 1 }), ['/a constraint!']],
  ['a higher minimum', a({ minItems: 1 }), a({ minItems: 2 }), ['/a constraint']],
  ['a bound that went', a({ exclusiveMinimum: 0 }), a({}), ['/a constraint!']],
  ['a bound that came', a({}), a({ maxProperties: 3 }), ['/a constraint']],
  ['another pattern', a({ pattern: 'x' }), a({ pattern: 'y' }), ['/a constraint!']],
  ['a pattern that came', a({}), a({ pattern: 'y' }), ['/a constraint']],
  ['another format', a({ format: 'date' }), a({ format: 'email' }), ['/a constraint!']],
  ['a new property where others were refused', object({}, CLOSED), object({ a: {} }, CLOSED), ['/a added!']],
  ['a new property where no other was evaluated', object({}, SEALED), object({ a: {} }, SEALED), ['/a added!']],
  [
    'names by a pattern where others were refused',
    CLOSED,
    { ...CLOSED, patternProperties: { x: {} } },
    [' constraint!'],
  ],
  ['names by a pattern', {}, { patternProperties: { x: {} } }, [' constraint']],
  [
    'one more item where others were refused',
    { prefixItems: [{}], items: false },
    { prefixItems: [{}, {}], items: false },
    [' constraint!'],
  ],
  [
    'one more item where no other was evaluated',
    { prefixItems: [{}], unevaluatedItems: false },
    { prefixItems: [{}, {}], unevaluatedItems: false },
    [' constraint!'],
  ],
  ['a condition more where no other property was evaluated', SEALED, { ...SEALED, allOf: [a({})] }, [' constraint!']],
  ['other properties where none was evaluated', SEALED, { ...SEALED, additionalProperties: true }, [' constraint!']],
  [
    'a new property of a target where no other was evaluated',
    { ...SEALED, allOf: [{ $ref: '#/$defs/s' }], $defs: { s: object({}) } },
    { ...SEALED, allOf: [{ $ref: '#/$defs/s' }], $defs: { s: a({}) } },
    ['/a added!'],
  ],
  [
    'a new property that was one of the others',
    { additionalProperties: { type: 'string' } },
    { additionalProperties: { type: 'string' }, properties: { a: { type: 'null' } } },
    ['/a type!', '/a added'],
  ],
  [
    'an item at a new place that was one of the others',
    { items: { type: 'string' } },
    { items: { type: 'string' }, prefixItems: [{ type: 'null' }] },
    ['/0 type!', ' constraint'],
  ],
  ['no item that must be there', { contains: {} }, { contains: {}, minContains: 0 }, [' constraint!']],
  ['an item that must be there', { contains: {}, minContains: 0 }, { contains: {} }, [' constraint']],
  ['the number of items that an absent bound means', { contains: {} }, { contains: {}, minContains: 1 }, []],
  ['open now', object({}, { additionalProperties: false }), object({}), [' constraint!']],
  ['closed now', object({}), object({}, { additionalProperties: false }), [' constraint']],
  ['true for nothing', object({}, { additionalProperties: true }), object({}), []],
  ['items that may be anything', a({ items: { type: 'string' } }), a({}), ['/a constraint!']],
  ['another type of items', a({ items: { type: 'string' } }), a({ items: { type: 'null' } }), ['/a/* type!']],
  ['a property of items', a({ items: a({}) }), a({ items: object({}) }), ['/a/*/a removed!']],
  [
    'another first item',
    { prefixItems: [{ type: 'string' }] },
    { prefixItems: [{ type: 'null' }, {}] },
    ['/0 type!', ' constraint'],
  ],
  [
    'another alternative',
    { anyOf: [{ type: 'string' }] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    [' constraint!'],
  ],
  [
    'an alternative less',
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
    { oneOf: [{ type: 'null' }] },
    [' constraint'],
  ],
  [
    'an alternative less, which a property tells apart',
    { oneOf: [tagged('card'), tagged('bank')] },
    { oneOf: [tagged('bank')] },
    [' constraint'],
  ],
  [
    'an alternative less, beside which a value was refused',
    { oneOf: [{ minimum: 1 }, { maximum: 5 }] },
    { oneOf: [{ minimum: 1 }] },
    [' constraint!'],
  ],
  [
    'an alternative less, whose numbers are among the others',
    { oneOf: [{ type: 'integer' }, { type: 'number' }] },
    { oneOf: [{ type: 'number' }] },
    [' constraint!'],
  ],
  [
    'an alternative that was there twice',
    { oneOf: [{ type: 'null' }, { type: 'null' }] },
    { oneOf: [{ type: 'null' }] },
    [' constraint!'],
  ],
  [
    'an alternative less, which a property of what it refers to tells apart',
    { oneOf: [{ $ref: '#/$defs/c' }, { $ref: '#/$defs/b' }], $defs: { c: tagged('card'), b: tagged('bank') } },
    { oneOf: [{ $ref: '#/$defs/b' }], $defs: { b: tagged('bank') } },
    [' constraint'],
  ],
  [
    'a narrower target of an alternative, which a property tells apart',
    { oneOf: [{ $ref: '#/$defs/c' }, tagged('bank')], $defs: { c: tagged('card') } },
    { oneOf: [{ $ref: '#/$defs/c' }, tagged('bank')], $defs: { c: { ...tagged('card'), maxProperties: 2 } } },
    [' constraint'],
  ],
  [
    'a narrower target of an alternative, beside which a value was refused',
    { oneOf: [{ $ref: '#/$defs/s' }, { maximum: 5 }], $defs: { s: { minimum: 1 } } },
    { oneOf: [{ $ref: '#/$defs/s' }, { maximum: 5 }], $defs: { s: { minimum: 2 } } },
    [' constraint!', ' constraint'],
  ],
  [
    'fewer items that count towards a limit',
    { contains: { minimum: 1 }, maxContains: 1 },
    { contains: { minimum: 2 }, maxContains: 1 },
    [' constraint!', '/* constraint'],
  ],
  ['a condition more', { allOf: [{ minimum: 1 }] }, { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [' constraint']],
  ['a condition less', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, { allOf: [{ maximum: 2 }] }, [' constraint!']],
  [
    'a reference for its target',
    a({ type: 'string' }),
    { ...a({ $ref: '#/$defs/s' }), $defs: { s: { type: 'string' } } },
    [],
  ],
  [
    'the target of a reference',
    { ...a({ $ref: '#/$defs/s' }), $defs: { s: { type: 'string' } } },
    { ...a({ $ref: '#/$defs/s' }), $defs: { s: { type: 'null' } } },
    ['/a type!'],
  ],
  [
    'the target of a reference beside other keywords',
    { ...a({ $ref: '#/$defs/s', minLength: 1 }), $defs: { s: { type: 'string' } } },
    { ...a({ $ref: '#/$defs/s', minLength: 1 }), $defs: { s: { type: 'null' } } },
    ['/a type!'],
  ],
  [
    'the target of a reference in a list',
    { allOf: [{ $ref: '#/$defs/s' }], $defs: { s: a({ type: 'string' }) } },
    { allOf: [{ $ref: '#/$defs/s' }, { maxProperties: 2 }], $defs: { s: a({ type: 'null' }) } },
    ['/a type!', ' constraint'],
  ],
  [
    'the target of a name',
    { ...a({ $ref: '#s' }), $defs: { s: { $anchor: 's', type: 'string' } } },
    { ...a({ $ref: '#s' }), $defs: { s: { $anchor: 's', type: 'null' } } },
    ['/a type!'],
  ],
  [
    'the target of a reference with escapes',
    { ...a({ $ref: '#/$defs/a%20b' }), $defs: { 'a b': { type: 'string' } } },
    { ...a({ $ref: '#/$defs/a%20b' }), $defs: { 'a b': { type: 'null' } } },
    ['/a type!'],
  ],
  [
    'a narrower target of a reference below not',
    { not: { required: ['a'], ...a({ $ref: '#/$defs/s' }) }, $defs: { s: { minLength: 1 } } },
    { not: { required: ['a'], ...a({ $ref: '#/$defs/s' }) }, $defs: { s: { minLength: 2 } } },
    [' constraint!'],
  ],
  [
    'a narrower target of a reference below if',
    { if: { $ref: '#/$defs/s' }, else: false, $defs: { s: { $ref: '#/$defs/t' }, t: { maxLength: 2 } } },
    { if: { $ref: '#/$defs/s' }, else: false, $defs: { s: { $ref: '#/$defs/t' }, t: { maxLength: 1 } } },
    [' constraint!'],
  ],
  [
    'another description of the target of a reference below not',
    { not: { $ref: '#/$defs/s' }, $defs: { s: { type: 'null', description: 'x' } } },
    { not: { $ref: '#/$defs/s' }, $defs: { s: { type: 'null', description: 'y' } } },
    [],
  ],
  [
    'a condition that refers to itself',
    { not: a({ $ref: '#' }), maxProperties: 1 },
    { not: a({ $ref: '#' }), maxProperties: 2 },
    [' constraint!', ' constraint!'],
  ],
  [
    'the target of a reference below names by a pattern',
    { patternProperties: { '^x': { $ref: '#/$defs/s' } }, $defs: { s: { type: 'string' } } },
    { patternProperties: { '^x': { $ref: '#/$defs/s' } }, $defs: { s: { type: ['string', 'null'] } } },
    ['/* type!'],
  ],
  [
    'the target of a reference below then',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    { if: { minProperties: 2 }, then: { $ref: '#/$defs/s' }, $defs: { s: { maxProperties: 3 } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    { if: { minProperties: 2 }, then: { $ref: '#/$defs/s' }, $defs: { s: { maxProperties: 4 } } },
    [' constraint!'],
  ],
  [
    'two targets that refer to each other',
    refersInACircle(1),
    refersInACircle(2),
    ['/p constraint!', '/q constraint!'],
  ],
  [
    'a schema that refers to itself',
    { ...a({ $ref: '#' }), maxProperties: 1 },
    { ...a({ $ref: '#' }), maxProperties: 2 },
    [' constraint!'],
  ],
  ['breaking ones first', object({ a: {}, b: {} }), object({ b: { type: 'string' } }), ['/a removed!', '/b type']],
  ['a name with a slash', object({}), object({ 'a/b': {} }), ['/a~1b added']],
])('%s', (_, before, after, told) => {
  const changes = schemaChanges(before, after);
  expect(changes.map(({ path, change, breaking }) => `${path} ${change}${breaking ? '!' : ''}`)).toEqual(told);
  expect(changes.every(({ detail }) => detail.length > 5 && detail.length < 400)).toBe(true);
});

test('at most 500 changes are told', () => {
  const many = object(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`p${index}`, {}])));
  expect(schemaChanges(object({}), many)).toHaveLength(500);
});

describe('the work of a comparison is bounded', () => {
  const tooMuch = {
    path: '',
    change: 'constraint',
    breaking: true,
    detail: 'takes too much work to compare as a whole',
  };
  const defs = (count: number, one: (index: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}`, one(index)]));
  const to = (index: number) => ({ $ref: `#/$defs/d${index}` });

  test('many definitions that references pair in every way', () => {
    const wired = (step: number) => ({
      properties: { root: to(0) },
      $defs: defs(640, (index) => ({
        properties: { a: to((index + 1) % 640), b: to((index * step + 1) % 640) },
      })),
    });
    expect(schemaChanges(wired(3), wired(7))).toEqual([tooMuch]);
  });

  test('a large list of values that references pair with many others', () => {
    const values = { enum: Array.from({ length: 1_000 }, (_, index) => `value ${index}`) };
    const large = { properties: defs(900, () => to(0)), $defs: { d0: values } };
    const many = { properties: defs(900, to), $defs: defs(900, () => ({})) };
    const changes = schemaChanges(large, many);
    expect(changes[0]).toEqual(tooMuch);
    expect(changes.length).toBeLessThan(100);
  });

  test('a schema as large as allowed is compared as a whole', () => {
    const large = (type: string) => object(defs(490, () => ({ type: 'string', items: { type } })));
    const changes = schemaChanges(large('string'), large('null'));
    expect(changes).toHaveLength(490);
    expect(changes).not.toContainEqual(tooMuch);
  });
});
