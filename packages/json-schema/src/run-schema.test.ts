import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { compileSchema } from './compile-schema.ts';
import { parsePattern } from './pattern.ts';
import { checkValue } from './run-schema.ts';

const check = (schema: unknown, value: unknown) => {
  const compiled = compileSchema(schema);
  if (compiled.kind === 'invalid') throw new Error(`${compiled.path} ${compiled.rule}`);
  return checkValue(compiled.schema, value);
};

describe('a fault names the place in the payload and the rule', () => {
  const order = {
    type: 'object',
    required: ['id', 'total'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', minLength: 2, pattern: '^[A-Z]' },
      total: { type: 'number', minimum: 0, multipleOf: 0.01 },
      currency: { enum: ['EUR', 'USD'] },
      version: { const: 1 },
      lines: { type: 'array', maxItems: 2, uniqueItems: true, items: { $ref: '#/$defs/line' } },
      'a/b~c': { type: 'null' },
    },
    $defs: { line: { type: 'object', required: ['sku'] } },
  };
  test.each<[unknown, string[]]>([
    [{ id: 'AB', total: 1 }, []],
    [{ id: 'AB' }, ['/total is required']],
    [{ id: 'AB', total: '1' }, ['/total must be number']],
    [
      { id: 'a', total: -1 },
      ['/id must have at least 2 characters', '/id must match the pattern ^[A-Z]', '/total must be at least 0'],
    ],
    [{ id: 'AB', total: 0.005 }, ['/total must be a multiple of 0.01']],
    [{ id: 'AB', total: 1, currency: 'GBP' }, ['/currency must be one of "EUR", "USD"']],
    [{ id: 'AB', total: 1, version: 2 }, ['/version must be 1']],
    [{ id: 'AB', total: 1, lines: [{ sku: 1 }, {}] }, ['/lines/1/sku is required']],
    [{ id: 'AB', total: 1, lines: [{ sku: 1 }, { sku: 1 }] }, ['/lines must not have equal items']],
    [{ id: 'AB', total: 1, 'a/b~c': 0 }, ['/a~1b~0c must be null']],
    [{ id: 'AB', total: 1, other: 0 }, ['/other is not allowed']],
    [[], ['The payload must be object']],
  ])('%j: %j', (value, errors) => {
    expect(check(order, value)).toEqual(errors);
  });

  test('at most 10 are told', () => {
    expect(check({ items: { type: 'string' } }, Array(300).fill(1))).toHaveLength(10);
    expect(check({ required: Array.from({ length: 100 }, (_, index) => `k${index}`) }, {})).toHaveLength(10);
  });

  test('a fault is text that Postgres can store, of bounded length', () => {
    const [error = ''] = check({ additionalProperties: false }, { [`\ud800\u0000${'x'.repeat(100_000)}`]: 1 });
    expect(/[\p{Cs}\p{Cc}]/u.test(error)).toBe(false);
    expect(error.length).toBeLessThan(300);
  });

  test('a payload cannot reach a prototype', () => {
    const payload = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}');
    expect(check({ required: ['a'] }, payload)).toEqual(['/a is required']);
    expect(check({ properties: { toString: false, constructor: { type: 'string' } } }, payload)).toEqual([
      '/constructor must be string',
    ]);
    expect(check(JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'), payload)).toEqual([
      '/__proto__ must be string',
    ]);
  });
});

describe('a bad schema is refused, naming the place and the rule', () => {
  const deep = (levels: number): unknown => (levels === 0 ? {} : { not: deep(levels - 1) });
  test.each<[unknown, string]>([
    [{ type: 'text' }, 'type must be one of null, boolean, object, array, number, string, integer, or a list of them'],
    [{ properties: { a: { minimum: '1' } } }, 'properties.a.minimum must be a number'],
    [{ properties: { a: 1 } }, 'properties.a must be a schema: an object or a boolean'],
    [{ properties: [] }, 'properties must be an object of schemas'],
    [{ allOf: [] }, 'allOf must be a list of schemas'],
    [
      { properties: { 0: { anyOf: [{}, { type: 1 }] } } },
      'properties.0.anyOf[1].type must be one of null, boolean, object, array, number, string, integer, or a list of them',
    ],
    [{ required: 'a' }, 'required must be an array of property names'],
    [{ maxLength: -1 }, 'maxLength must be a whole number from 0 on'],
    [{ multipleOf: 0 }, 'multipleOf must be more than 0'],
    [{ enum: 'a' }, 'enum must be an array'],
    [{ $ref: 'https://example.com/schema.json' }, '$ref must refer to a place in this schema: none is fetched'],
    [{ $ref: 'file:///etc/passwd' }, '$ref must refer to a place in this schema: none is fetched'],
    [{ $ref: '#/$defs/none' }, '$ref must refer to a schema: there is none at /$defs/none'],
    [{ $ref: '#none' }, '$ref must refer to a place in this schema: none is no anchor'],
    [{ $ref: 5 }, '$ref must be a string'],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      '$schema must be https://json-schema.org/draft/2020-12/schema',
    ],
    [
      { items: { $ref: '#/$defs/a' }, $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } },
      '$defs.a refers to itself without end',
    ],
    [{ allOf: [{ $ref: '#' }] }, 'refers to itself without end'],
    [{ pattern: '(' }, 'pattern must be a regular expression of ECMA-262 (flag u)'],
    [
      { not: { pattern: 'a(?=b)' } },
      'not.pattern must not be a pattern that looks ahead or behind: that takes unbounded time',
    ],
    [
      { oneOf: [{ $ref: '#/$defs/a' }], $defs: { a: { pattern: '(a)\\1' } } },
      '$defs.a.pattern must not be a pattern that refers back to a group: that takes unbounded time',
    ],
    [{ pattern: 'a{100000}' }, 'pattern must have at most 1000 states: its counts are too large'],
    [
      { patternProperties: { '(?<!a)': {} } },
      'patternProperties.(?<!a) must not be a pattern that looks ahead or behind: that takes unbounded time',
    ],
    [{ enum: Array.from({ length: 1_001 }, (_, index) => index) }, 'enum must have at most 1000 values'],
    [
      {
        anyOf: Array(1_001)
          .fill(0)
          .map(() => ({})),
      },
      ' must have at most 1000 subschemas',
    ],
    [deep(130), 'not.not.not is nested deeper than 60 levels'],
  ])('%#', (schema, message) => {
    const compiled = compileSchema(schema);
    expect(compiled.kind === 'invalid' ? `${compiled.path} ${compiled.rule}`.trim() : compiled.kind).toBe(
      message.trim(),
    );
  });
});

describe('a pattern matches as in JavaScript', () => {
  const texts = [
    '',
    'a',
    'ab',
    'aab',
    'b',
    'abc',
    'a-b',
    'A1',
    '\u00e9',
    '😀',
    'x😀y',
    ' ',
    'a\nb',
    '_',
    'aaaa',
    '11:22',
    'foo.bar',
  ];
  test.each([
    '^a*$',
    'a|b',
    '^(a|b)+$',
    '^(?:ab?)*c?$',
    '^.{1,2}$',
    '^[^a]',
    '\\d+',
    '^\\w+$',
    '\\bb',
    '\\Ba',
    '^\\p{L}+$',
    '^\\P{L}',
    '[\\s\\S]',
    '^\\u{1F600}$',
    '^\\ud83d\\ude00$',
    '^[😀-😂]$',
    'a{2}',
    '^a{2,}$',
    '^a{0}$',
    '^(?<name>a)b',
    'a+?b',
    '^(a*)*$',
    '^$',
    '',
    '(a|)b',
    '\\.',
    '[.]',
    '[\\]-]',
    '\\x41',
    '\\cJ',
    '^(|a)+$',
    '^a|b$',
    '[^]',
    '^(?=.*b)a',
    '^(?!ab)(?!.*-).+$',
    '^(?=a|\\d)',
    '^(?!.*[\\d.])(?=.*[a-z]$).{1,3}$',
    '^(?!)',
  ])('%s', (source) => {
    const parsed = parsePattern(source, new Map());
    expect(parsed.kind).toBe('pattern');
    const native = new RegExp(source, 'u');
    for (const text of texts) {
      const found = check({ pattern: source }, text).length === 0;
      expect([source, text, found]).toEqual([source, text, native.test(text)]);
    }
  });
});

describe('a pattern that takes unbounded time is kept, named and not checked', () => {
  test.each([
    ['a(?=b)', 'looks ahead or behind'],
    ['(?<=a)b', 'looks ahead or behind'],
    ['^(?=a)b|c', 'looks ahead or behind'],
    ['^(?!(?<!a)b)', 'looks ahead or behind'],
    ['(a)\\1', 'refers back to a group'],
  ])('%s', (pattern, does) => {
    const schema = { properties: { code: { type: 'string', pattern } } };
    expect(compileSchema(schema)).toMatchObject({
      kind: 'schema',
      warnings: [
        {
          path: 'properties.code.pattern',
          message: `This pattern is published, but payloads are not checked by it: it ${does}, which takes unbounded time`,
        },
      ],
    });
    expect(check(schema, { code: 'x' })).toEqual([]);
    expect(check(schema, { code: 1 })).toEqual(['/code must be string']);
  });

  test('also of a property that is named like a keyword', () => {
    const named = { contains: { pattern: 'a(?=b)' }, not: { properties: { if: { pattern: '(a)\\1' } } } };
    expect(compileSchema({ properties: named })).toMatchObject({
      kind: 'schema',
      warnings: [{ path: 'properties.contains.pattern' }, { path: 'properties.not.properties.if.pattern' }],
    });
    expect(compileSchema({ properties: { properties: { not: { pattern: 'a(?=b)' } } } })).toMatchObject({
      kind: 'invalid',
      path: 'properties.properties.not.pattern',
    });
  });

  test('the email addresses, UUIDs and times of zod are checked', () => {
    const oldEmail =
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";
    const described = z.object({ email: z.email(), id: z.uuid(), at: z.iso.datetime({ offset: true }) });
    const schema = { allOf: [z.toJSONSchema(described), { properties: { email: { pattern: oldEmail } } }] };
    expect(compileSchema(schema)).toMatchObject({ kind: 'schema', warnings: [] });
    const right = { email: 'ann@acme.example', id: crypto.randomUUID(), at: '2026-02-28T10:00:00+01:00' };
    expect(check(schema, right)).toEqual([]);
    const wrong = check(schema, { email: 'ann..b@acme.example', id: 'x', at: '2026-02-30T10:00:00Z' });
    expect(wrong.map((fault) => fault.split(' ')[0])).toEqual(['/email', '/id', '/at', '/email']);
  });
});

/** The alternatives double at each of 50 levels, so a check runs out of steps. */
const doubling = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      `d${index}`,
      index === 49
        ? { type: 'string' }
        : { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  ),
};

/** A check takes over 20 ms, even when its code is compiled. */
const slow = {
  schema: {
    items: {
      enum: Array.from({ length: 1_000 }, (_, index) => ({
        ...Object.fromEntries(Array.from({ length: 5 }, (__, key) => [key, 1])),
        index,
      })),
    },
  },
  payload: Array(20_000).fill({ 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, index: -1 }),
};

describe('no schema and no payload holds the process', () => {
  const long = 'a'.repeat(200_000);
  const flat = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]));
  const nested = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
  const tree = { anyOf: [{ properties: { a: { $ref: '#' } } }, { properties: { a: { $ref: '#' } } }], required: ['a'] };
  const chain = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`);
  test.each<[string, unknown, unknown]>([
    ['a pattern that makes others go back', { pattern: '^(a+)+$' }, `${long}!`],
    ['a pattern of many states', { pattern: '(a?){150}a{150}b' }, long],
    [
      'many patterns',
      { patternProperties: Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`(k|e|y)*${index}$`, {}])) },
      flat,
    ],
    ['alternatives that double', doubling, 1],
    ['a recursion that doubles at each level', tree, chain],
    ['deep nesting', { items: { $ref: '#' } }, nested],
    ['deep nesting among equal items', { uniqueItems: true }, [nested, nested]],
    ['large items that must differ', { uniqueItems: true }, Array.from({ length: 20 }, () => flat)],
    ['a large enum of objects', slow.schema, slow.payload],
    [
      'keys that many schemas look at',
      { allOf: Array.from({ length: 450 }, () => ({ additionalProperties: { minimum: 0 } })) },
      flat,
    ],
    ['what nothing evaluated', { allOf: Array.from({ length: 500 }, () => ({ unevaluatedProperties: true })) }, flat],
    ['a long text', { allOf: Array.from({ length: 900 }, () => ({ maxLength: 1e9 })) }, long],
    [
      'many required names',
      { items: { required: Array.from({ length: 3_000 }, (_, index) => `${index}`) } },
      Array(20_000).fill({}),
    ],
  ])('%s', (_, schema, payload) => {
    const before = process.cpuUsage();
    const errors = check(schema, payload);
    // Processor time, so that other processes do not count.
    const tookMs = process.cpuUsage(before).user / 1_000;
    // Some payloads fit, and the others run out of steps.
    expect(errors.every((error) => error.length < 400)).toBe(true);
    expect(tookMs).toBeLessThan(1_000);
  });

  test('what runs out of steps does not fit, always alike', () => {
    const runs = Array.from({ length: 3 }, () => check(doubling, 1));
    expect(runs).toEqual(Array(3).fill(['The payload takes too much work to check']));
  });

  test('the work on long texts is counted: of each level that is copied, and of texts of equal length', () => {
    const text = 'a'.repeat(64_000);
    const levels = JSON.parse(`${'['.repeat(100)}"${text}"${']'.repeat(100)}`);
    expect(stepsOf({ uniqueItems: true }, [levels])).toBeGreaterThan(100_000);
    expect(stepsOf({ const: `${text}x` }, `${text}y`)).toBeGreaterThan(1_000);
    expect(stepsOf({ enum: [`${text}x`] }, `${text}y`)).toBeGreaterThan(1_000);
    expect(stepsOf({ const: 'x' }, text)).toBeLessThan(10);
  });
});

/** The number of steps that a check takes. */
function stepsOf(schema: unknown, value: unknown): number {
  const compiled = compileSchema(schema);
  if (compiled.kind === 'invalid') throw new Error(`${compiled.path} ${compiled.rule}`);
  const steps = { left: 1_000_000 };
  checkValue(compiled.schema, value, steps);
  return 1_000_000 - steps.left;
}
