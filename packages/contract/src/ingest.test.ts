import { expect, test } from '@jest/globals';
import { isJsonType } from './ingest.ts';

test.each([
  'application/json',
  'Application/JSON; charset=utf-8',
  'application/json\t; charset=utf-8',
  ' \tapplication/json \t',
  'application/cloudevents+json;charset=utf-8',
  'application/foo!bar+json',
  'application/a#b$c&d^e_f.g+json',
  'model/gltf+json',
  'image/x+json',
])('docs/interface.md, Ingestion request: %j is JSON', (contentType) => {
  expect(isJsonType(contentType)).toBe(true);
});

test.each([
  undefined,
  '',
  'json',
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/json5',
  'application/x-json',
  'application/+json',
  '+json',
  'a b/c+json',
  'a/b/c+json',
  'text/plain; note=+json',
  'application/json, text/plain',
  'application/json\u00a0',
])('docs/interface.md, Ingestion request: %j is not JSON', (contentType) => {
  expect(isJsonType(contentType)).toBe(false);
});
