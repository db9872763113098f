import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Service, startService, unique } from './service.ts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ dispatchers: 1 });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

type Entry = { endpointId: string; decision: string; reason: string | null; delivery: { status: string } | null };

const fannedOut = (id: string) =>
  waitFor(
    async () => {
      const { body } = await service.workspace.manage('GET', `/events/${id}`);
      return ['matched', 'unmatched'].includes(body.status) ? body : undefined;
    },
    { what: `event ${id} to be fanned out` },
  );

test('docs/interface.md, Event: an event is matched or unmatched once it is fanned out, and counts its deliveries', async () => {
  const { makeRoute, ingest, manage, environmentId } = service.workspace;
  const { eventType } = await makeRoute(receiver.url);
  const key = unique('key-');
  const sent = await ingest(`event/${eventType}`, { n: 1 }, { 'idempotency-key': key });
  await waitFor(async () => (await fannedOut(sent.body.id)).deliveries.delivered === 1, { what: 'the delivery' });
  const { status, body } = await manage('GET', `/events?idempotency_key=${key}`);
  const counts = { pending: 0, delivering: 0, delivered: 1, scheduled_retry: 0, failed: 0, dead_letter: 0 };
  expect([status, body]).toEqual([
    200,
    {
      events: [
        {
          id: sent.body.id,
          eventType,
          eventTypeName: eventType,
          environmentId,
          ...{ applicationId: null, endpointId: null, idempotencyKey: key, orderingKey: null, deliverAt: null },
          ...{ status: 'matched', published: true, hasPayload: true, isTest: false, schemaErrors: null },
          ...{ searchable: true, source: null },
          deliveries: counts,
          reachedApplications: 0,
          createdAt: sent.body.createdAt,
        },
      ],
      nextCursor: null,
    },
  ]);
  const nobody = unique('nobody.wants_');
  await service.workspace.make('/event-types', { name: nobody, publishIn: [environmentId] });
  const unwanted = await ingest(`event/${nobody}`, '{}');
  expect((await fannedOut(unwanted.body.id)).status).toBe('unmatched');
  const listed = (await manage('GET', `/events?status=unmatched&event_type=${nobody}`)).body;
  expect(listed.events.map((event: { id: string }) => event.id)).toEqual([unwanted.body.id]);
  expect(codeOf(await manage('GET', '/events/msg_01jczhk8m3fd8tqv5x0w2b9n4e'))).toBe('not_found');
});

test('docs/interface.md, Event: it tells how many applications it reached, and a portal learns of its own alone', async () => {
  const { makeRoute, make, ingest, manage, environmentId } = service.workspace;
  const { eventType, eventTypeId } = await makeRoute(receiver.url);
  const applications = [await make('/applications', { name: 'A' }), await make('/applications', { name: 'B' })];
  for (const id of [applications[0], applications[0], applications[1]]) {
    const endpoint = await make(`/applications/${id}/endpoints`, { url: receiver.url, environmentId });
    await manage('POST', `/endpoints/${endpoint}/subscriptions`, { eventTypeIds: [eventTypeId] });
  }
  const wide = await ingest(`event/${eventType}`, { n: 1 });
  const narrow = await ingest(`event/${eventType}`, { n: 1 }, { 'x-application-id': applications[1] ?? '' });
  const reached = async (id: string) => {
    await fannedOut(id);
    const event = (await manage('GET', `/events/${id}`)).body;
    const trace = (await manage('GET', `/events/${id}/trace?limit=1`)).body;
    return [event.applicationId, event.reachedApplications, trace.matched, trace.reachedApplications];
  };
  expect(await reached(wide.body.id)).toEqual([null, 2, 4, 2]);
  expect(await reached(narrow.body.id)).toEqual([applications[1], 1, 1, 1]);
  const { token } = (await manage('POST', `/applications/${applications[1]}/portal-sessions`, {})).body;
  const own = await service.send('GET', `/api/portal/events/${wide.body.id}`, { token });
  expect([own.status, own.body.reachedApplications]).toEqual([200, 1]);
});

test('docs/interface.md, Trace: each endpoint has the decision of the fan-out and its reason, even when everything has changed since', async () => {
  const { makeRoute, make, ingest, manage, environmentId } = await service.another();
  const { eventType, eventTypeId, endpointId } = await makeRoute(receiver.url);
  const subscribed = async (more: object = {}) => {
    const id = await make('/endpoints', { url: receiver.url, environmentId });
    await manage('POST', `/endpoints/${id}/subscriptions`, { eventTypeIds: [eventTypeId], ...more });
    return id;
  };
  const [inactive, filtered] = [await subscribed(), await subscribed({ filter: { n: 2 } })];
  await manage('PATCH', `/endpoints/${inactive}`, { isActive: false });
  const unsubscribed = await make('/endpoints', { url: receiver.url, environmentId });
  const sent = await ingest(`event/${eventType}`, { n: 1 });
  const trace = async () => (await manage('GET', `/events/${sent.body.id}/trace`)).body;
  await waitFor(async () => (await trace()).fannedOutAt !== null, { what: 'the fan-out' });
  const expected = {
    [endpointId]: 'matched',
    [inactive]: 'endpoint_inactive',
    [filtered]: 'filtered',
    [unsubscribed]: 'not_subscribed',
  };
  const decisions = async () =>
    Object.fromEntries(
      (await trace()).endpoints.map(({ endpointId: id, reason, decision }: Entry) => [id, reason ?? decision]),
    );
  expect(await decisions()).toEqual(expected);
  expect(await trace()).toMatchObject({
    matched: 1,
    skipped: 3,
    eventType,
    eventTypeName: eventType,
    nextCursor: null,
  });
  await manage('PATCH', `/endpoints/${inactive}`, { isActive: true });
  await manage('POST', `/endpoints/${unsubscribed}/subscriptions`, { eventTypeIds: [eventTypeId] });
  await manage('PATCH', `/endpoints/${filtered}/subscriptions/${eventTypeId}`, { filter: null });
  for (const id of [endpointId, filtered]) await manage('DELETE', `/endpoints/${id}`);
  expect(await decisions()).toEqual(expected);
});

test('docs/interface.md, Precheck: it names the endpoints that would get an event, and why the others would not', async () => {
  const { makeRoute, make, manage, environmentId } = await service.another();
  const { eventTypeId, endpointId } = await makeRoute(receiver.url);
  const other = await make('/endpoints', { url: receiver.url, environmentId });
  const { status, body } = await manage('POST', `/event-types/${eventTypeId}/precheck`, { payload: { n: 1 } });
  expect([status, body]).toMatchObject([
    200,
    {
      ...{ published: true, matched: 1, truncated: false },
      endpoints: [
        { endpointId, decision: 'matched', reason: null },
        { endpointId: other, decision: 'skipped', reason: 'not_subscribed' },
      ],
    },
  ]);
  expect((await manage('GET', '/events')).body.events).toEqual([]);
});

test('docs/interface.md, Event: a management token or a session sends an event without an API key, as ingestion would', async () => {
  const { manage, m, managementToken: token, environmentId, make, dashboard, sessionOf, ingest } = service.workspace;
  const eventType = unique('sent.by_token');
  await make('/event-types', { name: eventType, publishIn: [environmentId] });
  const sent = await manage('POST', '/events', { eventType, data: { n: 1 }, idempotencyKey: eventType });
  expect([sent.status, sent.body]).toEqual([
    202,
    expect.objectContaining({
      ...{ id: expect.stringMatching(/^msg_/), eventType, environmentId, published: true, duplicate: false },
      ...{ deliveryId: null, endpointId: null, idempotencyKey: eventType },
    }),
  ]);
  const shown = await manage('GET', `/events/${sent.body.id}?include=payload`);
  expect(shown.body.payload.body).toBe('{"n":1}');
  // Ingestion with the same key returns the same event.
  const again = await ingest(`event/${eventType}`, '{"n":1}', { 'idempotency-key': eventType });
  expect(again.body).toMatchObject({ id: sent.body.id, duplicate: true });
  const headers = { 'idempotency-key': `${eventType}-2` };
  const body = { eventType, data: { n: 2 } };
  const [first, second] = [
    await service.send('POST', `${m}/events`, { token, headers, body }),
    await service.send('POST', `${m}/events`, { token, headers, body }),
  ];
  expect([first.status, second.headers.get('idempotent-replayed'), second.body]).toEqual([
    202,
    'true',
    { ...first.body, duplicate: true },
  ]);
  const other = await service.send('POST', `${m}/events`, { token, headers, body: { ...body, data: 3 } });
  expect(codeOf(other)).toBe('idempotency_conflict');
  const contradiction = { ...body, idempotencyKey: 'another' };
  expect(codeOf(await service.send('POST', `${m}/events`, { token, headers, body: contradiction }))).toBe(
    'validation_error',
  );
  const endpointId = await make('/endpoints', { url: receiver.url, environmentId });
  const direct = await manage('POST', '/events', { endpointId, data: 'x' });
  expect(direct.body).toMatchObject({ endpointId, eventType: null, deliveryId: expect.stringMatching(/^dlv_/) });
  expect(codeOf(await manage('POST', '/events', { eventType: `${eventType}.none`, data: 1 }))).toBe('not_found');
  for (const bad of [{ eventType }, { data: 1 }, { eventType, endpointId, data: 1 }, { ...body, type: 'x' }]) {
    expect(codeOf(await manage('POST', '/events', bad))).toBe('validation_error');
  }
  expect((await dashboard(await sessionOf('member'), 'POST', '/events', body)).status).toBe(202);
  expect(codeOf(await dashboard(await sessionOf('viewer'), 'POST', '/events', body))).toBe('forbidden');
});

test('docs/interface.md, Event: one sent without an API key goes into the environment that it names, as scheduled and ordered', async () => {
  const { manage, make, environmentId } = await service.another();
  const staging = await make('/environments', { name: 'Staging', slug: 'staging' });
  const eventType = unique('sent.by_token');
  await make('/event-types', { name: eventType, publishIn: [environmentId, staging] });
  const deliverAt = new Date(Date.now() + 3_600_000).toISOString();
  const options = { environmentId: staging, orderingKey: 'a', deliverAt };
  const sent = await manage('POST', '/events', { eventType, data: 1, ...options });
  expect(sent.body.environmentId).toBe(staging);
  expect((await manage('GET', `/events/${sent.body.id}`)).body).toMatchObject({ ...options, status: 'scheduled' });
  const unknown = { eventType, data: 1, environmentId: 'env_01jczhk8m3fd8tqv5x0w2b9n4e' };
  expect(codeOf(await manage('POST', '/events', unknown))).toBe('not_found');
});
