import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, createCaller } from '../../test/caller.ts';
import { seedPortal } from '../../test/people.ts';

let api: ApiUnderTest;
let call: Caller;
const customers = { acme: { id: '', token: '' }, other: { id: '', token: '' } };
type Customer = keyof typeof customers;

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
  for (const customer of Object.values(customers)) {
    const { applicationId, portalToken } = await seedPortal(api.db, api);
    Object.assign(customer, { id: applicationId, token: portalToken });
  }
});
afterAll(() => api.stop());

const visit = (customer: Customer, method: 'get' | 'post' | 'patch', path: string, body?: object) =>
  request(api.app)[method](`/api/portal${path}`).set('authorization', `Bearer ${customers[customer].token}`).send(body);
const newType = async (name: string) =>
  String((await call('post', '/event-types', { name, publishIn: [api.environmentId] })).body.id);
const path = (typeId: string) => `/environments/${api.environmentId}/event-types/${typeId}/visibility`;
const showTo = (typeId: string, applications: string[] | null | undefined, published = true) =>
  call('put', path(typeId), { published, ...(applications !== undefined && { applications }) });
const newEndpoint = async (customer: Customer, eventTypes?: string[]) => {
  const made = await visit(customer, 'post', '/endpoints', {
    url: 'https://127.0.0.1/',
    ...(eventTypes && { eventTypes }),
  });
  expect(made.status).toBe(201);
  return String(made.body.id);
};
/** The subscriptions of an endpoint, as the operator sees them. */
const subscribed = async (endpointId: string) =>
  (await call('get', `/endpoints/${endpointId}/subscriptions?limit=100`)).body
    .map(({ eventType }: { eventType: string }) => eventType)
    .sort();

test('an entry names the customers, keeps them, and shows all again with null', async () => {
  const typeId = await newType('entry.made');
  const { acme, other } = customers;
  const both = [acme.id, other.id].sort();
  expect((await showTo(typeId, undefined)).body.applications).toBeNull();
  expect((await showTo(typeId, [other.id, acme.id, other.id])).body.applications).toEqual(both);
  expect((await showTo(typeId, undefined, false)).body).toMatchObject({ published: false, applications: both });
  expect((await showTo(typeId, undefined)).body).toMatchObject({ published: true, applications: both });
  const entries = (await call('get', `/environments/${api.environmentId}/event-types?limit=100`)).body;
  const entry = entries.find(({ eventTypeId }: { eventTypeId: string }) => eventTypeId === typeId);
  expect(entry.applications).toEqual(both);
  // The entry may be sent back as it was read.
  expect((await call('put', path(typeId), entry)).body).toEqual(entry);
  expect((await showTo(typeId, [])).body.applications).toEqual([]);
  expect((await showTo(typeId, null)).body.applications).toBeNull();
  const { body } = await call('get', `/audit-logs?action=event_type.updated`);
  expect(body.data.map(({ metadata }: { metadata: { changes: object } }) => metadata.changes)).toMatchObject([
    { applications: { from: [], to: null } },
    { applications: { from: both, to: [] } },
    { applications: { from: null, to: both } },
  ]);
});

test('an application that is unknown, deleted or of another workspace is not found, and too many are refused', async () => {
  const typeId = await newType('unknown.named');
  const foreign = await seedPortal(api.db, await api.seedAnother());
  const gone = (await call('post', '/applications', { name: 'Gone' })).body.id;
  const erased = (await call('post', '/applications', { name: 'Erased' })).body.id;
  expect((await showTo(typeId, [customers.acme.id, gone, erased])).status).toBe(200);
  await call('delete', `/applications/${gone}`);
  expect((await call('post', '/erasures', { applicationId: erased })).status).toBe(202);
  const entries = (await call('get', `/environments/${api.environmentId}/event-types?limit=100`)).body;
  const entry = entries.find(({ eventTypeId }: { eventTypeId: string }) => eventTypeId === typeId);
  expect(entry.applications).toEqual([customers.acme.id]);
  for (const id of [gone, foreign.applicationId, 'app_missing', '']) {
    const refused = await showTo(typeId, [customers.acme.id, id]);
    expect([refused.status, refused.body.error.message]).toEqual([404, 'Application not found']);
  }
  const many = await showTo(typeId, Array(201).fill(customers.acme.id));
  expect([many.status, many.body.error.details[0].field]).toEqual([400, 'applications']);
});

test('another customer’s portal neither lists a type nor finds it, and cannot subscribe to it', async () => {
  const typeId = await newType('secret.shown');
  await showTo(typeId, [customers.acme.id]);
  const shows = async (customer: Customer) => {
    const lists = [`/event-types?limit=100`, '/catalog?limit=100', '/catalog/openapi.json'];
    const texts = await Promise.all(lists.map(async (list) => (await visit(customer, 'get', list)).text));
    return texts.map((text) => text.includes('secret.shown'));
  };
  expect([await shows('acme'), await shows('other')]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
  expect((await visit('acme', 'get', `/catalog/${typeId}`)).status).toBe(200);
  const [mine, theirs] = [await newEndpoint('acme'), await newEndpoint('other')];
  const refused = [
    await visit('other', 'get', `/catalog/${typeId}`),
    await visit('other', 'post', `/endpoints/${theirs}/subscriptions`, { eventTypeIds: [typeId] }),
    await visit('other', 'post', `/endpoints/${theirs}/test`, { eventTypeId: typeId }),
    await visit('other', 'get', `/endpoints?event_type_id=${typeId}`),
    await visit('other', 'post', '/endpoints', { url: 'https://127.0.0.1/', eventTypes: ['secret.shown'] }),
  ];
  expect(refused.map(({ body }) => body.error?.code)).toEqual(Array(5).fill('not_found'));
  const subscribe = await visit('acme', 'post', `/endpoints/${mine}/subscriptions`, { eventTypeIds: [typeId] });
  expect(subscribe.body).toEqual({ subscribed: 1 });
});

test('another environment’s entry hides nothing here', async () => {
  const typeId = await newType('elsewhere.hidden');
  const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  await call('put', `/environments/${staging}/event-types/${typeId}/visibility`, { published: true, applications: [] });
  expect((await visit('other', 'get', `/catalog/${typeId}`)).status).toBe(200);
});

test('what a customer subscribed to one by one stays, and the operator may subscribe an endpoint to any type', async () => {
  const typeId = await newType('kept.one');
  const endpointId = await newEndpoint('other', ['kept.one']);
  await showTo(typeId, [customers.acme.id]);
  expect(await subscribed(endpointId)).toEqual(['kept.one']);
  const second = await newEndpoint('other');
  expect((await call('post', `/endpoints/${second}/subscriptions`, { eventTypeIds: [typeId] })).status).toBe(200);
  expect(await subscribed(second)).toEqual(['kept.one']);
});

test('docs/interface.md, Endpoint: in the portal, an endpoint is subscribed while the portal shows one of its types', async () => {
  const typeId = await newType('shown.at.times');
  const ids = {
    named: await newEndpoint('other', ['shown.at.times']),
    fitting: await newEndpoint('other', ['shown.*']),
  };
  const isSubscribed = async () => {
    const seen = [];
    for (const id of Object.values(ids)) {
      const ofPortal = await visit('other', 'get', `/endpoints/${id}?include=stats`);
      const ofOperator = await call('get', `/endpoints/${id}?include=stats`);
      seen.push([ofPortal.body.stats.isSubscribed, ofOperator.body.stats.isSubscribed]);
    }
    return seen;
  };
  const shown = [true, true];
  expect(await isSubscribed()).toEqual([shown, shown]);
  await showTo(typeId, [customers.acme.id]);
  // The subscription that the pattern made has ended.
  expect(await isSubscribed()).toEqual([
    [false, true],
    [false, false],
  ]);
  await showTo(typeId, [customers.other.id]);
  expect(await isSubscribed()).toEqual([shown, shown]);
  await showTo(typeId, undefined, false);
  expect(await isSubscribed()).toEqual([
    [false, true],
    [false, true],
  ]);
});

test('a pattern subscribes to a type while its customer may see it', async () => {
  const before = { acme: await newEndpoint('acme', ['plan.*']), other: await newEndpoint('other', ['plan.*']) };
  const workspaceWide = (await call('post', '/endpoints', { url: 'https://127.0.0.1/', eventTypes: ['plan.*'] })).body;
  const typeId = await newType('plan.changed');
  await newType('plan.open');
  const all = ['plan.changed', 'plan.open'];
  expect([await subscribed(before.acme), await subscribed(before.other)]).toEqual([all, all]);
  await showTo(typeId, [customers.acme.id]);
  const after = { acme: await newEndpoint('acme', ['plan.*']), other: await newEndpoint('other', ['plan.*']) };
  expect([await subscribed(before.acme), await subscribed(after.acme)]).toEqual([all, all]);
  expect([await subscribed(before.other), await subscribed(after.other)]).toEqual([['plan.open'], ['plan.open']]);
  expect(await subscribed(workspaceWide.id)).toEqual(all);
  await showTo(typeId, null);
  expect([await subscribed(before.other), await subscribed(after.other)]).toEqual([all, all]);
  const numbers = async (action: string, most: number) =>
    (await call('get', `/audit-logs?action=${action}`)).body.data
      .slice(0, most)
      .map(({ metadata }: { metadata: { changes: { subscriptions?: object } } }) => metadata.changes.subscriptions);
  expect(await numbers('event_type.updated', 2)).toEqual([
    { from: 3, to: 5 },
    { from: 3, to: 2 },
  ]);
  expect(await numbers('event_type.created', 1)).toEqual([{ from: 0, to: 3 }]);
});
