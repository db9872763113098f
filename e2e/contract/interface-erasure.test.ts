import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { readDatabase, readRedis, secretsIn } from '../canary-places.ts';
import { clientsOf, codeOf, type Service, unique, type Workspace } from './service.ts';

let service: Service;
let receiver: Receiver;
let workspace: Workspace;
let status: number;
/** The output of all processes. */
let output = '';
beforeAll(async () => {
  receiver = await startReceiver();
  // The response repeats the request's body, as many receivers do.
  receiver.respondWith(({ body }) => ({ status, headers: { 'x-echo': 'echoed' }, body: body.toString() }));
  const stack = await startStack({
    dispatchers: 1,
    settings: { LOG_LEVEL: 'debug', RATE_LIMIT_MANAGEMENT: '0' },
    onOutput: (chunk) => {
      output += chunk;
    },
  });
  service = clientsOf(stack);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});
beforeEach(async () => {
  status = 200;
  workspace = await service.another();
});

const deliveriesOf = async (eventId: string) =>
  (await workspace.manage('GET', `/events/${eventId}/deliveries`)).body.deliveries;
const attempted = (eventId: string, expected: string) =>
  waitFor(
    async () => {
      const deliveries = await deliveriesOf(eventId);
      return deliveries.length > 0 && deliveries.every((one: { status: string }) => one.status === expected)
        ? deliveries
        : undefined;
    },
    { what: `the deliveries to be ${expected}` },
  );
/** Where a text stands: columns of the database, Redis if there is one, and what the processes have written. */
async function placesOf(marker: string): Promise<string[]> {
  const { db, redisUrl, prefix } = service.stack;
  const redis = redisUrl === '' ? undefined : await readRedis(redisUrl, prefix);
  if (redis !== undefined) expect(redis.keys.length).toBeGreaterThan(0);
  expect(output).toContain('"request"');
  const others = [['redis', redis?.text ?? ''] as const, ['output', output] as const];
  const places = [...(await readDatabase({ db })), ...others];
  return places.filter(([, content]) => secretsIn(content, { marker }).length > 0).map(([place]) => place);
}
const entries = async (action: string) => (await workspace.manage('GET', `/audit-logs?action=${action}`)).body.data;

async function makeCustomer(marker: string) {
  const application = await workspace.manage('POST', '/applications', {
    name: `Name ${marker}`,
    externalId: `external-${marker}`,
    metadata: { contact: `${marker}@example.com` },
  });
  const applicationId: string = application.body.id;
  const eventType = unique('order.created_');
  await workspace.make('/event-types', { name: eventType, publishIn: [workspace.environmentId] });
  await workspace.make(`/applications/${applicationId}/endpoints`, {
    url: `${receiver.url}hook?customer=${marker}`,
    environmentId: workspace.environmentId,
    eventTypes: [eventType],
    externalId: `endpoint-${marker}`,
    description: `For ${marker}`,
    metadata: { owner: marker },
    config: { headers: { 'x-customer': marker }, retrySchedule: [3_600] },
  });
  return { applicationId, eventType };
}

const send = async (eventType: string, applicationId: string, marker: string) => {
  const headers = { 'x-application-id': applicationId, 'idempotency-key': unique(`key-${marker}-`) };
  const sent = await workspace.ingest(`event/${eventType}`, { card: marker }, headers);
  expect(sent.status).toBe(202);
  return String(sent.body.id);
};

describe('a payload', () => {
  test('docs/interface.md, Erasure: DELETE erases it and what its attempts sent and got, once, and repeats its 204', async () => {
    const customer = await makeCustomer('one');
    const marker = `canary${Date.now().toString(36)}`;
    const sent = await workspace.ingest(
      `event/${customer.eventType}`,
      { card: marker },
      { 'x-application-id': customer.applicationId },
    );
    const eventId = String(sent.body.id);
    const [delivery] = await attempted(eventId, 'delivered');
    for (let n = 0; n < 2; n += 1) {
      expect((await workspace.manage('DELETE', `/events/${eventId}/payload`)).status).toBe(204);
    }
    const stored = await service.stack.db.event.findFirst({ where: { id: fromId('msg', eventId) ?? '' } });
    expect(stored).toMatchObject({ payload: null });
    expect(await placesOf(marker)).toEqual([]);
    const event = await workspace.manage('GET', `/events/${eventId}?include=payload`);
    expect(event.body).toMatchObject({ status: 'matched', payload: { status: 'erased', body: null } });
    const detail = await workspace.manage('GET', `/deliveries/${delivery.id}?include=attempts,payload`);
    expect(detail.body).toMatchObject({ status: 'delivered', payload: { status: 'erased' } });
    expect(detail.body.attempts).toMatchObject([
      { responseStatus: 200, requestHeaders: {}, responseHeaders: null, responseBody: null },
    ]);
    expect(codeOf(await workspace.manage('POST', `/deliveries/${delivery.id}/retry`))).toBe('payload_expired');
    expect(await entries('payload.erased')).toMatchObject([
      { resourceId: eventId, metadata: { changes: { deliveries: { from: 1, to: 0 } } } },
    ]);
  });

  test('docs/interface.md, Erasure: what is still to be delivered ends as cancelled, and is not sent again', async () => {
    status = 500;
    const customer = await makeCustomer('two');
    const eventId = await send(customer.eventType, customer.applicationId, 'two');
    await attempted(eventId, 'scheduled_retry');
    expect((await workspace.manage('DELETE', `/events/${eventId}/payload`)).status).toBe(204);
    expect(await deliveriesOf(eventId)).toMatchObject([{ status: 'failed', failureReason: 'cancelled' }]);
  });

  test('docs/interface.md, Erasure: one of another workspace is not found', async () => {
    const customer = await makeCustomer('three');
    const eventId = await send(customer.eventType, customer.applicationId, 'three');
    const other = await service.another();
    expect(codeOf(await other.manage('DELETE', `/events/${eventId}/payload`))).toBe('not_found');
    expect(codeOf(await workspace.manage('DELETE', `/events/${eventId}x/payload`))).toBe('not_found');
  });
});

describe('a type that keeps payloads for a short time', () => {
  const routeOf = async (payloadRetention: string) => {
    const route = await workspace.makeRoute(receiver.url, { config: { retrySchedule: [3_600] } });
    const changed = await workspace.manage('PATCH', `/event-types/${route.eventTypeId}`, { payloadRetention });
    expect(changed.body).toMatchObject({ payloadRetention });
    return route;
  };
  const sendTo = async ({ eventType }: { eventType: string }) => {
    const sent = await workspace.ingest(`event/${eventType}`, { card: unique('canary-') });
    expect(sent.status).toBe(202);
    return String(sent.body.id);
  };
  const payloadOf = async (eventId: string) =>
    (await workspace.manage('GET', `/events/${eventId}?include=payload`)).body.payload.status;
  const erased = (eventId: string) =>
    waitFor(async () => ((await payloadOf(eventId)) === 'erased' ? true : undefined), { what: 'the payload to go' });

  test('docs/interface.md, Retention: until_ended erases the payload and what attempts sent and got once all are delivered', async () => {
    const eventId = await sendTo(await routeOf('until_ended'));
    const [delivery] = await attempted(eventId, 'delivered');
    await erased(eventId);
    const detail = await workspace.manage('GET', `/deliveries/${delivery.id}?include=attempts`);
    expect(detail.body).toMatchObject({
      status: 'delivered',
      attempts: [{ responseStatus: 200, requestHeaders: {}, responseHeaders: null, responseBody: null }],
    });
  });

  test('docs/interface.md, Retention: until_ended keeps the payload for a retry and for a dead letter', async () => {
    status = 500;
    const route = await routeOf('until_ended');
    const waiting = await sendTo(route);
    await attempted(waiting, 'scheduled_retry');
    await workspace.manage('PATCH', `/endpoints/${route.endpointId}`, { config: { retrySchedule: [] } });
    const dead = await sendTo(route);
    const [deadLetter] = await attempted(dead, 'dead_letter');
    status = 200;
    // This event is accepted after both. Its payload is gone, so the round that erased it has looked at theirs, too.
    const last = await sendTo(route);
    await erased(last);
    expect([await payloadOf(waiting), await payloadOf(dead)]).toEqual(['available', 'available']);
    expect((await workspace.manage('POST', `/deliveries/${deadLetter.id}/retry`)).status).toBe(202);
    await erased(dead);
    expect(await deliveriesOf(dead)).toMatchObject([{ status: 'delivered', totalAttempts: 2 }]);
  });

  test('docs/interface.md, Retention: none allows one attempt, whatever the retry schedule, and then erases the payload', async () => {
    status = 500;
    const eventId = await sendTo(await routeOf('none'));
    await erased(eventId);
    const [delivery] = await deliveriesOf(eventId);
    expect(delivery).toMatchObject({ status: 'dead_letter', failureReason: 'retries_exhausted', totalAttempts: 1 });
    expect(codeOf(await workspace.manage('POST', `/deliveries/${delivery.id}/retry`))).toBe('payload_expired');
  });

  test('docs/interface.md, Retention: none holds for an event with an ordering key, and for one that nobody wants', async () => {
    const route = await routeOf('none');
    const fifo = { url: receiver.url, environmentId: workspace.environmentId, config: { ordering: 'fifo' } };
    await workspace.make('/endpoints', { ...fifo, eventTypes: [route.eventType] });
    const ordered = await workspace.ingest(`event/${route.eventType}`, { n: 1 }, { 'x-ordering-key': 'customer-1' });
    await erased(ordered.body.id);
    expect((await deliveriesOf(ordered.body.id)).map((one: { status: string }) => one.status)).toEqual([
      'delivered',
      'delivered',
    ]);
    const eventType = unique('nobody.wanted_');
    await workspace.make('/event-types', {
      name: eventType,
      publishIn: [workspace.environmentId],
      payloadRetention: 'none',
    });
    await erased(await sendTo({ eventType }));
  });

  test('docs/interface.md, Retention: a consumer that refuses an event of a type with none gets it no second time', async () => {
    const route = await routeOf('none');
    const pull = await workspace.manage('POST', '/endpoints', {
      ...{ type: 'pull', environmentId: workspace.environmentId, eventTypes: [route.eventType] },
      config: { retrySchedule: [1] },
    });
    const call = (name: string, body: object) =>
      service.send('POST', `/api/pull/${pull.body.id}/${name}`, { token: pull.body.pullKey, body });
    const eventId = await sendTo(route);
    const [message] = (await call('lease', { waitSeconds: 10 })).body.messages;
    const { deliveryId, leaseToken } = message;
    await call('nack', { messages: [{ deliveryId, leaseToken, delaySeconds: 0 }] });
    await erased(eventId);
    const deliveries = await deliveriesOf(eventId);
    expect(deliveries.find((one: { endpointId: string }) => one.endpointId === pull.body.id)).toMatchObject({
      ...{ status: 'dead_letter', failureReason: 'retries_exhausted', totalAttempts: 1 },
    });
  });

  test('docs/interface.md, Retention: another value of payloadRetention is refused', async () => {
    const refused = await workspace.manage('POST', '/event-types', { name: unique('a.b_'), payloadRetention: 'day' });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'payloadRetention']);
  });
});

describe('a customer', () => {
  /** Some of the columns that have the customer's name before the erasure. */
  const KEPT = ['application.name', 'endpoint.url', 'attempt.url', 'alert_rule.name', 'pull_key.name'];
  /** Makes a pull endpoint, and a rule that sends alerts about the customer. */
  async function makeMore(applicationId: string, marker: string) {
    const { environmentId } = workspace;
    const body = { type: 'pull', environmentId };
    const pulled = await workspace.manage('POST', `/applications/${applicationId}/endpoints`, body);
    const key = await workspace.manage('POST', `/endpoints/${pulled.body.id}/pull-keys`, { name: `Key of ${marker}` });
    const events = ['posthorn.delivery.dead_letter'];
    const target = `https://127.0.0.1/${marker}`;
    const rule = { name: `Rule for ${marker}`, channel: 'slack', target, events, applicationId };
    const made = await workspace.manage('POST', '/alert-rules', rule);
    expect([pulled.status, key.status, made.status]).toEqual([201, 201, 201]);
  }
  const ended = (id: string) =>
    waitFor(
      async () => {
        const { body } = await workspace.manage('GET', `/operations/${id}`);
        return body.finishedAt === null ? undefined : body;
      },
      { what: 'the erasure to end' },
    );

  test('docs/interface.md, Erasure: leaves no trace in any column of any table, in Redis or in the logs', async () => {
    const marker = `canary${Date.now().toString(36)}`;
    const customer = await makeCustomer(marker);
    const body = { eventType: customer.eventType, data: { card: marker } };
    expect((await workspace.manage('GET', `/applications/ext:external-${marker}`)).status).toBe(200);
    await workspace.manage('POST', `/applications/${customer.applicationId}/portal-sessions`, {});
    await makeMore(customer.applicationId, marker);
    const eventId = await send(customer.eventType, customer.applicationId, marker);
    await attempted(eventId, 'delivered');
    status = 500;
    const open = await workspace.manage('POST', '/events', { ...body, applicationId: customer.applicationId });
    await attempted(open.body.id, 'scheduled_retry');
    const { db } = service.stack;
    expect(await placesOf(marker)).toEqual(expect.arrayContaining(KEPT));
    const started = await workspace.manage('POST', '/erasures', { applicationId: `ext:external-${marker}` });
    expect(started).toMatchObject({
      status: 202,
      body: { type: 'erasure', filter: { applicationId: customer.applicationId } },
    });
    expect(codeOf(await workspace.manage('GET', `/applications/${customer.applicationId}`))).toBe('not_found');
    const operation = await ended(started.body.id);
    expect(operation).toMatchObject({ status: 'completed', matched: 2, enqueued: 2 });
    expect(await placesOf(marker)).toEqual([]);
    for (const id of [eventId, open.body.id]) {
      const read = await workspace.manage('GET', `/events/${id}?include=payload`);
      expect(read.body).toMatchObject({ idempotencyKey: id, payload: { status: 'erased' } });
    }
    const attempts = await db.attempt.findMany({ where: { url: '' } });
    expect(attempts.length).toBeGreaterThanOrEqual(2);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ requestHeaders: {}, responseBodySealed: null, responseHeadersSealed: null });
    }
    const resourceId = customer.applicationId;
    expect(await entries('application.erased')).toMatchObject([{ resourceId, actorType: 'system' }]);
  });

  test('docs/interface.md, Erasure: a filter erases events alone, and a dry run only counts them', async () => {
    const customer = await makeCustomer('five');
    const eventId = await send(customer.eventType, customer.applicationId, 'five');
    await attempted(eventId, 'delivered');
    const { applicationId, eventType } = customer;
    const dry = await workspace.manage('POST', '/erasures', { applicationId, eventTypes: [eventType], dryRun: true });
    expect(dry).toMatchObject({ status: 200, body: { id: null, matched: 1, eventTypes: { [eventType]: 1 } } });
    const none = await workspace.manage('POST', '/erasures', { applicationId, eventTypes: ['other.type'] });
    expect(await ended(none.body.id)).toMatchObject({ matched: 0 });
    const readPayload = async () => (await workspace.manage('GET', `/events/${eventId}?include=payload`)).body.payload;
    expect(await readPayload()).toMatchObject({ status: 'available' });
    const some = await workspace.manage('POST', '/erasures', { applicationId, eventTypes: [eventType] });
    expect(await ended(some.body.id)).toMatchObject({ matched: 1, enqueued: 1 });
    expect(await readPayload()).toMatchObject({ status: 'erased' });
    expect((await workspace.manage('GET', `/applications/${applicationId}`)).body).toMatchObject({ name: 'Name five' });
  });

  test('docs/interface.md, Erasure: needs an admin, or a token with write', async () => {
    const { applicationId } = await makeCustomer('six');
    const member = await workspace.sessionOf('member');
    expect(codeOf(await workspace.dashboard(member, 'POST', '/erasures', { applicationId }))).toBe('forbidden');
    const reader = await service.another({ scopes: ['read'] });
    expect(codeOf(await reader.manage('POST', '/erasures', { applicationId }))).toBe('forbidden');
    expect(codeOf(await workspace.manage('POST', '/erasures', { applicationId: 'app_x' }))).toBe('not_found');
  });
});
