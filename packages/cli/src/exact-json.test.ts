import { expect, test } from '@jest/globals';
import { parseJson } from './exact-json.ts';

test.each([
  '9007199254740993',
  '{"id":12345678901234567890}',
  '[0.10000000000000000001]',
  '1e400',
  '-1e-400',
  '123456789012345678e1',
])('a number that would be rounded is refused: %s', (json) => {
  expect(() => parseJson(json, '--filter')).toThrow('would be rounded: put it in quotes');
});

test.each(['{"a":1,"a":2}', '[{"b":{"a":1,"c":{},"a" : 1}}]', '{"a":1,"\\u0061":2}'])(
  'two equal keys of an object are refused: %s',
  (json) => {
    expect(() => parseJson(json, '--filter')).toThrow('--filter has a key twice in the same object');
  },
);

test.each([
  '9007199254740991',
  '9007199254740992',
  '-9007199254740991000',
  '[1.10, 0.1, -0, 0.0e5, 1E2, 1e23, 5e-324, 1.7976931348623157e308]',
  '{"12345678901234567890":"12345678901234567890","a\\"1":{"a":[{"a":1},{"a":":"}]}}',
  '{"__proto__":{"a":1}}',
  'null',
])('what keeps its value is read: %s', (json) => {
  expect(parseJson(json, '--filter')).toEqual(JSON.parse(json));
});

test('a byte order mark is skipped', () => {
  expect(parseJson('\ufeff{"a":1}', '--filter')).toEqual({ a: 1 });
});

test('a text that is not JSON is refused', () => {
  expect(() => parseJson('{"a":1,}', '--filter')).toThrow('--filter is not JSON: ');
});

test('a long and deep text is read', () => {
  const json = `${'[{"a":'.repeat(2_000)}"${'\\"1'.repeat(100_000)}"${'}]'.repeat(2_000)}`;
  expect(JSON.stringify(parseJson(json, '--data'))).toBe(json);
});
