import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { codeOf, managementCaller } from '../../test/caller.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());
const call = managementCaller(api.app, api);

let environmentId: string;
let apiKey: string;
let applicationId: string;
let endpointId: string;
beforeAll(async () => {
  const strict = { name: 'Strict', slug: 'strict', requireApplication: true };
  environmentId = (await call('post', '/environments', strict)).body.id;
  apiKey = (await call('post', `/environments/${environmentId}/api-keys`, { name: 'Key' })).body.key;
  await call('post', '/event-types', { name: 'order.paid', publishIn: [environmentId, api.environmentId] });
  applicationId = (await call('post', '/applications', { name: 'Acme', externalId: 'acme' })).body.id;
  endpointId = (await call('post', '/endpoints', { url: 'https://127.0.0.1/', environmentId })).body.id;
});

const ingest = (path: string, headers: Record<string, string> = {}, key = apiKey, body: object = {}) =>
  request(api.app).post(`/api/ingest/${path}`).set('authorization', `Bearer ${key}`).set(headers).send(body);
const applicationsOf = async (id: string) => (await call('get', `/events/${id}`)).body.applicationId;

const REQUIRED =
  'is required in this environment: the id of an application, ext: and its externalId, or * for all applications';

test('an event without an application is refused by the name of the header, and with how to say all', async () => {
  const reply = await ingest('event/order.paid');
  const message = `X-Application-Id ${REQUIRED}`;
  expect([reply.status, reply.body.error]).toEqual([
    400,
    { code: 'validation_error', message, details: [{ field: 'header.X-Application-Id', message }] },
  ]);
});

test('an application, or * for all, is accepted; only the first is kept with the event', async () => {
  const named = await ingest('event/order.paid', { 'x-application-id': 'ext:acme' });
  const all = await ingest('event/order.paid', { 'x-application-id': '*' });
  expect([named.status, all.status]).toEqual([202, 202]);
  expect([await applicationsOf(named.body.id), await applicationsOf(all.body.id)]).toEqual([applicationId, null]);
});

test('each item of a batch is judged by itself', async () => {
  const item = { eventType: 'order.paid', data: 1 };
  const events = [
    item,
    { ...item, applicationId },
    { ...item, applicationId: '*' },
    { endpointId, data: 1 },
    { endpointId, applicationId: '*', data: 1 },
  ];
  const { results } = (await ingest('batch', {}, apiKey, { events })).body;
  expect(results.map((one: { error?: { code: string } }) => one.error?.code ?? 'accepted')).toEqual([
    'validation_error',
    'accepted',
    'accepted',
    'accepted',
    'validation_error',
  ]);
  expect(results[0].error.details).toEqual([{ field: 'applicationId', message: `applicationId ${REQUIRED}` }]);
});

test('an event of the management interface is judged like one with an API key', async () => {
  const send = (body: object) => call('post', '/events', { environmentId, data: 1, ...body });
  expect(codeOf(await send({ eventType: 'order.paid' }))).toBe('validation_error');
  expect((await send({ eventType: 'order.paid', applicationId: '*' })).status).toBe(202);
  expect((await send({ eventType: 'order.paid', applicationId })).status).toBe(202);
  expect((await send({ endpointId })).status).toBe(202);
});

test('direct ingestion needs no application, and refuses * in every environment', async () => {
  expect((await ingest(endpointId)).status).toBe(202);
  const { body: other } = await call('post', '/endpoints', { url: 'https://127.0.0.1/' });
  for (const [id, key] of [
    [endpointId, apiKey],
    [other.id, api.apiKey],
  ] as const) {
    const reply = await ingest(id, { 'x-application-id': '*' }, key);
    expect([reply.status, reply.body.error.details?.[0].field]).toEqual([400, 'header.X-Application-Id']);
  }
});

test('where no application is required, * means the same as none, for idempotency too', async () => {
  const key = { 'idempotency-key': 'same' };
  const first = await ingest('event/order.paid', key, api.apiKey);
  const again = await ingest('event/order.paid', { ...key, 'x-application-id': '*' }, api.apiKey);
  expect([first.status, again.status, again.body.id, again.body.duplicate]).toEqual([202, 202, first.body.id, true]);
  const named = await ingest('event/order.paid', { ...key, 'x-application-id': 'ext:acme' }, api.apiKey);
  expect(codeOf(named)).toBe('idempotency_conflict');
});

test('an event that was accepted before the setting is answered again: its key comes first', async () => {
  const { body: made } = await call('post', '/environments', { name: 'Later', slug: 'later' });
  expect(made.requireApplication).toBe(false);
  const { key } = (await call('post', `/environments/${made.id}/api-keys`, { name: 'Key' })).body;
  const first = await ingest('event/order.paid', { 'idempotency-key': 'early' }, key);
  expect(first.status).toBe(202);
  const changed = await call('patch', `/environments/${made.id}`, { requireApplication: true });
  expect([changed.status, changed.body.requireApplication]).toEqual([200, true]);
  await waitFor(async () => (await ingest('event/order.paid', {}, key)).status === 400, {
    what: 'the setting to take effect',
  });
  const again = await ingest('event/order.paid', { 'idempotency-key': 'early' }, key);
  expect([again.status, again.body.id]).toEqual([202, first.body.id]);
});

test('the events without an application are counted: not those with one, and not direct ones', async () => {
  const { body: made } = await call('post', '/environments', { name: 'Counted', slug: 'counted' });
  const { key } = (await call('post', `/environments/${made.id}/api-keys`, { name: 'Key' })).body;
  const { body: own } = await call('post', '/endpoints', { url: 'https://127.0.0.1/', environmentId: made.id });
  const { body: theirs } = await call('post', `/applications/${applicationId}/endpoints`, {
    url: 'https://127.0.0.1/',
    environmentId: made.id,
  });
  const acme = { 'x-application-id': 'ext:acme' };
  const sent = [
    await ingest('event/order.paid', {}, key),
    await ingest('event/order.paid', { 'x-application-id': '*' }, key),
    await ingest('event/order.paid', acme, key),
    await ingest(own.id, {}, key),
    await ingest(theirs.id, acme, key),
  ];
  expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  const stats = () => call('get', `/stats?environment_id=${made.id}&step=hour`);
  await waitFor(async () => (await stats()).body.totals.ingested === 5, { what: 'all counts to be written' });
  const read = await call('get', `/environments/${made.id}?include=events_without_application`);
  expect(read.body.eventsWithoutApplication).toBe(2);
  expect((await call('get', `/environments/${made.id}`)).body).not.toHaveProperty('eventsWithoutApplication');
});

test('a change of the setting is in the audit log, and a promotion carries it only when it is asked to', async () => {
  const { body: from } = await call('post', '/environments', { name: 'A', slug: 'a', requireApplication: true });
  const { body: to } = await call('post', '/environments', { name: 'B', slug: 'b' });
  const difference = { requireApplication: { from: false, to: true } };
  expect((await call('get', `/environments/${from.id}/diff/${to.id}`)).body.settings).toEqual(difference);
  const promote = async (body: object) => (await call('post', `/environments/${from.id}/promote/${to.id}`, body)).body;
  expect((await promote({ eventTypes: 'all' })).applied.settings).toEqual({});
  expect((await promote({ settings: true, dryRun: true })).applied.settings).toEqual(difference);
  expect((await call('get', `/environments/${to.id}`)).body.requireApplication).toBe(false);
  expect((await promote({ settings: true })).applied.settings).toEqual(difference);
  expect((await call('get', `/environments/${to.id}`)).body.requireApplication).toBe(true);
  const entries = await api.db.auditEntry.findMany({ orderBy: { id: 'asc' } });
  expect(entries.at(-1)).toMatchObject({
    action: 'environment.promoted',
    metadata: { changes: { requireApplication: { from: false, to: true } } },
  });
  await call('patch', `/environments/${to.id}`, { requireApplication: false });
  expect((await api.db.auditEntry.findMany({ orderBy: { id: 'asc' } })).at(-1)).toMatchObject({
    action: 'environment.updated',
    metadata: { changes: { requireApplication: { from: true, to: false } } },
  });
});

test('a document sets it, leaves it where it does not name it, and shows the difference', async () => {
  const apply = async (environment: object) => {
    const document = { version: 1, environments: [{ slug: 'file', name: 'File', ...environment }] };
    return (await call('post', '/apply', { document })).body.changes;
  };
  const settingOf = async () =>
    (await call('get', '/environments')).body.find(({ slug }: { slug: string }) => slug === 'file').requireApplication;
  await apply({ requireApplication: true });
  expect(await settingOf()).toBe(true);
  expect((await apply({})).map(({ action }: { action: string }) => action)).toEqual(['none']);
  expect(await settingOf()).toBe(true);
  expect(await apply({ requireApplication: false })).toMatchObject([
    { action: 'update', fields: [{ field: 'requireApplication', from: true, to: false }] },
  ]);
  expect(await settingOf()).toBe(false);
});
