import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
let endpointId: string;
let eventTypeId: string;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  endpointId = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  eventTypeId = (await call('post', '/event-types', { name: 'order.created' })).body.id;
});

const large = { 'data.amount': { gte: 100 }, or: [{ 'data.currency': ['EUR', 'USD'] }, { not: { vip: false } }] };
const subscriptions = async () => (await call('get', `/endpoints/${endpointId}/subscriptions`)).body;
const subscribe = (body: object) => call('post', `/endpoints/${endpointId}/subscriptions`, body);
const change = (filter: unknown) => call('patch', `/endpoints/${endpointId}/subscriptions/${eventTypeId}`, { filter });
const entries = async () => {
  const where = { workspaceId: uuidOf('ws', workspace.workspaceId), resourceType: 'subscription' };
  return api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
};

describe('a subscription', () => {
  test('keeps its filter as it was given, and shows it', async () => {
    expect((await subscribe({ eventTypeIds: [eventTypeId], filter: large })).body).toEqual({ subscribed: 1 });
    expect(await subscriptions()).toMatchObject([{ eventTypeId, filter: large }]);
    expect(Object.keys((await subscriptions())[0].filter)).toEqual(['data.amount', 'or']);
  });

  test('has no filter unless one is given', async () => {
    await subscribe({ eventTypeIds: [eventTypeId], filter: null });
    expect(await subscriptions()).toMatchObject([{ filter: null }]);
  });

  test('that exists keeps its filter when it is subscribed again', async () => {
    await subscribe({ eventTypeIds: [eventTypeId], filter: large });
    expect((await subscribe({ eventTypeIds: [eventTypeId], filter: { a: 1 } })).body).toEqual({ subscribed: 0 });
    expect(await subscriptions()).toMatchObject([{ filter: large }]);
  });

  test('gets another filter, or none, each with an audit entry; a no-op leaves none', async () => {
    await subscribe({ eventTypeIds: [eventTypeId], filter: large });
    const changed = await change({ a: 1 });
    expect([changed.status, changed.body]).toMatchObject([200, { eventTypeId, filter: { a: 1 } }]);
    expect((await change({ a: 1 })).body.filter).toEqual({ a: 1 });
    expect((await change(null)).body.filter).toBeNull();
    expect(await subscriptions()).toMatchObject([{ filter: null }]);
    expect((await entries()).map(({ action }) => action)).toEqual([
      'subscription.created',
      'subscription.updated',
      'subscription.updated',
    ]);
  });

  test('that does not exist is not found', async () => {
    expect((await change({ a: 1 })).body.error).toEqual({ code: 'not_found', message: 'Subscription not found' });
  });

  test.each<[unknown, string]>([
    [{ 'data.amount': { gte: true } }, 'filter.data.amount.gte must be a number or a string'],
    [{}, 'filter must have at least one condition'],
    [[], 'filter must be an object'],
    ['x', 'filter must be an object'],
    [
      { or: [{ a: { near: 1 } }] },
      'filter.or[0].a.near is not an operator: use eq, ne, in, gt, gte, lt, lte, exists, startsWith, endsWith, contains',
    ],
  ])('is not changed by a bad filter: %j', async (filter, message) => {
    const refused = { error: { code: 'validation_error', message } };
    const first = await subscribe({ eventTypeIds: [eventTypeId], filter });
    expect([first.status, first.body]).toMatchObject([400, refused]);
    expect(await subscriptions()).toEqual([]);
    await subscribe({ eventTypeIds: [eventTypeId], filter: large });
    expect((await change(filter)).body).toMatchObject(refused);
    expect(await subscriptions()).toMatchObject([{ filter: large }]);
  });

  test('refuses a filter of 9,000 levels, wherever one is given', async () => {
    const deep = `${'{"not":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    const refused = { code: 'validation_error', message: 'filter is nested too deeply' };
    const asked = [
      await call(
        'post',
        `/endpoints/${endpointId}/subscriptions`,
        `{"eventTypeIds":["${eventTypeId}"],"filter":${deep}}`,
      ),
      await call('patch', `/endpoints/${endpointId}/subscriptions/${eventTypeId}`, `{"filter":${deep}}`),
      await call('post', '/filters/test', `{"filter":${deep},"payload":1}`),
    ];
    expect(asked.map(({ status, body }) => [status, body.error])).toMatchObject(asked.map(() => [400, refused]));
  });

  test('a patch without a filter is refused', async () => {
    await subscribe({ eventTypeIds: [eventTypeId], filter: large });
    const answer = await call('patch', `/endpoints/${endpointId}/subscriptions/${eventTypeId}`, {});
    expect(answer.body.error).toMatchObject({ code: 'validation_error', message: 'filter is required' });
  });
});

describe('testing a filter', () => {
  const testFilter = (body: object) => call('post', '/filters/test', body);

  test('tells whether a payload matches, and every clause for itself', async () => {
    const payload = { data: { amount: 500, currency: 'CHF' }, vip: false };
    expect((await testFilter({ filter: large, payload })).body).toEqual({
      matches: false,
      clauses: [
        { path: 'data.amount', operator: 'gte', expected: 100, found: 500, holds: true },
        { path: 'data.currency', operator: 'in', expected: ['EUR', 'USD'], found: 'CHF', holds: false },
        { path: 'vip', operator: 'eq', expected: false, found: false, holds: true },
      ],
    });
  });

  test('takes any JSON value as payload', async () => {
    for (const payload of [null, 0, '', [], false]) {
      expect((await testFilter({ filter: { a: { exists: false } }, payload })).body.matches).toBe(true);
    }
  });

  test('is done for a workspace one at a time: of many on large payloads, those beyond 40 are rate_limited', async () => {
    const clauses = Array.from({ length: 50 }, (_, n) => ({ text: { contains: `${'a'.repeat(40)}${n}` } }));
    const body = { filter: { or: clauses }, payload: { text: 'a'.repeat(60_000) } };
    const replies = await Promise.all(Array.from({ length: 60 }, () => testFilter(body)));
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(40);
    expect(refused.length).toBe(60 - replies.filter(({ status }) => status === 200).length);
    expect(refused[0]?.body.error).toEqual({
      code: 'rate_limited',
      message: 'Too many tests of filters of this workspace are under way; try again',
    });
    expect(refused[0]?.get('retry-after')).toBe('1');
  });

  test('refuses a request without payload or filter, and a bad filter', async () => {
    expect((await testFilter({ filter: large })).body.error.message).toBe('payload is required');
    expect((await testFilter({ payload: 1 })).body.error.message).toBe('filter is required');
    expect((await testFilter({ filter: null, payload: 1 })).body.error.message).toBe('filter must be an object');
    expect((await testFilter({ filter: { a: {} }, payload: 1 })).body.error.message).toBe(
      'filter.a must have at least one operator',
    );
  });
});
