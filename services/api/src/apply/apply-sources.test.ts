import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

// A document, and a promotion, carry sources.

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

const apply = (sources: object[], options: object = {}) =>
  call('post', '/apply', { document: { version: 1, sources }, ...options });

const CONFIG = {
  brokers: ['127.0.0.1:9093'],
  saslMechanism: 'plain',
  topics: ['orders'],
  eventType: { header: 'type' },
};
const orders = (more: object = {}) => ({
  ...{ externalId: 'orders', environment: 'production', name: 'Orders', config: CONFIG },
  credentials: { username: 'posthorn', password: 'canary-1' },
  ...more,
});

const sources = async () => (await call('get', '/sources')).body.sources;
const changesOf = async (reply: Awaited<ReturnType<typeof apply>>) => {
  expect([codeOf(reply), reply.body.error]).toEqual([200, undefined]);
  return reply.body.changes.map(({ action, key, fields }: { action: string; key: string; fields: object[] }) => [
    ...[action, key],
    fields.map((one) => [Reflect.get(one, 'field'), Reflect.get(one, 'to')]),
  ]);
};

test('a document makes a source, changes nothing the second time, and then only what differs', async () => {
  const [first] = await changesOf(await apply([orders()]));
  expect(first).toEqual([
    'create',
    'orders',
    expect.arrayContaining([
      ['name', 'Orders'],
      ['config.topics', ['orders']],
      ['credentials.password', '[redacted]'],
    ]),
  ]);
  const [made] = await sources();
  expect(made).toMatchObject({ externalId: 'orders', isActive: true, credentialNames: ['password', 'username'] });
  expect(await changesOf(await apply([orders()]))).toEqual([['none', 'orders', []]]);

  const changed = orders({
    isActive: false,
    config: { ...CONFIG, orderingKey: 'key' },
    credentials: { username: 'posthorn', password: 'canary-2' },
  });
  const wanted = [
    ...[
      ['isActive', false],
      ['config.orderingKey', 'key'],
    ],
    ['credentials.password', '[redacted]'],
  ];
  expect(await changesOf(await apply([changed], { dryRun: true }))).toEqual([['update', 'orders', wanted]]);
  expect(await sources()).toEqual([made]);
  expect(await changesOf(await apply([changed]))).toEqual([['update', 'orders', wanted]]);
  const [after] = await sources();
  expect(after).toMatchObject({ id: made.id, isActive: false, credentialNames: ['password', 'username'] });
  const { body: audited } = await call('get', '/audit-logs');
  expect(JSON.stringify(audited)).toContain('source.created');
  expect(JSON.stringify(audited)).not.toContain('canary');
});

test('a document without credentials leaves them; other brokers drop them, so they must be given again', async () => {
  await apply([orders()]);
  const { credentials: _left, ...bare } = orders({ name: 'All orders' });
  expect(await changesOf(await apply([bare]))).toEqual([['update', 'orders', [['name', 'All orders']]]]);
  const [{ credentialNames }] = await sources();
  expect(credentialNames).toEqual(['password', 'username']);
  const moved = { ...bare, config: { ...CONFIG, brokers: ['127.0.0.1:9094'] } };
  const refused = await apply([moved]);
  expect([codeOf(refused), refused.body.error?.details?.[0]?.field]).toEqual([
    'validation_error',
    expect.stringMatching(/^document\.sources\[0\]\.credentials/),
  ]);
  expect((await apply([orders(moved)])).status).toBe(200);
});

test('without an externalId, a source is known by its id; prune removes what the list does not name', async () => {
  const named = await call('post', '/sources', {
    name: 'a',
    externalId: 'other',
    config: { ...CONFIG, saslMechanism: 'none' },
  });
  const { id } = (await call('post', '/sources', { name: 'b', config: { ...CONFIG, saslMechanism: 'none' } })).body;
  const document = {
    externalId: id,
    environment: 'production',
    name: 'b',
    config: { ...CONFIG, saslMechanism: 'none' },
  };
  expect(await changesOf(await apply([document]))).toEqual([['none', id, []]]);
  expect(await changesOf(await apply([document], { prune: true }))).toEqual([
    ['remove', 'other', [['name', null]]],
    ['none', id, []],
  ]);
  expect((await call('get', `/sources/${named.body.id}`)).status).toBe(404);
  expect((await sources()).map((one: { id: string }) => one.id)).toEqual([id]);
});

test.each([
  [{ environment: 'nowhere' }, 'document.sources[0].environment', 'must be the slug of an environment'],
  [
    { config: { ...CONFIG, brokers: ['10.0.0.1'] } },
    'document.sources[0].config.brokers[0]',
    'must not point to a private or reserved address',
  ],
  [{ credentials: {} }, 'document.sources[0].credentials.username', 'is required'],
])('%j is refused, and nothing is changed', async (more, field, words) => {
  const reply = await apply([orders(more)]);
  expect([codeOf(reply), reply.body.error?.details?.[0]]).toEqual([
    'validation_error',
    expect.objectContaining({ field, message: expect.stringContaining(words) }),
  ]);
  expect(await sources()).toEqual([]);
});

test('a source that a document names twice is refused', async () => {
  const reply = await apply([orders(), orders()]);
  expect(reply.body.error?.details?.[0]?.field).toBe('document.sources[1].externalId');
});

test('an externalId is unique in its environment', async () => {
  const body = { name: 'a', externalId: 'orders', config: { ...CONFIG, saslMechanism: 'none' } };
  expect((await call('post', '/sources', body)).status).toBe(201);
  expect(codeOf(await call('post', '/sources', body))).toBe('external_id_taken');
  const { id } = (await call('post', '/sources', { ...body, externalId: 'other' })).body;
  expect(codeOf(await call('patch', `/sources/${id}`, { externalId: 'orders' }))).toBe('external_id_taken');
  expect((await call('patch', `/sources/${id}`, { externalId: null })).body.externalId).toBeNull();
});

test('a promotion carries what a record means, and leaves brokers, topics and credentials', async () => {
  const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  const promote = (body: object) => call('post', `/environments/${workspace.environmentId}/promote/${staging}`, body);
  const { id: sourceId } = (await call('post', '/sources', { ...orders(), environment: undefined })).body;
  const missing = await promote({ sources: [{ sourceId }] });
  expect(missing.body.error?.message).toBe('sources[0].place is required, because the source is new');
  const far = await promote({ sources: [{ sourceId, place: { brokers: ['10.0.0.1'], topics: ['a'] } }] });
  expect(far.body.error?.details?.[0]?.field).toBe('sources[0].place.brokers[0]');

  const place = { brokers: ['127.0.0.1:9999'], topics: ['orders-staging'], start: 'earliest' };
  const made = await promote({ sources: [{ sourceId, place }] });
  expect([codeOf(made), made.body.applied?.sources]).toEqual([
    200,
    [expect.objectContaining({ change: 'create', sourceId, targetSourceId: expect.stringMatching(/^src_/) })],
  ]);
  const targetId = made.body.applied.sources[0].targetSourceId;
  const target = async () => (await call('get', `/sources/${targetId}`)).body;
  expect(await target()).toMatchObject({
    ...{ name: 'Orders', isActive: false, promotedFrom: sourceId, credentialNames: [], environmentId: staging },
    config: { ...place, saslMechanism: 'none', eventType: { header: 'type' } },
  });
  const again = await promote({ sources: [{ sourceId }] });
  expect([codeOf(again), again.body.applied.sources]).toEqual([200, []]);

  const config = { ...CONFIG, topics: ['orders', 'returns'], eventType: { pointer: '/type' } };
  await call('patch', `/sources/${sourceId}`, { config });
  const { body: diff } = await call('get', `/environments/${workspace.environmentId}/diff/${staging}`);
  expect(diff.sources).toEqual([
    {
      ...{ change: 'update', sourceId, targetSourceId: targetId },
      fields: {
        config: {
          from: expect.objectContaining({ eventType: { header: 'type' } }),
          to: expect.objectContaining({ eventType: { pointer: '/type' }, topics: ['orders-staging'] }),
        },
      },
    },
  ]);
  expect(codeOf(await promote({ sources: [{ sourceId }] }))).toBe(200);
  expect((await target()).config).toMatchObject({ ...place, eventType: { pointer: '/type' } });
  const entries = await api.db.auditEntry.findMany({
    where: { workspaceId: uuidOf('ws', workspace.workspaceId), action: 'environment.promoted' },
  });
  expect(entries).toHaveLength(2);
});
