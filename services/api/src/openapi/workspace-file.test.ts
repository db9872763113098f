import { expect, test } from '@jest/globals';
import { createOpenApi } from './document.ts';
import { asObject } from './json.ts';
import { offered } from './offered.ts';

// A workspace file takes what the interface takes: a field of an operation that the file lacks could not be kept in
// version control. Each exception names the field of the file that stands for it.

const schemas = asObject(asObject(createOpenApi(offered, 'whole').components).schemas);
const fieldsOf = (...names: string[]) =>
  names.flatMap((name) => Object.keys(asObject(asObject(schemas[name]).properties)));

test.each([
  {
    item: 'DocumentEndpoint',
    bodies: ['CreateEndpointBody', 'UpdateEndpointBody'],
    instead: { environmentId: 'environment', applicationId: 'application', eventTypePatterns: 'eventTypes' },
    beside: ['destination'],
  },
  {
    item: 'DocumentEventType',
    bodies: ['CreateEventTypeBody', 'UpdateEventTypeBody'],
    instead: {},
    beside: ['publishIn', 'schemaMode'],
  },
  {
    item: 'DocumentSource',
    bodies: ['CreateSourceBody', 'UpdateSourceBody'],
    instead: { environmentId: 'environment' },
    beside: [],
  },
  { item: 'DocumentApplication', bodies: ['CreateApplicationBody', 'UpdateApplicationBody'], instead: {}, beside: [] },
])('$item has every field of $bodies', ({ item, bodies, instead, beside }) => {
  const names = fieldsOf(...bodies).map((name) => (Object.hasOwn(instead, name) ? Reflect.get(instead, name) : name));
  expect([...new Set([...names, ...beside])].sort()).toEqual(fieldsOf(item).sort());
});
