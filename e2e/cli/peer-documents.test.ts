import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { differencesOf, PEER_QUESTIONS } from './peer-documents.ts';

// `PEER_DOCUMENTS=<folder> npm test -- e2e/cli/peer-documents` compares the stubs with the OpenAPI documents in the
// folder (`svix.json`, `convoy.yaml` and so on), as the services publish them. This repository does not keep them: the
// licences of some do not allow it, and all of them change.

const folder = process.env.PEER_DOCUMENTS;

describe('each stub answers as the OpenAPI document of its service says', () => {
  for (const [peer, questions] of Object.entries(PEER_QUESTIONS)) {
    const file = ['json', 'yaml', 'yml']
      .map((ending) => join(folder ?? '', `${peer}.${ending}`))
      .find((path) => folder !== undefined && existsSync(path));
    const compare = file === undefined ? test.skip : test;
    compare(peer, async () => {
      expect(await differencesOf(parse(readFileSync(file ?? '', 'utf8')), questions)).toEqual([]);
    });
  }
});

const subscription = {
  subscription_id: { type: 'string' },
  event_types: { type: 'array', items: { type: 'string' } },
  is_enabled: { type: 'boolean' },
  description: { type: ['string', 'null'] },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  metadata: { type: 'object' },
  target: {
    allOf: [
      { $ref: '#/components/schemas/Target' },
      { type: 'object', properties: { headers: {}, url: { type: 'string' } }, additionalProperties: false },
    ],
  },
};
const type = { type: 'object', properties: { event_type_name: { type: 'integer' } }, required: ['id'] };

const answerOf = (schema: object, ...names: string[]) => ({
  parameters: names.map((name) => ({ in: 'query', name })),
  responses: { '200': { content: { 'application/json': { schema: { type: 'array', items: schema } } } } },
});

test('a comparison tells of fields, types, values and parameters that the document does not have', async () => {
  const document = {
    paths: {
      '/api/v1/event_types/': { get: answerOf(type) },
      '/api/v1/subscriptions/': {
        get: answerOf({ type: 'object', properties: subscription, additionalProperties: false }, 'application_id'),
      },
    },
    components: { schemas: { Target: { properties: { type: { enum: ['http'] }, method: { enum: ['POST'] } } } } },
  };
  const found = await differencesOf(document, PEER_QUESTIONS.hook0 as (typeof PEER_QUESTIONS)[string]);
  expect(found.filter((line) => !line.includes('[1]'))).toEqual(
    expect.arrayContaining([
      'GET /api/v1/event_types/ takes no application_id',
      'GET /api/v1/event_types/: [0].id is missing',
      'GET /api/v1/event_types/: [0].event_type_name is "billing.invoice.paid", and not integer',
      'GET /api/v1/subscriptions/: [0].secret is not in the document',
      'GET /api/v1/subscriptions/: [5].target.method is "PUT", and not one of POST',
    ]),
  );
  const fields = [
    'application_id',
    'label_key',
    'label_value',
    'dedicated_workers',
    'created_at',
    'updated_at',
    'secret',
  ];
  const told = found.filter((line) => line.startsWith('GET /api/v1/subscriptions/: [0]'));
  expect(told.sort()).toEqual(
    fields.map((field) => `GET /api/v1/subscriptions/: [0].${field} is not in the document`).sort(),
  );
});
