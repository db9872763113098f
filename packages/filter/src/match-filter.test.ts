import { describe, expect, test } from '@jest/globals';
import { FILTER_OPERATORS } from '@posthorn/contract/subscriptions';
import fc from 'fast-check';
import { examine, firstObstacle, matches } from './match-filter.ts';
import { type Filter, parseFilter } from './parse-filter.ts';

const order = JSON.parse(`{
  "data": { "amount": 120, "currency": "EUR", "note": null, "paid": true, "lines": [{ "sku": "a-1" }, { "sku": "b-2" }], "tags": ["new", 7] },
  "a.b": "dotted", "back\\\\slash": 1, "__proto__": { "x": 1 }, "length": 3, "0": "zero"
}`);

describe('a filter matches by', () => {
  test.each([
    [{ 'data.currency': 'EUR' }, true],
    [{ 'data.currency': 'USD' }, false],
    [{ 'data.currency': ['USD', 'EUR'] }, true],
    [{ 'data.currency': { in: ['USD'] } }, false],
    [{ 'data.amount': { gte: 100, lt: 200 } }, true],
    [{ 'data.amount': { gt: 120 } }, false],
    [{ 'data.amount': { lte: 120 } }, true],
    [{ 'data.amount': { gt: '100' } }, false],
    [{ 'data.currency': { gt: 'EUQ', lt: 'EUS' } }, true],
    [{ 'data.note': null }, true],
    [{ 'data.missing': null }, false],
    [{ 'data.missing': { ne: 1 } }, true],
    [{ 'data.amount': { ne: 120 } }, false],
    [{ 'data.note': { exists: true } }, true],
    [{ 'data.missing': { exists: false } }, true],
    [{ 'data.paid': true }, true],
    [{ 'data.paid': 1 }, false],
    [{ 'data.currency': { startsWith: 'E', endsWith: 'R' } }, true],
    [{ 'data.amount': { startsWith: '1' } }, false],
    [{ 'data.currency': { contains: 'UR' } }, true],
    [{ 'data.tags': { contains: 'new' } }, true],
    [{ 'data.tags': { contains: 7 } }, true],
    [{ 'data.tags': { contains: '7' } }, false],
    [{ 'data.lines.1.sku': 'b-2' }, true],
    [{ 'data.lines.2.sku': 'b-2' }, false],
    [{ 'data.lines.01.sku': 'b-2' }, false],
    [{ 'a\\.b': 'dotted' }, true],
    [{ 'a.b': 'dotted' }, false],
    [{ 'back\\\\slash': 1 }, true],
    [{ '0': 'zero' }, false],
    [{ '0': { exists: false } }, true],
    [{ or: [{ 'data.amount': 1 }, { 'data.paid': true }] }, true],
    [{ and: [{ 'data.amount': 1 }, { 'data.paid': true }] }, false],
    [{ not: { 'data.amount': 1 } }, true],
    [{ not: { not: { 'data.amount': 1 } } }, false],
  ])('%j: %s', (document, expected) => {
    expect(matches(parsed(document), order)).toBe(expected);
  });
});

describe('a path reaches only the payload itself', () => {
  test.each([
    'constructor',
    'toString',
    'data.constructor',
    'data.lines.length',
    'data.lines.map',
    'data.currency.length',
  ])('%s is absent', (path) => {
    expect(matches(parsed({ [path]: { exists: true } }), order)).toBe(false);
  });

  test('an own property is found, whatever its name', () => {
    expect(matches(parsed({ '__proto__.x': 1 }), order)).toBe(true);
    expect(matches(parsed({ length: 3 }), order)).toBe(true);
  });

  test.each([null, 1, 'text', true, []])('a payload that is %j has no path', (payload) => {
    expect(matches(parsed({ a: { exists: true } }), payload)).toBe(false);
  });
});

test('strings are ordered by code point', () => {
  const values = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(values, values, (a, b) => {
      const codePoints = (text: string) => Array.from(text, (one) => one.codePointAt(0) ?? 0);
      const order = Buffer.compare(utf32(codePoints(a)), utf32(codePoints(b)));
      expect(matches(parsed({ a: { lt: b } }), { a })).toBe(order < 0);
      expect(matches(parsed({ a: { gte: b } }), { a })).toBe(order >= 0);
    }),
  );
});

function utf32(codePoints: number[]): Buffer {
  const bytes = Buffer.alloc(codePoints.length * 4);
  for (const [index, codePoint] of codePoints.entries()) bytes.writeUInt32BE(codePoint, index * 4);
  return bytes;
}

describe('for every filter and payload', () => {
  const keys = fc.constantFrom('a', 'b', '0', 'length');
  const scalars = fc.oneof(
    fc.constantFrom('x', 'xy', 'y', ''),
    fc.integer({ min: -2, max: 2 }),
    fc.boolean(),
    fc.constant(null),
  );
  const payloads = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      scalars,
      fc.dictionary(keys, tie('any'), { maxKeys: 3 }),
      fc.array(tie('any'), { maxLength: 2 }),
    ),
  })).any;
  const ordered = fc.oneof(fc.constantFrom('x', 'xy'), fc.integer({ min: -2, max: 2 }));
  const operators = fc.oneof(
    scalars.map((expected) => ({ eq: expected })),
    scalars.map((expected) => ({ ne: expected })),
    scalars.map((expected) => ({ contains: expected })),
    fc.array(scalars, { minLength: 1, maxLength: 3 }).map((expected) => ({ in: expected })),
    fc.tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), ordered).map(([name, expected]) => ({ [name]: expected })),
    fc.constantFrom('x', 'y').map((expected) => ({ startsWith: expected, endsWith: expected })),
    fc.boolean().map((expected) => ({ exists: expected })),
  );
  const paths = fc.array(keys, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const leaves = fc.dictionary(paths, fc.oneof(operators, scalars, fc.array(scalars, { minLength: 1, maxLength: 2 })), {
    minKeys: 1,
    maxKeys: 2,
  });
  const documents = fc.letrec<{ any: Record<string, unknown> }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      leaves,
      fc.array(tie('any'), { minLength: 1, maxLength: 2 }).map((of) => ({ and: of })),
      fc.array(tie('any'), { minLength: 1, maxLength: 2 }).map((of) => ({ or: of })),
      tie('any').map((of) => ({ not: of })),
    ),
  })).any;

  test('the result is that of a plain reading of the rules', () => {
    fc.assert(
      fc.property(documents, payloads, (document, payload) => {
        expect(matches(parsed(document), payload)).toBe(reference(document, payload));
      }),
      { numRuns: 5_000 },
    );
  });

  test('an obstacle is named exactly when it does not match, and an examination has the same result', async () => {
    await fc.assert(
      fc.asyncProperty(documents, payloads, async (document, payload) => {
        const filter = parsed(document);
        expect(firstObstacle(filter, payload) === undefined).toBe(matches(filter, payload));
        expect((await examine(filter, payload, async () => {})).matches).toBe(matches(filter, payload));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The rules in a plain form, independent of the product's code. */
function reference(document: Record<string, unknown>, payload: unknown): boolean {
  return Object.entries(document).every(([key, value]) => {
    if (key === 'not') return !reference(value as Record<string, unknown>, payload);
    if (key === 'and') return (value as Record<string, unknown>[]).every((one) => reference(one, payload));
    if (key === 'or') return (value as Record<string, unknown>[]).some((one) => reference(one, payload));
    let found: { value: unknown } | undefined = { value: payload };
    for (const part of key.split('.')) {
      const holder: unknown = found?.value;
      if (Array.isArray(holder))
        found = /^\d$/.test(part) && Number(part) < holder.length ? { value: holder[Number(part)] } : undefined;
      else if (part !== '0' && typeof holder === 'object' && holder !== null && Object.keys(holder).includes(part)) {
        found = { value: (holder as Record<string, unknown>)[part] };
      } else found = undefined;
    }
    if (Array.isArray(value)) return found !== undefined && value.includes(found.value);
    if (typeof value !== 'object' || value === null) return found !== undefined && found.value === value;
    return Object.entries(value).every(([operator, expected]) => referenceOperator(operator, expected, found));
  });
}

function referenceOperator(operator: string, expected: unknown, found: { value: unknown } | undefined): boolean {
  if (operator === 'exists') return (found !== undefined) === expected;
  if (operator === 'ne') return found === undefined || found.value !== expected;
  if (found === undefined) return false;
  const { value } = found;
  if (operator === 'eq') return value === expected;
  if (operator === 'in') return (expected as unknown[]).includes(value);
  if (operator === 'contains') {
    return Array.isArray(value)
      ? value.some((one) => one === expected)
      : typeof value === 'string' && typeof expected === 'string' && value.indexOf(expected) >= 0;
  }
  if (operator === 'startsWith')
    return typeof value === 'string' && value.slice(0, (expected as string).length) === expected;
  if (operator === 'endsWith')
    return typeof value === 'string' && (expected === '' || value.slice(-(expected as string).length) === expected);
  if (typeof value !== typeof expected || !['string', 'number'].includes(typeof value)) return false;
  const [a, b] = [value as string, expected as string];
  return { gt: a > b, gte: a >= b, lt: a < b, lte: a <= b }[operator] ?? false;
}

/** Every clause of `examine`, which here makes no pauses. */
const explain = async (filter: Filter, payload: unknown) => (await examine(filter, payload, async () => {})).clauses;

test('an examination may pause before each clause, and examines each clause once', async () => {
  const expected = Array.from({ length: 49 }, (_, n) => ({ 'data.currency': { contains: `${n}` } }));
  const filter = parsed({ or: [...expected, { not: { 'data.amount': 1 } }] });
  const seen: number[] = [];
  const { matches: isMatch, clauses } = await examine(filter, order, async () => void seen.push(seen.length));
  expect([isMatch, clauses.length, seen.length]).toEqual([true, 50, 50]);
});

test('a number in a path is the index in an array, and finds no property of an object', async () => {
  const filter = parsed({ 'items.0': { exists: true } });
  const payloads = [{ items: ['x'] }, { items: { '0': 'x' } }];
  expect(payloads.map((payload) => matches(filter, payload))).toEqual([true, false]);
  expect(await Promise.all(payloads.map((payload) => explain(filter, payload)))).toMatchObject([
    [{ found: 'x', holds: true }],
    [{ found: null, holds: false }],
  ]);
});

test('an explanation has every clause, with the value that the payload has there', async () => {
  const filter = parsed({
    'data.amount': { gte: 500 },
    or: [{ 'data.note': 'x' }, { 'data.missing': { exists: true } }],
  });
  expect(await explain(filter, order)).toEqual([
    { path: 'data.amount', operator: 'gte', expected: 500, found: 120, holds: false },
    { path: 'data.note', operator: 'eq', expected: 'x', found: null, holds: false },
    { path: 'data.missing', operator: 'exists', expected: true, found: null, holds: false },
  ]);
  expect(firstObstacle(filter, order)).toMatchObject({ path: 'data.amount', found: 120 });
});

test('the first obstacle within not is the clause that holds', () => {
  const filter = parsed({ not: { 'data.currency': ['USD', 'EUR'], 'data.paid': true } });
  expect(firstObstacle(filter, order)).toMatchObject({ path: 'data.currency', found: 'EUR', holds: true });
});

test('the search of an obstacle looks at each clause once, at any level', () => {
  let looks = 0;
  const payload = {
    get a() {
      looks += 1;
      return 1;
    },
  };
  const clauses = [1, 2, 3].map((n) => ({ a: { ne: n } }));
  const filter = parsed({ or: [{ not: { or: clauses } }, { not: { or: [{ not: { a: 2 } }] } }] });
  expect(firstObstacle(filter, payload)).toMatchObject({ path: 'a', operator: 'ne' });
  expect(looks).toBeLessThanOrEqual(clauses.length + 1);
});

test('a value of any depth and size is shortened in an explanation, to the beginning of its JSON text', async () => {
  const shown = async (a: unknown) => (await explain(parsed({ a: 'x' }), { a }))[0]?.found;
  const wide = { first: ['\ud800"', 1e21, null, true], rest: 'é'.repeat(5_000) };
  expect(await shown(wide)).toBe(`${JSON.stringify(wide).slice(0, 1_024)}…`);
  const many = Array(5_000).fill({ 'a"': [1] });
  expect(await shown(many)).toBe(`${JSON.stringify(many).slice(0, 1_024)}…`);
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(await shown(JSON.parse(deep))).toBe(`${'['.repeat(1_024)}…`);
  expect(await shown({ b: [1, {}] })).toEqual({ b: [1, {}] });
});

test('a text contains a part exactly when String.includes says so', () => {
  const texts = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}'), maxLength });
  fc.assert(
    fc.property(texts(60), texts(12), (text, part) => {
      expect(matches(parsed({ a: { contains: part } }), { a: text })).toBe(text.includes(part));
    }),
    { numRuns: 5_000 },
  );
});

test('the work of `contains` grows with the length of the text, not with its product with that of the part', () => {
  const half = 'a'.repeat(1_950);
  const filter = parsed({ a: { contains: `${half}b${half}` } });
  const payload = { a: 'a'.repeat(2 ** 20) };
  const before = process.cpuUsage();
  expect(matches(filter, payload)).toBe(false);
  expect(matches(filter, { a: `${payload.a}b${payload.a}` })).toBe(true);
  // An algorithm in the product of both lengths took 2 s here. Processor time, so that other processes do not count.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});

test('a long value is shortened in an explanation', async () => {
  const [result] = await explain(parsed({ a: 'x' }), { a: 'y'.repeat(100_000) });
  expect(String(result?.found).length).toBeLessThan(1_100);
});

describe('a bad filter is refused, naming the place and the rule', () => {
  const nested = { not: { not: { not: { not: { not: { a: 1 } } } } } };
  const bottomless = JSON.parse(`${'{"not":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
  test.each<[unknown, string, string]>([
    [{ data: {} }, 'data', 'must have at least one operator'],
    [{}, '', 'must have at least one condition'],
    [[], '', 'must be an object'],
    [null, '', 'must be an object'],
    ['x', '', 'must be an object'],
    [{ 'data.amount': { gte: true } }, 'data.amount.gte', 'must be a number or a string'],
    [{ 'data.amount': { near: 1 } }, 'data.amount.near', `is not an operator: use ${FILTER_OPERATORS.join(', ')}`],
    [{ a: { in: [] } }, 'a.in', 'must be a list of at least one string, number, boolean or null'],
    [{ a: [] }, 'a', 'must be a list of at least one string, number, boolean or null'],
    [{ a: [[1]] }, 'a', 'must be a list of at least one string, number, boolean or null'],
    [{ a: { eq: {} } }, 'a.eq', 'must be a string, a number, a boolean or null'],
    [{ a: { exists: 'yes' } }, 'a.exists', 'must be a boolean'],
    [{ a: { startsWith: 1 } }, 'a.startsWith', 'must be a string'],
    [{ or: [] }, 'or', 'must be a list of at least one filter'],
    [{ or: { a: 1 } }, 'or', 'must be a list of at least one filter'],
    [{ or: [{ a: 1 }, 2] }, 'or[1]', 'must be an object'],
    [nested, 'not.not.not.not.not', 'is nested deeper than 5 levels'],
    [
      { and: Array.from({ length: 51 }, () => ({ a: 1 })) },
      'and[50].a',
      'is more than the 50 clauses that a filter may have',
    ],
    [{ a: 'x'.repeat(5_000) }, '', 'must be at most 4096 bytes'],
  ])('%j', (document, path, rule) => {
    expect(parseFilter(document)).toEqual({ kind: 'invalid', path, rule });
  });

  test('50,000 levels', () => {
    expect(parseFilter(bottomless)).toEqual({ kind: 'invalid', path: '', rule: 'is nested too deeply' });
  });

  test('five levels and fifty clauses are allowed', () => {
    expect(parseFilter({ not: { not: { not: { not: { a: 1 } } } } }).kind).toBe('filter');
    expect(parseFilter({ and: Array.from({ length: 50 }, () => ({ a: 1 })) }).kind).toBe('filter');
  });
});

function parsed(document: unknown): Filter {
  const result = parseFilter(document);
  if (result.kind === 'invalid') throw new Error(`${result.path} ${result.rule}`);
  return result.filter;
}
