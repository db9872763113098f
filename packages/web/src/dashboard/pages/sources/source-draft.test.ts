import { expect, test } from '@jest/globals';
import type { Source } from '../../../client/resources.ts';
import { rebasedSource, sourceBody, sourceDraft } from './source-draft.ts';

const CONFIG: Source['config'] = {
  ...{ brokers: ['a.example:9093', 'b.example:9093'], tls: true, saslMechanism: 'scram-sha-512', topics: ['orders'] },
  ...{ start: 'earliest', eventType: { pointer: '/meta/type' }, data: { pointer: '/data' } },
  ...{ application: { header: 'customer' }, orderingKey: 'key', idempotencyKey: { header: 'id' } },
  ...{ contentType: 'application/json', tombstones: 'send', onError: 'stop' },
};

test('the form of a source gives its config back, and no credentials', () => {
  expect(sourceBody(sourceDraft({ name: 'Orders', config: CONFIG }))).toEqual({ name: 'Orders', config: CONFIG });
});

test('what is left empty is left out', () => {
  const draft = { ...sourceDraft(), name: ' Orders ', eventType: { by: 'fixed', text: ' order.read ' } as const };
  expect(
    sourceBody({ ...draft, config: { ...draft.config, brokers: 'a.example\n\n b.example', topics: 'orders' } }),
  ).toEqual({
    name: 'Orders',
    config: {
      ...{ brokers: ['a.example', 'b.example'], topics: ['orders'], start: 'latest', tls: true, saslMechanism: 'none' },
      ...{ eventType: { fixed: 'order.read' }, orderingKey: null, contentType: 'application/json' },
      ...{ tombstones: 'skip', onError: 'reject' },
    },
  });
});

test('a typed credential replaces, null removes, and an empty field stays', () => {
  const draft = sourceDraft();
  const credentials = { ...draft.credentials, username: 'posthorn', clientKey: null };
  expect(sourceBody({ ...draft, credentials }).credentials).toEqual({ username: 'posthorn', clientKey: null });
});

test('a part that was not typed stays as somebody else has changed it meanwhile', () => {
  const start = sourceDraft({ name: 'Orders', config: CONFIG });
  const draft = { ...start, eventType: { by: 'header', text: 'type' } as const, isOrdered: false };
  const now = { name: 'Sales', config: { ...CONFIG, topics: ['sales'], data: { pointer: '/body' } } };
  expect(sourceBody(rebasedSource(draft, start, now))).toEqual({
    name: 'Sales',
    config: { ...now.config, eventType: { header: 'type' }, orderingKey: null },
  });
});
