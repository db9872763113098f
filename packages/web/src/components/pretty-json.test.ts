import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { prettyJson } from './pretty-json.ts';

test('JSON is indented as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const normal = JSON.parse(JSON.stringify(value));
      expect(prettyJson(JSON.stringify(normal))).toBe(JSON.stringify(normal, null, 2));
    }),
  );
});

test('big numbers, duplicate keys and escapes stay as they were sent', () => {
  const sent = '{"id": 12345678901234567890, "id":1.10,\n"a":"\\u0041\\"{[,:" , "e":[ ] }';
  expect(prettyJson(sent)).toBe(
    '{\n  "id": 12345678901234567890,\n  "id": 1.10,\n  "a": "\\u0041\\"{[,:",\n  "e": []\n}',
  );
});

test('JSON that is nested 100,000 levels deep is laid out without growing a thousand times', () => {
  const sent = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(prettyJson(sent)?.length).toBeLessThan(2 * sent.length);
});

test('a text that is not JSON is left as it is', () => {
  expect([prettyJson('<b>hello</b>'), prettyJson(''), prettyJson('{')]).toEqual([undefined, undefined, undefined]);
});
