import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from './document.ts';
import { asObject, type Json, type JsonObject } from './json.ts';
import { isNamed } from './json-schema.ts';
import { offered } from './offered.ts';

// Client generators take the names of types, methods and groups from the document. A new operation keeps these rules by
// itself where it can. Each failure names the operation, schema or tag and the rule that it breaks.

/** The first word of an operation's id. */
const VERBS = new Set(
  'accept ack add apply approve cancel change check compare confirm count create decline delete diagnose diff end extend finish get index ingest lease list login logout nack pause precheck preview probe promote receive recover refuse reinvite remove renew reset restore resume retry rotate search seek send set simulate start stop stream subscribe test trace unsubscribe update upsert validate verify watch'.split(
    ' ',
  ),
);

describe.each(['whole', 'sdk'] as const)('the %s document', (part) => {
  const document = createOpenApi(offered, part);
  const paths = Object.entries(asObject(document.paths));
  const operations = [...paths, ...Object.entries(asObject(document.webhooks))].flatMap(([path, item]) =>
    Object.values(asObject(item)).map((operation) => ({ path, ...wordsOf(asObject(operation)) })),
  );
  const components = asObject(document.components);
  const schemas = asObject(components.schemas);

  test('an operation’s id is a verb and a noun, in camel case', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z0-9]*)+$/.test(id))).toEqual([]);
    expect(ids.filter((id) => !VERBS.has(id.slice(0, id.search(/[A-Z]/))))).toEqual([]);
  });

  test('each operation has a name in the client libraries, and no two have the same', () => {
    const called = paths.flatMap(([, item]) => Object.values(asObject(item)).map(asObject));
    const names = called.map((operation) => {
      const { resource, method } = asObject(operation['x-sdk']);
      return `${resource}.${method}`;
    });
    expect(names.filter((name) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(name))).toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('each body and each answer is a named schema or a list of one; a payload is any value', () => {
    const unnamed = operations.flatMap(({ operationId, operation }) =>
      jsonSchemasOf(operation, components)
        .filter(({ schema }) => !isNamed(schema) && schema.description !== 'Any JSON value.')
        .map(({ place }) => `${operationId}: ${place}`),
    );
    expect(unnamed).toEqual([]);
  });

  test('a schema inside another has a name of its own when it has fields', () => {
    const inline = Object.entries(schemas).flatMap(([name, schema]) => objectsInside(asObject(schema), name));
    expect(inline).toEqual([]);
  });

  test('no schema uses a form that generators refuse', () => {
    const refused = placesOf(document, 'document', (schema) => {
      const types = Array.isArray(schema.type) ? schema.type : [];
      const otherThanNull = types.filter((type) => type !== 'null');
      return schema.type === 'null' || 'const' in schema || 'allOf' in schema || otherThanNull.length > 1;
    });
    // Generators do not read fields that begin with `x-`.
    expect(refused.filter((place) => !/\.anyOf\[1\]$|\.x-forms\./.test(place))).toEqual([]);
  });

  test('no additionalProperties stands beside a reference: it would hold for the same value', () => {
    const beside = placesOf(document, 'document', (schema) => '$ref' in schema && 'additionalProperties' in schema);
    expect(beside).toEqual([]);
  });

  test('a union is a named schema or a map, or null', () => {
    const unions = placesOf(document, 'document', ({ anyOf, oneOf }) => {
      if (oneOf !== undefined) return true;
      if (!Array.isArray(anyOf)) return anyOf !== undefined;
      const [value, none] = anyOf.map(asObject);
      return anyOf.length !== 2 || (value?.$ref ?? value?.additionalProperties) === undefined || none?.type !== 'null';
    });
    // Generators do not read extensions.
    expect(unions.filter((place) => !place.includes('.x-'))).toEqual([]);
  });

  test('every schema is used', () => {
    const text = JSON.stringify(document);
    expect(Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  test('every error is the one error schema', () => {
    const responses = Object.entries(asObject(components.responses));
    expect(responses.length).toBeGreaterThan(5);
    for (const [name, response] of responses) {
      const content = asObject(asObject(asObject(response).content)['application/json']);
      expect([name, content.schema]).toEqual([name, { $ref: '#/components/schemas/ErrorBody' }]);
    }
  });

  test('a list in an answer can be read in pages, with a Link to the next, but for searches, whose cursor is in their body, and the few kinds of endpoints and your invitations, at most 100', () => {
    const lists = operations.filter(
      ({ operation, operationId }) =>
        answerOf(operation, schemas) === 'list' && !/^search|(EndpointTypes|OwnInvitations)$/.test(operationId),
    );
    expect(lists.length).toBeGreaterThan(8);
    const whole = lists.filter(({ operation }) => {
      const names = parametersOf(operation).map(({ name }) => name);
      const headers = asObject(successOf(operation).headers);
      return !names.includes('limit') || !names.includes('cursor') || headers.Link === undefined;
    });
    expect(whole.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('each operation has one tag, and each tag is described (openapi/tags.ts)', () => {
    const tags = Array.isArray(document.tags) ? document.tags.map(asObject) : [];
    expect(tags.filter(({ description }) => String(description).trim() === '').map(({ name }) => name)).toEqual([]);
    const names = tags.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const untagged = operations.filter(({ operation }) => {
      const [tag, ...more] = Array.isArray(operation.tags) ? operation.tags : [];
      return more.length > 0 || tag === undefined || !names.includes(tag);
    });
    expect(untagged.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('no group of the reference page has the name of a tag: the page would recur for ever', () => {
    const namesIn = (list: unknown) => (Array.isArray(list) ? list.map((one) => asObject(one).name) : []);
    const groups = namesIn(document['x-tagGroups']);
    expect(groups.length).toBeGreaterThan(2);
    expect(groups.filter((name) => namesIn(document.tags).includes(name))).toEqual([]);
  });

  test('numbers and flags in a query are numbers and flags', () => {
    const types = { limit: 'integer', page: 'integer', is_active: 'boolean' };
    for (const { operationId, operation } of operations) {
      for (const parameter of parametersOf(operation)) {
        const wanted = Object.entries(types).find(([name]) => name === parameter.name)?.[1];
        const type = asObject(parameter.schema).type;
        if (wanted !== undefined)
          expect([operationId, parameter.name, type]).toEqual([operationId, parameter.name, wanted]);
      }
    }
  });
});

test('the sdk document has each operation of programs once, and none of the people’s interfaces', () => {
  const paths = Object.keys(asObject(createOpenApi(offered, 'sdk').paths));
  const whole = Object.keys(asObject(createOpenApi(offered).paths));
  const ofPrograms = /^\/management\/v1\/|^\/api\/ingest\/|^\/api\/pull\//;
  expect(paths).toEqual(whole.filter((path) => ofPrograms.test(path)));
});

test('the sdk document has nothing for which a generator leaves an operation out or makes a program that fails', () => {
  const { info, paths } = createOpenApi(offered, 'sdk');
  expect(asObject(info).title).toBe('Posthorn');
  const operations = Object.values(asObject(paths)).flatMap((item) => Object.values(asObject(item)).map(asObject));
  for (const { operationId, parameters = [], requestBody = {} } of operations) {
    const headers = (parameters as JsonObject[]).filter((parameter) => parameter.in === 'header');
    const formats = headers.map(({ schema }) => asObject(schema).format);
    expect([operationId, formats.filter((format) => format !== undefined)]).toEqual([operationId, []]);
    const types = Object.keys(asObject(asObject(requestBody).content ?? {}));
    expect([operationId, types.length]).toEqual([operationId, Math.min(types.length, 1)]);
  }
});

test.each(['whole', 'sdk'] as const)(
  'no schema of the %s document has two fields whose names are one in a language that renames fields',
  (part) => {
    const schemas = Object.entries(asObject(asObject(createOpenApi(offered, part).components).schemas));
    const twice = schemas.flatMap(([name, schema]) => {
      const fields = Object.keys(asObject(asObject(schema).properties)).map((field) => field.replaceAll('_', ''));
      const plain = fields.map((field) => field.toLowerCase());
      return fields
        .filter((field, index) => plain.indexOf(field.toLowerCase()) !== index)
        .map((field) => [name, field]);
    });
    expect(twice).toEqual([]);
  },
);

test('the conventions name every list that is an array', () => {
  const arrays = Object.values(asObject(createOpenApi(offered, 'sdk').paths))
    .flatMap((item) => Object.values(asObject(item)).map(asObject))
    .filter(({ responses }) => {
      const { content } = asObject(asObject(responses)['200']);
      return asObject(asObject(asObject(content)['application/json']).schema).type === 'array';
    })
    .map(({ operationId }) => String(operationId));
  const text = readFileSync(new URL('../../../../docs/interface/conventions.md', import.meta.url), 'utf8');
  const sentence = text.slice(text.indexOf('These lists are arrays'), text.indexOf('The client libraries\n'));
  const named = [...sentence.matchAll(/`(list\w+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(arrays.sort());
});

test('the names in the client libraries are resource and method', () => {
  const operations = Object.values(asObject(createOpenApi(offered, 'sdk').paths)).flatMap((item) =>
    Object.values(asObject(item)).map(asObject),
  );
  const named = Object.fromEntries(
    operations.map((operation) => [operation.operationId, Object.values(asObject(operation['x-sdk'])).join('.')]),
  );
  expect(named).toMatchObject({
    ingestEvent: 'events.send',
    ingestBatch: 'events.sendBatch',
    listEndpoints: 'endpoints.list',
    createEndpoint: 'endpoints.create',
    subscribeEndpoint: 'endpoints.subscribe',
    recoverEndpoint: 'endpoints.recover',
    rotateApiKey: 'apiKeys.rotate',
    listEventTypeVisibility: 'eventTypes.listVisibility',
    getStats: 'stats.get',
    listAttempts: 'deliveries.listAttempts',
    retryDelivery: 'deliveries.retry',
  });
});

test('a portal operation’s description names nothing that a portal session does not have', () => {
  const rows = offered.portal.filter((row) => row.tag !== 'Portal');
  const words = rows.map((row) => [row.operationId, row.portalDescription ?? row.description] as const);
  const foreign = words.filter(([, text]) =>
    /workspace|application|environment|management|\bscope|\brole\b/i.test(text),
  );
  expect(foreign).toEqual([]);
});

function wordsOf(operation: JsonObject) {
  return { operation, operationId: String(operation.operationId) };
}

function successOf(operation: JsonObject): JsonObject {
  const entry = Object.entries(asObject(operation.responses)).find(([status]) => /^2\d\d$/.test(status));
  return asObject(entry?.[1]);
}

function answerOf(operation: JsonObject, schemas: JsonObject): 'list' | 'other' {
  const { schema } = asObject(asObject(successOf(operation).content)['application/json']);
  const { type, $ref } = asObject(schema);
  if (type === 'array') return 'list';
  const { properties } = asObject(schemas[String($ref).split('/').at(-1) ?? '']);
  return 'nextCursor' in asObject(properties) ? 'list' : 'other';
}

function parametersOf(operation: JsonObject): JsonObject[] {
  return Array.isArray(operation.parameters) ? operation.parameters.map(asObject) : [];
}

/** The JSON schemas of an operation's body and answers. */
function jsonSchemasOf(operation: JsonObject, components: JsonObject): { place: string; schema: JsonObject }[] {
  const places: [string, Json | undefined][] = [
    ['the body', asObject(operation.requestBody).content],
    ...Object.entries(asObject(operation.responses)).map(([status, response]): [string, Json | undefined] => {
      const { $ref, content } = asObject(response);
      if (typeof $ref !== 'string') return [`the answer ${status}`, content];
      return [`the answer ${status}`, asObject(asObject(components.responses)[$ref.split('/').at(-1) ?? '']).content];
    }),
  ];
  return places.flatMap(([place, content]) => {
    const json = asObject(content)['application/json'];
    return json === undefined ? [] : [{ place, schema: asObject(asObject(json).schema) }];
  });
}

function objectsInside(schema: JsonObject, name: string): string[] {
  return placesOf(schema, name, (inner) => inner !== schema && inner.properties !== undefined);
}

const NOT_READ_BY_GENERATORS = ['example', 'examples', 'not'];

/** The places of the objects for which `is` holds. */
function placesOf(value: Json, place: string, is: (schema: JsonObject) => boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => placesOf(one, `${place}[${index}]`, is));
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).filter(([key]) => !NOT_READ_BY_GENERATORS.includes(key));
  return [...(is(value) ? [place] : []), ...inner.flatMap(([key, one]) => placesOf(one, `${place}.${key}`, is))];
}
