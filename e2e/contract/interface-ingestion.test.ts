import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
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

/**
 * The endpoints that got the event. The list is complete when `last`, an endpoint that always gets the event, has it.
 */
async function receiversOf(eventId: string, last: string): Promise<string[]> {
  const got = () => receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId).map(({ url }) => url);
  await waitFor(() => got().includes(`/${last}`), { what: `the event at ${last}` });
  // Fan-out makes all deliveries of an event together, so all of them exist now.
  const { db } = service.stack;
  await waitFor(async () => (await db.delivery.count({ where: { status: { in: ['pending', 'delivering'] } } })) === 0, {
    what: 'every delivery to end',
  });
  return got().sort();
}

test('docs/interface.md, Fan-out: fan-out reaches the subscribed, active endpoints of the environment of the key alone', async () => {
  const { manage, make, makeRoute, ingest } = service.workspace;
  const at = (name: string) => receiver.url + name;
  const { eventType, eventTypeId } = await makeRoute(at('subscribed'));
  const subscribe = (id: string) => manage('POST', `/endpoints/${id}/subscriptions`, { eventTypeIds: [eventTypeId] });
  const staging = await make('/environments', { name: 'Staging', slug: unique('s-') });
  await manage('PUT', `/environments/${staging}/event-types/${eventTypeId}/visibility`, { published: true });
  await subscribe(await make('/endpoints', { url: at('elsewhere'), environmentId: staging }));
  await make('/endpoints', { url: at('unsubscribed') });
  const inactive = await make('/endpoints', { url: at('inactive') });
  await subscribe(inactive);
  await manage('PATCH', `/endpoints/${inactive}`, { isActive: false });
  const deleted = await make('/endpoints', { url: at('deleted') });
  await subscribe(deleted);
  await manage('DELETE', `/endpoints/${deleted}`);
  await subscribe(await make('/endpoints', { url: at('also') }));

  const sent = await ingest(`event/${eventType}`, { n: 1 });
  expect([sent.status, sent.body.published]).toEqual([202, true]);
  expect(await receiversOf(sent.body.id, 'subscribed')).toEqual(['/also', '/subscribed']);
});

test('docs/interface.md, Application of an event: where one is required, an event without it is refused, and * reaches every customer', async () => {
  const { make, manage } = service.workspace;
  const environmentId = await make('/environments', { name: 'S', slug: unique('s-'), requireApplication: true });
  const { body } = await manage('POST', `/environments/${environmentId}/api-keys`, { name: 'Key' });
  const name = unique('application.of_');
  const eventTypeId = await make('/event-types', { name, publishIn: [environmentId] });
  for (const owner of ['of-a', 'of-b']) {
    const applicationId = await make('/applications', { name: owner, externalId: unique(owner) });
    const url = receiver.url + owner;
    const endpoint = await make(`/applications/${applicationId}/endpoints`, { url, environmentId });
    await manage('POST', `/endpoints/${endpoint}/subscriptions`, { eventTypeIds: [eventTypeId] });
  }
  const ingest = (headers: Record<string, string>) =>
    service.send('POST', `/api/ingest/event/${name}`, { token: body.key, body: {}, headers });
  expect(codeOf(await ingest({}))).toBe('validation_error');
  const sent = await ingest({ 'x-application-id': '*' });
  expect(await receiversOf(sent.body.id, 'of-b')).toEqual(['/of-a', '/of-b']);
});

test('docs/interface.md, Ingestion answer: an event of a type that is not published in the environment is kept and goes to nobody', async () => {
  const { manage, makeRoute, ingest, environmentId } = service.workspace;
  const { eventType, eventTypeId, endpointId } = await makeRoute(`${receiver.url}unpublished`);
  const path = `/environments/${environmentId}/event-types/${eventTypeId}/visibility`;
  await manage('PUT', path, { published: false });
  const hidden = await waitFor(
    async () => {
      const reply = await ingest(`event/${eventType}`, {});
      return reply.body.published === false && reply;
    },
    { what: 'the unpublishing to take hold' },
  );
  expect(hidden.status).toBe(202);
  await manage('PUT', path, { published: true });
  const shown = await ingest(`event/${eventType}`, {});
  expect(shown.body.published).toBe(true);
  expect(await receiversOf(shown.body.id, 'unpublished')).toEqual(['/unpublished']);
  const { body } = await manage('GET', `/endpoints/${endpointId}/deliveries`);
  expect(body.deliveries.map((one: { eventId: string }) => one.eventId)).not.toContain(hidden.body.id);
});

test('docs/interface.md, Ingestion answer: a type must exist in the workspace', async () => {
  const { ingest } = service.workspace;
  const other = await service.another();
  const foreign = unique('foreign.type_');
  await other.make('/event-types', { name: foreign, publishIn: [other.environmentId] });
  for (const name of ['no.such_type', foreign, 'Order.Created', 'a%00b', 'a%2Fb', '..%2F..']) {
    const reply = await ingest(`event/${name}`, {});
    expect([name, reply.status, reply.body]).toEqual([
      name,
      404,
      { error: { code: 'not_found', message: expect.stringMatching(/^Event type not found: ./) } },
    ]);
  }
});

test('docs/interface.md, Ingestion answer: direct ingestion reaches the one endpoint, which must belong to the environment of the key', async () => {
  const { make, ingest, environmentId } = service.workspace;
  const endpointId = await make('/endpoints', { url: `${receiver.url}direct` });
  const sent = await ingest(endpointId, { n: 1 });
  expect([sent.status, sent.body]).toEqual([
    202,
    {
      id: expect.stringMatching(/^msg_/),
      eventType: null,
      environmentId,
      idempotencyKey: sent.body.id,
      published: true,
      duplicate: false,
      schemaErrors: null,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      deliveryId: expect.stringMatching(/^dlv_/),
      endpointId,
    },
  ]);
  expect(await receiversOf(sent.body.id, 'direct')).toEqual(['/direct']);
  const request = receiver.requests.find(({ headers }) => headers['webhook-id'] === sent.body.id);
  expect(request?.headers).not.toHaveProperty('webhook-event-type');

  const staging = await make('/environments', { name: 'S', slug: unique('s-') });
  const elsewhere = await make('/endpoints', { url: receiver.url, environmentId: staging });
  const foreign = await (await service.another()).make('/endpoints', { url: receiver.url });
  for (const id of [elsewhere, foreign, 'ep_01jczhk8m3fd8tqv5x0w2b9n4e', 'ep_x', '%00', 'x'.repeat(3_000)]) {
    const reply = await ingest(id, {});
    expect([reply.status, reply.body]).toEqual([404, { error: { code: 'not_found', message: 'Endpoint not found' } }]);
  }
});

describe('docs/interface.md, Ingestion request: the body is the payload, kept byte for byte', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  test.each<[string, string, string | Uint8Array]>([
    ['JSON with its spaces, doubles and escapes', 'application/json', '{ "a":1.0,"a": 2e400, "b":"\\u0000\\ud800" }'],
    ['a byte order mark', 'application/json', '\ufeff{}'],
    ['deep nesting', 'application/json', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['text', 'text/plain; charset=utf-8', 'grüß'],
    ['any bytes', 'application/octet-stream', bytes(0, 255, 128, 10, 13)],
    ['malformed JSON under another type', 'text/plain', '{'],
    ['no body', 'application/json', ''],
  ])('%s', async (_, contentType, payload) => {
    const { make, ingest } = service.workspace;
    const endpointId = await make('/endpoints', { url: receiver.url });
    const sent = await ingest(endpointId, payload, { 'content-type': contentType });
    expect(sent.status).toBe(202);
    const request = await waitFor(
      () => receiver.requests.find(({ headers }) => headers['webhook-id'] === sent.body.id),
      { what: 'the request' },
    );
    expect(request.headers['content-type']).toBe(contentType);
    expect(request.body.equals(Buffer.from(payload))).toBe(true);
  });
});

describe('docs/interface.md, Ingestion request: refused, and nothing is stored', () => {
  test.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
    ['malformed JSON', '{', {}, 400, 'validation_error'],
    ['JSON that is not UTF-8', Uint8Array.from([34, 255, 34]), {}, 400, 'validation_error'],
    ['more than 256 KiB', JSON.stringify('x'.repeat(262_143)), {}, 413, 'payload_too_large'],
    ['a compressed body', 'x', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['a key with a space', '{}', { 'idempotency-key': 'a b' }, 400, 'validation_error'],
    ['a key of 256 characters', '{}', { 'idempotency-key': 'x'.repeat(256) }, 400, 'validation_error'],
    ['an unknown application', '{}', { 'x-application-id': 'ext:nobody' }, 404, 'not_found'],
    ['an ordering key with a space', '{}', { 'x-ordering-key': 'a b' }, 400, 'validation_error'],
    ['an ordering key of 256 characters', '{}', { 'x-ordering-key': 'x'.repeat(256) }, 400, 'validation_error'],
    ['a time without an offset', '{}', { 'x-deliver-at': '2030-01-01T00:00:00' }, 400, 'validation_error'],
    ['a time before 1970 without an offset', '{}', { 'x-deliver-at': '0000-01-01T00:00:00' }, 400, 'validation_error'],
    ['a time more than 24 hours ahead', '{}', { 'x-deliver-at': '2130-01-01T00:00:00Z' }, 400, 'validation_error'],
  ])('%s', async (_, body, headers, status, code) => {
    const { make, ingest } = service.workspace;
    const endpointId = await make('/endpoints', { url: receiver.url });
    const before = await service.stack.db.event.count();
    const reply = await ingest(endpointId, body, headers);
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(await service.stack.db.event.count()).toBe(before);
  });

  test('exactly 256 KiB is taken', async () => {
    const { make, ingest } = service.workspace;
    expect((await ingest(await make('/endpoints', { url: receiver.url }), `"${'x'.repeat(262_142)}"`)).status).toBe(
      202,
    );
  });

  test('a malformed traceparent is no reason', async () => {
    const { make, ingest } = service.workspace;
    const endpointId = await make('/endpoints', { url: receiver.url });
    expect((await ingest(endpointId, '{}', { traceparent: 'nonsense' })).status).toBe(202);
  });
});

test('docs/interface.md, Idempotency: a repeated key gives the first answer and creates nothing; another request under it conflicts', async () => {
  const { make, ingest, makeRoute } = service.workspace;
  const { eventType } = await makeRoute(receiver.url);
  const endpointId = await make('/endpoints', { url: receiver.url });
  const key = { 'idempotency-key': unique('key-') };
  const replies = await Promise.all(Array.from({ length: 20 }, () => ingest(`event/${eventType}`, { n: 1 }, key)));
  const [first] = replies.filter(({ body }) => body.duplicate === false);
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(replies.filter(({ body }) => body.duplicate)).toHaveLength(19);
  expect(first?.headers.get('idempotent-replayed')).toBeNull();
  for (const { body, headers } of replies.filter(({ body }) => body.duplicate)) {
    expect(body).toEqual({ ...first?.body, duplicate: true });
    expect(headers.get('idempotent-replayed')).toBe('true');
  }
  for (const reply of [
    await ingest(`event/${eventType}`, { n: 2 }, key),
    await ingest(endpointId, { n: 1 }, key),
    await ingest(`event/${eventType}`, { n: 1 }, { ...key, 'content-type': 'text/plain' }),
    await ingest(`event/${eventType}`, { n: 1 }, { ...key, 'x-application-id': 'ext:nobody' }),
    await ingest('event/no.such_type', { n: 1 }, key),
  ]) {
    expect([reply.status, codeOf(reply)]).toEqual([409, 'idempotency_conflict']);
  }
});

test('docs/interface.md, Ingestion options: X-Application-Id reaches only that customer, by id or by ext:', async () => {
  const { manage, make, makeRoute, ingest } = service.workspace;
  const { eventType, eventTypeId, endpointId: owned } = await makeRoute(`${receiver.url}workspace`);
  const externalId = unique('customer-');
  const applicationId = await make('/applications', { name: 'A', externalId });
  const endpointId = await make(`/applications/${applicationId}/endpoints`, { url: `${receiver.url}customer` });
  await manage('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds: [eventTypeId] });
  for (const reference of [applicationId, `ext:${externalId}`]) {
    const sent = await ingest(`event/${eventType}`, {}, { 'x-application-id': reference });
    expect(await receiversOf(sent.body.id, 'customer')).toEqual(['/customer']);
  }
  const direct = await ingest(owned, {}, { 'x-application-id': applicationId });
  expect(direct.body).toEqual({ error: { code: 'not_found', message: 'Endpoint not found' } });
});

test('docs/interface.md, Batch: a batch answers each event in its place', async () => {
  const { makeRoute, apiKey } = service.workspace;
  const { eventType } = await makeRoute(`${receiver.url}batch`);
  const reply = await service.send('POST', '/api/ingest/batch', {
    token: apiKey,
    headers: { 'content-type': 'application/json' },
    raw: `{"events":[{"eventType":"${eventType}","data":{"a" : 1.0}},{"eventType":"no.such","data":1}]}`,
  });
  expect(reply.status).toBe(202);
  expect(reply.body.results[1]).toEqual({ error: { code: 'not_found', message: 'Event type not found: no.such' } });
  await receiversOf(reply.body.results[0].id, 'batch');
  const request = receiver.requests.find(({ headers }) => headers['webhook-id'] === reply.body.results[0].id);
  expect([request?.body.toString(), request?.headers['content-type']]).toEqual(['{"a" : 1.0}', 'application/json']);
});

test('docs/interface.md, Quotas: beyond the events of a UTC day an event is rate_limited until it ends, a repeat is answered, and the workspace tells its use', async () => {
  const limited = await service.another();
  const id = fromId('ws', limited.workspaceId) ?? '';
  await service.stack.db.workspace.update({ where: { id }, data: { eventsPerDay: 1 } });
  const { eventType } = await limited.makeRoute(`${receiver.url}limited`);
  const headers = { 'idempotency-key': 'first' };
  const first = await limited.ingest(`event/${eventType}`, { n: 1 }, headers);
  expect(first.status).toBe(202);
  const refused = await limited.ingest(`event/${eventType}`, { n: 2 });
  expect([codeOf(refused), refused.status]).toEqual(['rate_limited', 429]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
  const repeated = await limited.ingest(`event/${eventType}`, { n: 1 }, headers);
  expect(repeated.body).toEqual({ ...first.body, duplicate: true });
  const used = await waitFor(
    async () => {
      const { quotas } = (await limited.manage('GET', '')).body;
      return quotas.eventsPerDay.used === 1 && quotas;
    },
    { what: 'the event to be counted' },
  );
  expect(used).toEqual({
    eventsPerDay: { limit: 1, used: 1 },
    bytesKept: { limit: null, used: 7 },
    attemptBytesKept: { limit: null, used: expect.any(Number) },
  });
});
