import { expect, test } from '@jest/globals';
import { schemaBody } from './schema-body.ts';

test('a schema and an example are sent as they were typed, and an empty text clears', () => {
  const example = '{ "id": 9223372036854775807, "id": 1.50 }';
  expect(schemaBody('{"type":"object"}', example)).toBe(`{"schema":{"type":"object"},"example":${example}}`);
  expect(schemaBody(' ', '')).toBe('{"schema":null,"example":null}');
});

test.each([
  ['{', '1'],
  ['{}', "{'a':1}"],
])('a text that is not JSON is not sent: %s %s', (schema, example) => {
  expect(schemaBody(schema, example)).toBeUndefined();
});
