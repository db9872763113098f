import { expect, test } from '@jest/globals';
import type { Operation } from '../../../client/resources.ts';
import { targetOf } from './operation-target.ts';

const operation: Operation = {
  id: 'op_1',
  type: 'recovery',
  status: 'running',
  endpointId: 'ep_1',
  filter: {},
  matched: null,
  enqueued: 0,
  delivered: 0,
  failed: 0,
  error: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
  pausedAt: null,
  finishedAt: null,
};

test('a recovery is named by its endpoint, its mode and its range', () => {
  const filter = { since: '2026-11-21T09:30:00.000Z', mode: 'failed', eventTypes: ['a.b', 'c.d'] };
  const url = 'https://example.com/hooks';
  const endpoints = new Map([['ep_1', { type: 'webhook', target: url }]]);
  expect(targetOf({ ...operation, filter }, endpoints)).toBe(
    'https://example.com/hooks · failed · since 2026-11-21 09:30 UTC · a.b, c.d',
  );
});

test('a recovery for a broker is named by the target that the list of endpoints shows', () => {
  const broker = { type: 'sqs', target: 'sqs orders' };
  expect(targetOf(operation, new Map([['ep_1', broker]]))).toBe('sqs orders');
});

test('a bulk without an endpoint is named by its filter', () => {
  const filter = { environment_id: 'env_1', status: 'dead_letter', event_type: 'a.b' };
  expect(targetOf({ ...operation, endpointId: null, filter }, new Map())).toBe('dead letter · a.b');
});

test('an erasure names its customer', () => {
  const filter = { applicationId: 'app_01k9zq', eventTypes: ['order.created'], from: null, to: null };
  expect(targetOf({ ...operation, endpointId: null, filter }, undefined)).toBe('customer app_01k9zq · order.created');
});

test('the name of an event type is shown as it is, also with underscores', () => {
  const filter = { statuses: ['dead_letter'], eventTypes: ['user_account.plan_changed'] };
  const target = targetOf({ ...operation, endpointId: null, filter }, undefined);
  expect(target).toBe('user_account.plan_changed · dead letter');
});
