import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { compileSchema } from './compile-schema.ts';
import { checkValue } from './run-schema.ts';

// The official JSON-Schema-Test-Suite for draft 2020-12, in test/json-schema-suite: every required file except
// `refRemote.json`, because nothing is fetched, and the optional files about patterns, identifiers and numbers.

const folder = new URL('../test/json-schema-suite/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

const suite = z.array(
  z.object({
    description: z.string(),
    schema: z.unknown(),
    tests: z.array(z.object({ description: z.string(), data: z.unknown(), valid: z.boolean() })),
  }),
);

const REMOTE = 'must refer to a place in this schema: none is fetched';
const OTHER_DIALECT = 'must be https://json-schema.org/draft/2020-12/schema';

/** Cases that need another document. They must be refused for that reason. */
const REFUSED: Record<string, string> = {
  'defs.json: validate definition against metaschema': REMOTE,
  'dynamicRef.json: strict-tree schema, guards against misspelled properties': REMOTE,
  'dynamicRef.json: tests for implementation dynamic anchor and reference link': REMOTE,
  'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first': REMOTE,
  'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first': REMOTE,
  'dynamicRef.json: $ref to $dynamicRef finds detached $dynamicAnchor': REMOTE,
  'ref.json: remote ref, containing refs itself': REMOTE,
  'vocabulary.json: schema that uses custom metaschema with with no validation vocabulary': OTHER_DIALECT,
  'vocabulary.json: ignore unrecognized optional vocabulary': OTHER_DIALECT,
};

test.each(files)('the official suite passes: %s', (name) => {
  const wrong: string[] = [];
  for (const { description, schema, tests } of suite.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))) {
    const compiled = compileSchema(schema);
    const refusal = compiled.kind === 'invalid' ? compiled.rule : undefined;
    if (refusal !== REFUSED[`${name}: ${description}`]) wrong.push(`${description}: ${refusal}`);
    for (const one of compiled.kind === 'schema' ? tests : []) {
      const errors = compiled.kind === 'schema' ? checkValue(compiled.schema, one.data) : [];
      if ((errors.length === 0) !== one.valid) wrong.push(`${description}: ${one.description} ${errors}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the whole suite is there', () => {
  expect(files.length).toBeGreaterThanOrEqual(52);
});
