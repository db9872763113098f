import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { createOpenSearchKey, tokenKey, tokensOf } from './tokens.ts';
import { readingsOf, type SearchKey, valuesOf } from './values.ts';

const key = (given: Partial<SearchKey> = {}): SearchKey => ({ name: 'order', path: 'id', fold: false, ...given });
const of = (text: string, keys = [key()]) => valuesOf(keys, JSON.parse(text), () => text);
const secret = tokenKey(randomBytes(32));

/** Whether a search for the text finds an event with this payload. */
function isFound(payload: string, searched: string, fold = false): boolean {
  const stored = tokensOf(secret, 'environment', of(payload, [key({ fold })]).values);
  return tokensOf(secret, 'environment', readingsOf('order', searched, new Set([fold]))).some((one) =>
    stored.includes(one),
  );
}

test.each([
  ['{"id":"order_1002"}', 'order_1002'],
  ['{"id":1900}', '1900'],
  ['{"id":19.50}', '19.5'],
  ['{"id":19.5}', '19.50'],
  ['{"id":100}', '1e2'],
  ['{"id":-0}', '0'],
  ['{"id":0.0000001}', '1e-7'],
  ['{"id":true}', 'true'],
  ['{"id":"1900"}', '1900'],
  ['{"id":"e\u0301t\u00e9"}', '\u00e9te\u0301'],
  ['{"id":["a","b",3]}', 'b'],
  ['{"id":["a","b",3]}', '3'],
])('%s is found by %s', (payload, searched) => {
  expect(isFound(payload, searched)).toBe(true);
});

test.each([
  ['{"id":"Order_1"}', 'order_1'],
  ['{"id":"order_1002"}', 'order_100'],
  ['{"id":"19.50"}', '19.5'],
  ['{"id":1900}', '01900'],
  ['{"id":null}', 'null'],
  ['{"id":{"a":"b"}}', 'b'],
  ['{"id":[["a"]]}', 'a'],
  ['{"id":""}', ''],
  ['{"id":"true"}', 'false'],
  ['{"other":"a"}', 'a'],
])('%s is not found by %s', (payload, searched) => {
  expect(isFound(payload, searched)).toBe(false);
});

test('with fold, a text is found without regard to case', () => {
  expect(isFound('{"id":"Ärger@Example.COM"}', 'ärger@example.com', true)).toBe(true);
  expect(isFound('{"id":"a"}', 'b', true)).toBe(false);
});

test('a folded text is a value of its own type: a key without fold does not find it', () => {
  const folded = tokensOf(secret, 'environment', of('{"id":"a"}', [key({ fold: true })]).values);
  expect(folded).not.toEqual(tokensOf(secret, 'environment', of('{"id":"a"}').values));
});

test('whole numbers beyond those of JavaScript are compared by their digits', () => {
  const large = '{"id":9007199254740993}';
  expect(isFound(large, '9007199254740993')).toBe(true);
  expect(isFound(large, '9007199254740992')).toBe(false);
  expect(isFound('{"id":1.0e20}', '100000000000000000000')).toBe(true);
  expect(of('{"id":1e400}')).toEqual({ values: [], leftOut: 1 });
});

test('an array gives 16 values, and the others are counted as left out, as is a text of more than 256 characters', () => {
  const { values, leftOut } = of(JSON.stringify({ id: Array.from({ length: 20 }, (_, n) => `v${n}`) }));
  expect([values.map(({ text }) => text), leftOut]).toEqual([Array.from({ length: 16 }, (_, n) => `v${n}`), 4]);
  expect(of(JSON.stringify({ id: 'x'.repeat(256) })).leftOut).toBe(0);
  expect(of(JSON.stringify({ id: 'x'.repeat(257) }))).toEqual({ values: [], leftOut: 1 });
});

test('a path leads through objects and to a place in an array, as that of a filter', () => {
  const text = JSON.stringify({ lines: [{ sku: 'a' }, { sku: 'b' }], 'a.b': 'c' });
  const keys = [key({ path: 'lines.1.sku' }), key({ path: String.raw`a\.b` }), key({ path: '__proto__.x' })];
  expect(of(text, keys).values.map((value) => value.text)).toEqual(['b', 'c']);
});

test('the tokens of equal values differ between keys of workspaces, environments and names, and not between two types of events', () => {
  const value = { name: 'order', type: 'string' as const, text: 'a' };
  const other = tokenKey(randomBytes(32));
  const made = [
    tokensOf(secret, 'e1', [value]),
    tokensOf(other, 'e1', [value]),
    tokensOf(secret, 'e2', [value]),
    tokensOf(secret, 'e1', [{ ...value, name: 'customer' }]),
    tokensOf(secret, 'e1', [{ ...value, type: 'number' }]),
  ].flat();
  expect(new Set(made).size).toBe(5);
  expect(tokensOf(secret, 'e1', [value, value])).toHaveLength(1);
});

test.each([0, 1, 55, 56, 63, 64, 119, 1_000])(
  'a token is the beginning of the HMAC-SHA-256 of its text, as any library makes it: %i characters',
  (characters) => {
    for (const [size, text] of [
      [32, 'x'.repeat(characters)],
      [32, '\0é€\u{1f600}\ud800'.repeat(characters).slice(0, characters)],
      [64, 'x'.repeat(characters)],
      [0, 'x'.repeat(characters)],
    ] as const) {
      const secret = randomBytes(size);
      expect(tokenKey(secret)(text)).toBe(createHmac('sha256', secret).update(text).digest().readBigInt64BE());
    }
  },
);

test('the token of a known value stays the same: events that are stored have it', () => {
  const key = tokenKey(Buffer.alloc(32, 7));
  const value = { name: 'order_id', type: 'string' as const, text: 'order_1002' };
  expect(tokensOf(key, '0193e0b0-0000-7000-8000-000000000000', [value])).toEqual([-4_641_051_773_041_704_846n]);
});

test('a search key that no sealing key opens is logged once, with its id, and another key is opened', () => {
  const [now, former] = ['now', 'former'].map((id) => parseSealingKeys(`${id}:${randomBytes(32).toString('base64')}`));
  if (now === undefined || former === undefined) throw new Error('two keys');
  const lines: unknown[] = [];
  const openSearchKey = createOpenSearchKey(now, { warn: (_, fields) => void lines.push(fields) });
  const stored = (id: string, keys = now) => ({ id, sealed: seal(keys, randomBytes(32), sealContext.searchKey(id)) });
  const lost = stored('one', former);
  expect([openSearchKey(lost), openSearchKey(lost)]).toEqual([undefined, undefined]);
  expect(openSearchKey(stored('two'))?.('a')).toEqual(expect.any(BigInt));
  expect(lines).toEqual([{ searchKeyId: 'one' }]);
});
