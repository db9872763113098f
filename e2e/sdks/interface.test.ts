import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConflictError, NotFoundError, Posthorn, UnauthorizedError, ValidationError } from '@posthorn/client';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';

// Repeats ten tests of e2e/contract with only the TypeScript library, without casts or requests of their own.

const HOOK = 'https://127.0.0.1/';

let stack: Services;
let posthorn: Posthorn;
beforeAll(async () => {
  stack = await startServices({ settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  posthorn = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken, apiKey: stack.apiKey });
}, 180_000);
afterAll(() => stack?.stop());

let count = 0;
function unique(prefix: string): string {
  count += 1;
  return `${prefix}_${count}`;
}

async function makeRoute(): Promise<{ eventType: string; eventTypeId: string; endpointId: string }> {
  const eventType = unique('order');
  const { id: eventTypeId } = await posthorn.eventTypes.create({ name: eventType, publishIn: [stack.environmentId] });
  const { id: endpointId } = await posthorn.endpoints.create({ url: HOOK });
  await posthorn.endpoints.subscribe(endpointId, { eventTypeIds: [eventTypeId] });
  return { eventType, eventTypeId, endpointId };
}

test('an endpoint has its fields; the secret is in answers, the password never', async () => {
  const created = await posthorn.endpoints.create({
    url: HOOK,
    description: 'D',
    authUsername: 'ada',
    authPassword: 'pass-canary',
    config: { timeoutSeconds: 5 },
    metadata: { a: 'x', b: 1, c: true, d: null },
  });
  expect(created).toMatchObject({
    ...{
      environmentId: stack.environmentId,
      applicationId: null,
      description: 'D',
      authUsername: 'ada',
      hasAuth: true,
    },
    ...{ isActive: true, config: { timeoutSeconds: 5 }, metadata: { a: 'x', b: 1, c: true, d: null } },
    secret: expect.stringMatching(/^whsec_/),
  });
  const got = await posthorn.endpoints.get(created.id);
  expect(got).toMatchObject({ id: created.id, url: HOOK });
  expect(JSON.stringify([created, got])).not.toContain('pass-canary');
});

test('the types of endpoints are read page by page, all of them once and in their order', async () => {
  const read = async (limit?: number) => {
    const types: string[] = [];
    for await (const { type } of posthorn.endpoints.listTypes({ limit })) types.push(type);
    return types;
  };
  const all = await read();
  expect(all[0]).toBe('webhook');
  expect(new Set(all).size).toBe(all.length);
  expect(await read(2)).toEqual(all);
});

test('an endpoint without https is refused, and the error says which field is wrong', async () => {
  const refused = posthorn.endpoints.create({ url: 'http://127.0.0.1/' });
  await expect(refused).rejects.toThrow(ValidationError);
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'validation_error',
    message: expect.stringMatching(/URL/),
  });
});

test('an update keeps what is absent, and null clears', async () => {
  const { id } = await posthorn.endpoints.create({ url: HOOK, description: 'kept', metadata: { a: 'x' } });
  expect(await posthorn.endpoints.update(id, { isActive: false })).toMatchObject({
    description: 'kept',
    isActive: false,
  });
  expect(await posthorn.endpoints.update(id, { metadata: null })).toMatchObject({ description: 'kept', metadata: {} });
});

test('a deleted endpoint is not found', async () => {
  const { id } = await posthorn.endpoints.create({ url: HOOK });
  await posthorn.endpoints.delete(id);
  await expect(posthorn.endpoints.get(id)).rejects.toThrow(NotFoundError);
});

test('the name of an event type is used once', async () => {
  const name = unique('order');
  await posthorn.eventTypes.create({ name });
  await expect(posthorn.eventTypes.create({ name })).rejects.toMatchObject({ code: 'event_type_exists' });
  await expect(posthorn.eventTypes.create({ name })).rejects.toThrow(ConflictError);
});

test('an application is found by its external id, and lists only its own endpoints', async () => {
  const externalId = unique('customer');
  const { id } = await posthorn.applications.create({ name: 'Customer', externalId });
  expect(await posthorn.applications.get(`ext:${externalId}`)).toMatchObject({ id, externalId });
  const owned = await posthorn.applications.createEndpoint(id, { url: HOOK });
  const listed = await posthorn.endpoints.list({ applicationId: id }).toArray({ limit: 10 });
  expect(listed.map((endpoint) => endpoint.id)).toEqual([owned.id]);
});

test('the same key creates one event, and another payload under it is a conflict', async () => {
  const { eventType } = await makeRoute();
  const options = { application: '*', idempotencyKey: unique('key') };
  const first = await posthorn.events.send(eventType, { total: 1900 }, options);
  const again = await posthorn.events.send(eventType, { total: 1900 }, options);
  expect([first.duplicate, again.duplicate, again.id]).toEqual([false, true, first.id]);
  await expect(posthorn.events.send(eventType, { total: 1 }, options)).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
});

test('an event reaches every endpoint that subscribes to its type, and its trace says why', async () => {
  const { eventType, endpointId } = await makeRoute();
  const { id } = await posthorn.events.send(eventType, { total: 1900 }, { application: '*' });
  const isFannedOut = async () => (await posthorn.events.get(id)).status === 'matched';
  await waitFor(isFannedOut, { what: 'the event to be fanned out' });
  const deliveries = await posthorn.events.listDeliveries(id).toArray({ limit: 10 });
  expect(deliveries).toMatchObject([{ eventId: id, endpointId, eventTypeName: eventType }]);
  const { endpoints } = await posthorn.events.trace(id, { decision: 'matched' });
  expect(endpoints.map((endpoint) => endpoint.endpointId)).toEqual([endpointId]);
});

test('a list leads through all of its pages, newest first, without a gap or a repeat', async () => {
  const { eventType } = await makeRoute();
  const results = await posthorn.events.sendBatch(
    Array.from({ length: 7 }, (_, n) => ({ eventType, data: { n }, idempotencyKey: unique('key') })),
    { application: '*' },
  );
  const sent = results.map(({ id }) => id).sort();
  const read: string[] = [];
  for await (const event of posthorn.events.list({ eventType, limit: 3 })) read.push(event.id);
  expect([read.length, [...read].sort()]).toEqual([7, sent]);
  const { items, nextCursor } = await posthorn.events.list({ eventType, limit: 3 }).page();
  expect(items.map((event) => event.id)).toEqual(read.slice(0, 3));
  const rest = posthorn.events.list({ eventType, limit: 3, cursor: nextCursor ?? '' });
  expect((await rest.toArray({ limit: 10 })).map((event) => event.id)).toEqual(read.slice(3));
});

test('a rotated API key works under its new value, a deleted one no longer', async () => {
  const { eventType } = await makeRoute();
  const created = await posthorn.apiKeys.create(stack.environmentId, { name: 'checkout' });
  const rotated = await posthorn.apiKeys.rotate(stack.environmentId, created.id, { gracePeriodSeconds: 0 });
  const sender = new Posthorn({ baseUrl: stack.api.url, apiKey: rotated.key ?? '' });
  expect(await sender.events.send(eventType, 'as it is', { application: '*' })).toMatchObject({
    eventType,
    published: true,
  });
  await posthorn.apiKeys.delete(stack.environmentId, rotated.id);
  const refusal = async () => {
    const error = await sender.events
      .send(eventType, 'as it is', { application: '*' })
      .catch((error: unknown) => error);
    return error instanceof UnauthorizedError;
  };
  await waitFor(refusal, { what: 'the deleted key to be refused' });
});
