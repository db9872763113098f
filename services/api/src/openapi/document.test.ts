import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { createOpenApi } from './document.ts';
import { asObject, type Json, type JsonObject } from './json.ts';
import { offered } from './offered.ts';

const document = createOpenApi(offered);
const operations = Object.entries(asObject(document.paths)).flatMap(([path, item]) =>
  Object.entries(asObject(item)).map(([method, operation]) => ({ path, method, operation: asObject(operation) })),
);

const api = await startApi();
afterAll(() => api.stop());

describe.each([
  { file: 'openapi.json', path: '/openapi.json', part: 'whole' },
  { file: 'openapi-sdk.json', path: '/openapi/sdk.json', part: 'sdk' },
] as const)('docs/$file', ({ file, path, part }) => {
  const generated = createOpenApi(offered, part);

  test('is what the rows generate (`npm run openapi:generate` writes it)', () => {
    const kept = readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8');
    expect(JSON.parse(kept)).toEqual(generated);
  });

  test('is valid OpenAPI 3.1, and every reference in it resolves', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(generated))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    for (const reference of referencesIn(generated))
      expect([reference, at(generated, reference)]).toEqual([reference, expect.anything()]);
  });

  test('is answered by the service, without a credential', async () => {
    const reply = await request(api.app).get(path);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(reply.body).toEqual(generated);
  });
});

test('a request body has no unknown field, at any depth; an answer may gain fields, so its schemas are open', () => {
  const schemas = Object.entries(asObject(asObject(document.components).schemas));
  const closed = schemas.filter(([, schema]) => asObject(schema).additionalProperties === false).map(([name]) => name);
  const bodies = operations.flatMap(({ operation }) => {
    const { schema } = asObject(asObject(asObject(operation.requestBody).content)['application/json']);
    return String(asObject(schema).$ref ?? '')
      .split('/')
      .slice(-1);
  });
  const named = bodies.filter((name) => name !== '');
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((name) => !closed.includes(name))).toEqual([]);
  expect(closed).toEqual(expect.arrayContaining(['BatchEvent', 'EndpointToPromote', 'RetryDeliveriesBodyFilter']));
  const answers = schemas.map(([name]) => name).filter((name) => /Answer$|Page$/.test(name));
  expect([...answers, 'Endpoint', 'EndpointConfig', 'PortalTheme'].filter((name) => closed.includes(name))).toEqual([]);
});

test('each operation that reads its query documents 400: an unknown parameter is refused', () => {
  const strict = operations.filter(({ path }) => path.startsWith('/api/') || path.startsWith('/management/'));
  expect(strict.length).toBeGreaterThan(100);
  const without = strict.filter(({ operation }) => asObject(operation.responses)['400'] === undefined);
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('each operation has its own id, a summary, a description and its errors', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, method, operation } of operations) {
    const described = [operation.summary, operation.description].every(
      (words) => typeof words === 'string' && words !== '',
    );
    expect([method, path, described]).toEqual([method, path, true]);
    const codes = Object.keys(asObject(operation.responses));
    if (operation.tags !== undefined && path.startsWith('/api'))
      expect(codes).toEqual(expect.arrayContaining(['500', '503']));
  }
});

test.each([
  ['createEndpoint', '409', 'external_id_taken'],
  ['updateEndpoint', '409', 'external_id_taken'],
  ['createApplicationEndpoint', '409', 'external_id_taken'],
  ['testEndpoint', '409', 'endpoint_inactive'],
  ['getDashboardEndpoint', '403', 'second_factor_required'],
])('%s documents %s with %s', (operationId, status, code) => {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  const { $ref } = asObject(asObject(found?.operation.responses)[status]);
  expect(asObject(at(document, String($ref))).description).toContain(`\`${code}\``);
});

test('a page size and a page number have their defaults', () => {
  const defaults = operations.flatMap(({ operation }) =>
    (Array.isArray(operation.parameters) ? operation.parameters.map(asObject) : [])
      .filter(({ name, in: place }) => place === 'query' && (name === 'limit' || name === 'page'))
      .map(({ name, schema }) => [operation.operationId, name, asObject(schema)] as const)
      // Without a limit such a list is answered in full.
      .filter(([, , { description }]) => !String(description).includes('whole array'))
      .map(([operationId, name, schema]) => [operationId, name, schema.default]),
  );
  expect(defaults).toContainEqual(['listEvents', 'limit', 50]);
  expect(defaults).toContainEqual(['listAuditLogs', 'page', 1]);
  expect(defaults.filter(([, , value]) => value === undefined)).toEqual([]);
});

test('each operation with a body has an example', () => {
  const without = operations.filter(({ operation }) => {
    const content = asObject(asObject(operation.requestBody).content);
    return operation.requestBody !== undefined && asObject(content['application/json']).example === undefined;
  });
  expect(without.map(({ operation }) => operation.operationId)).toEqual([]);
});

describe('the service answers every documented operation', () => {
  test.each(operations.map(({ path, method, operation }) => [method, path, operation] as const))(
    '%s %s',
    async (method, path, operation) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, 'x');
      const reply = await send(method, filled);
      const open = Array.isArray(operation.security) && operation.security.length === 0;
      if (open) expect(Object.keys(asObject(operation.responses))).toContain(String(reply.status));
      else expect([reply.status, reply.body.error?.code]).toEqual([401, 'unauthorized']);
      // Another method on the same path is 405, and the answer names the documented methods.
      const other = await send('propfind', filled);
      expect(other.status).toBe(405);
      expect(other.headers.allow?.split(', ')).toContain(method.toUpperCase());
    },
  );
});

function send(method: string, path: string) {
  const agent = request(api.app);
  switch (method) {
    case 'post':
      return agent.post(path);
    case 'put':
      return agent.put(path);
    case 'patch':
      return agent.patch(path);
    case 'delete':
      return agent.delete(path);
    case 'propfind':
      return agent.propfind(path);
    default:
      return agent.get(path);
  }
}

function referencesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

function at(document: JsonObject, reference: string): Json | undefined {
  const steps = reference.slice(2).split('/');
  return steps.reduce<Json | undefined>((value, step) => asObject(value)[step], document);
}
