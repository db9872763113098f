import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generateSdks, leftOver } from './generate.ts';
import type { Type } from './model.ts';
import { readDocument } from './read-document.ts';

test.each([...generateSdks()])('%s is what `npm run sdks:generate` writes', (path, text) => {
  expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
});

test('no generated file is left of a type that is not in the document any more', () => {
  const generated = generateSdks();
  expect(leftOver(generated)).toEqual([]);
  const [[some] = ['']] = [...generated].filter(([path]) => path.endsWith('/Operation.java'));
  expect(leftOver(new Map([...generated].filter(([path]) => path !== some)))).toEqual([some]);
});

test('every signature of TypeScript that an editor shows has its comment', () => {
  const text = readFileSync(new URL('../../typescript/src/resources.ts', import.meta.url), 'utf8');
  const methods = text.split(/\n(?= {2}[a-z]\w*\()/);
  expect(methods.length).toBeGreaterThan(100);
  const nameOf = (method: string) => method.slice(2, method.indexOf('('));
  const isOverload = (method: string) => method[method.search(/[;{]$/m)] === ';';
  const hidden = new Set(['constructor', ...methods.filter(isOverload).map(nameOf)]);
  const bare = methods.filter((_, n) => n > 0 && !methods[n - 1]?.endsWith('*/'));
  expect(bare.filter((method) => isOverload(method) || !hidden.has(nameOf(method)))).toEqual([]);
});

/** The fields in which the API takes or returns any JSON. */
const ANY_JSON = new Set([
  ...['data', 'payload', 'example', 'schema', 'configSchema', 'credentialsSchema', 'filter', 'acknowledgement'],
  // The arguments of an agent's subscription, as the agent sent them.
  'arguments',
  // In a comparison of two states: the value of any field.
  ...['from', 'to', 'expected', 'found'],
]);

test('a value is of any type only where the interface takes or answers any JSON', () => {
  const document = JSON.parse(readFileSync(new URL('../../../docs/openapi-sdk.json', import.meta.url), 'utf8'));
  const isAny = (type: Type): boolean =>
    type.kind === 'json' || (type.kind === 'list' && isAny(type.item)) || (type.kind === 'map' && isAny(type.value));
  const fields = readDocument(document).types.flatMap((type) =>
    type.kind === 'object' ? type.fields.map((field) => ({ ...field, place: `${type.name}.${field.name}` })) : [],
  );
  expect(fields.length).toBeGreaterThan(500);
  expect(fields.filter(({ name, type }) => isAny(type) && !ANY_JSON.has(name)).map(({ place }) => place)).toEqual([]);
});

const operation = (more: object) => ({
  paths: {
    '/management/v1/workspaces/{workspaceId}/things': {
      get: {
        operationId: 'listThings',
        'x-sdk': { resource: 'things', method: 'list' },
        tags: ['Things'],
        summary: 'List things',
        security: [{ managementToken: ['read'] }],
        responses: {},
        ...more,
      },
    },
  },
  components: { schemas: {} },
});

test('an operation without its name in the libraries is an error that says where it stands', () => {
  expect(() => readDocument(operation({ 'x-sdk': undefined }))).toThrow('get /management/v1/workspaces/');
});

test('a type that the model has no word for is an error, not a wrong type', () => {
  const schema = { oneOf: [{ type: 'string' }, { type: 'object', properties: {} }] };
  const parameters = [{ name: 'size', in: 'query', schema }];
  expect(() => readDocument(operation({ parameters }))).toThrow('a type with alternatives');
});
