/** @queues redis postgres */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { type Service, startService, type Workspace } from './service.ts';

let service: Service;
let w: Workspace;
beforeAll(async () => {
  service = await startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '1,3600,3600' } });
  w = service.workspace;
});
afterAll(() => service.stop());

type Message = {
  deliveryId: string;
  leaseToken: string;
  eventId: string;
  headers: Record<string, string>;
  body: string;
};
type Consumer = { id: string; secret: string; call: (name: string, body?: object) => ReturnType<Service['send']> };

/** Makes a pull endpoint, and a consumer for it. */
async function makeConsumer(body: object = {}): Promise<Consumer> {
  const { status, body: made } = await w.manage('POST', '/endpoints', { type: 'pull', ...body });
  expect(status).toBe(201);
  const call = (name: string, given: object = {}) =>
    service.send('POST', `/api/pull/${made.id}/${name}`, { token: made.pullKey, body: given });
  return { id: made.id, secret: made.secret, call };
}

const send = async ({ id }: Consumer, data: unknown = { n: 1 }, headers: Record<string, string> = {}) =>
  (await w.ingest(id, data, headers)).body;

const lease = async (consumer: Consumer, body: object = {}): Promise<Message[]> => {
  const reply = await consumer.call('lease', body);
  expect(reply.status).toBe(200);
  return reply.body.messages;
};

const answers = (messages: Message[], more: object = {}) => ({
  messages: messages.map(({ deliveryId, leaseToken }) => ({ deliveryId, leaseToken, ...more })),
});

const deliveryOf = async (id: string) => ({
  ...(await w.manage('GET', `/deliveries/${id}`)).body,
  attempts: (await w.manage('GET', `/deliveries/${id}/attempts`)).body,
});

test('docs/interface.md, Pull: a message is leased with its bytes and a signature that verifies, and an ack delivers it', async () => {
  const consumer = await makeConsumer();
  const sent = await send(consumer, { total: 4200 }, { 'X-Ordering-Key': 'order-7' });
  const [message, ...others] = await lease(consumer, { waitSeconds: 10 });
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    deliveryId: sent.deliveryId,
    eventId: sent.id,
    attemptNumber: 1,
    eventType: null,
    orderingKey: 'order-7',
    headers: { 'content-type': 'application/json', 'webhook-id': sent.id },
  });
  const body = Buffer.from(message?.body ?? '', 'base64');
  expect(JSON.parse(body.toString())).toEqual({ total: 4200 });
  expect(() => new Webhook(consumer.secret).verify(body.toString(), message?.headers ?? {})).not.toThrow();
  expect(await deliveryOf(sent.deliveryId)).toMatchObject({ status: 'delivering' });
  const acked = await consumer.call('ack', answers([message as Message], { responseBody: 'done' }));
  expect(acked.body).toEqual({ results: [{ deliveryId: sent.deliveryId, result: 'settled' }] });
  expect(await deliveryOf(sent.deliveryId)).toMatchObject({
    status: 'delivered',
    totalAttempts: 1,
    lastResponseStatus: 200,
    attempts: [{ number: 1, outcome: 'success', responseStatus: 200, responseBody: 'done', errorCode: null }],
  });
  expect((await consumer.call('ack', answers([message as Message]))).body.results[0].result).toBe('settled');
  expect(await lease(consumer)).toEqual([]);
});

test('docs/interface.md, Pull: a nack with a delay is a failed attempt, and the message comes again with the next attempt', async () => {
  const consumer = await makeConsumer();
  const sent = await send(consumer);
  const [first] = await lease(consumer, { waitSeconds: 10 });
  const given = { delaySeconds: 0, reason: 'the database is away' };
  expect((await consumer.call('nack', answers([first as Message], given))).body.results[0].result).toBe('settled');
  expect((await consumer.call('ack', answers([first as Message]))).body.results[0].result).toBe('lease_lost');
  const [second] = await lease(consumer, { waitSeconds: 10 });
  expect(second).toMatchObject({ deliveryId: sent.deliveryId, attemptNumber: 2 });
  await consumer.call('nack', answers([second as Message], { responseStatus: 503 }));
  const delivery = await deliveryOf(sent.deliveryId);
  expect(delivery).toMatchObject({
    status: 'scheduled_retry',
    totalAttempts: 2,
    attempts: [
      { number: 1, errorCode: 'nacked', errorMessage: 'the database is away', responseStatus: null },
      { number: 2, errorCode: 'http_status', responseStatus: 503 },
    ],
  });
  expect(Date.parse(delivery.nextRetryAt)).toBeGreaterThan(Date.now());
});

test('docs/interface.md, Pull: after the last step of the schedule, a message that is given back is a dead letter', async () => {
  const consumer = await makeConsumer({ config: { retrySchedule: [60] } });
  const sent = await send(consumer);
  for (const attempt of [1, 2]) {
    const messages = await lease(consumer, { waitSeconds: 10 });
    expect(messages).toMatchObject([{ attemptNumber: attempt }]);
    await consumer.call('nack', answers(messages, { delaySeconds: 0 }));
  }
  expect(await deliveryOf(sent.deliveryId)).toMatchObject({
    status: 'dead_letter',
    failureReason: 'retries_exhausted',
    totalAttempts: 2,
  });
});

test('docs/interface.md, Pull: a lease that ends unanswered is an attempt, and an ack counts until somebody else has leased the message', async () => {
  const consumer = await makeConsumer();
  const sent = await send(consumer);
  const [first] = await lease(consumer, { waitSeconds: 10, leaseSeconds: 5 });
  const expired = async () => (await deliveryOf(sent.deliveryId)).totalAttempts === 1;
  await waitFor(expired, { what: 'the lease to end', timeoutMs: 30_000 });
  expect(await deliveryOf(sent.deliveryId)).toMatchObject({
    status: 'pending',
    attempts: [{ number: 1, outcome: 'failure', errorCode: 'lease_expired' }],
  });
  const [second] = await lease(consumer);
  expect(second).toMatchObject({ deliveryId: sent.deliveryId, attemptNumber: 2 });
  expect((await consumer.call('ack', answers([first as Message]))).body.results[0].result).toBe('lease_lost');
  expect((await consumer.call('ack', answers([second as Message]))).body.results[0].result).toBe('settled');

  const late = await send(consumer);
  const leased = await lease(consumer, { waitSeconds: 10, leaseSeconds: 5 });
  const lateExpired = async () => (await deliveryOf(late.deliveryId)).totalAttempts === 1;
  await waitFor(lateExpired, { what: 'the second lease to end', timeoutMs: 30_000 });
  expect((await consumer.call('ack', answers(leased))).body.results[0].result).toBe('settled');
  expect(await deliveryOf(late.deliveryId)).toMatchObject({ status: 'delivered', totalAttempts: 2 });
});

test('docs/interface.md, Pull: extend moves the end of a lease that is held, and of no other', async () => {
  const consumer = await makeConsumer();
  await send(consumer);
  const messages = await lease(consumer, { waitSeconds: 10, leaseSeconds: 5 });
  const [{ deliveryId = '' } = {}] = messages;
  const strange = { deliveryId, leaseToken: '01900000-0000-7000-8000-000000000000', leaseSeconds: 900 };
  const held = answers(messages, { leaseSeconds: 900 });
  const extended = await consumer.call('extend', { messages: [...held.messages, strange] });
  expect(extended.body.results).toMatchObject([{ result: 'settled' }, { result: 'lease_lost', leasedUntil: null }]);
  expect(Date.parse(extended.body.results[0].leasedUntil)).toBeGreaterThan(Date.now() + 600_000);
  await consumer.call('ack', answers(messages));
  const again = await consumer.call('extend', answers(messages, { leaseSeconds: 900 }));
  expect(again.body.results).toMatchObject([{ result: 'lease_lost', leasedUntil: null }]);
});

test('docs/interface.md, Pull: the message that has been due for longest comes first, and max bounds an answer', async () => {
  const consumer = await makeConsumer();
  const sent: string[] = [];
  for (let n = 0; n < 5; n += 1) sent.push((await send(consumer, { n })).deliveryId);
  const first = await lease(consumer, { max: 3 });
  const rest = await lease(consumer, { max: 100 });
  expect([...first, ...rest].map(({ deliveryId }) => deliveryId)).toEqual(sent);
});

test('docs/interface.md, Pull: at a fifo endpoint the messages of a key are leased one after another', async () => {
  const consumer = await makeConsumer({ config: { ordering: 'fifo' } });
  const order = { 'X-Ordering-Key': 'order-1' };
  const sent: string[] = [];
  for (let n = 0; n < 3; n += 1) sent.push((await send(consumer, { n }, order)).deliveryId);
  const other = (await send(consumer, { n: 3 }, { 'X-Ordering-Key': 'order-2' })).deliveryId;
  const first = await lease(consumer, { max: 100 });
  expect(first.map(({ deliveryId }) => deliveryId)).toEqual([sent[0], other]);
  await consumer.call('nack', answers(first.slice(0, 1), { delaySeconds: 0 }));
  const seen: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const [message, ...more] = await lease(consumer, { max: 100, waitSeconds: 10 });
    expect(more).toEqual([]);
    seen.push(message?.deliveryId ?? '');
    await consumer.call('ack', answers([message as Message]));
  }
  expect(seen).toEqual(sent);
});

test('docs/interface.md, Pull: a waiting lease is answered with an event that is sent to a type; what waits is told', async () => {
  const consumer = await makeConsumer();
  const read = async () => (await w.manage('GET', `/endpoints/${consumer.id}`)).body.pull;
  expect(await read()).toEqual({ waiting: 0, oldestAgeSeconds: null, lastLeaseAt: null });
  const { eventType, eventTypeId } = await w.makeRoute('https://93.184.216.34/');
  await w.manage('POST', `/endpoints/${consumer.id}/subscriptions`, { eventTypeIds: [eventTypeId] });
  const waiting = lease(consumer, { waitSeconds: 30 });
  const { body } = await w.ingest(`event/${eventType}`, { n: 1 });
  expect(await waiting).toMatchObject([{ eventId: body.id, eventType }]);
  await send(consumer);
  expect(await read()).toMatchObject({ waiting: 1, oldestAgeSeconds: expect.any(Number) });
  await waitFor(async () => (await read()).lastLeaseAt !== null, { what: 'the time of the lease' });
});

test('docs/interface.md, Pull: settings of requests are refused; an endpoint of another kind has no pull keys', async () => {
  const refused = await Promise.all(
    [
      { config: { rateLimit: { limit: 1, periodSeconds: 1 } } },
      { config: { headers: { a: 'b' } } },
      { config: { maxConcurrency: 1 } },
      { config: { timeoutSeconds: 1 } },
      { secretHeaders: { a: 'b' } },
      { authUsername: 'a', authPassword: 'b' },
      { url: 'https://example.com' },
    ].map((body) => w.manage('POST', '/endpoints', { type: 'pull', ...body })),
  );
  expect(refused.map(({ body }) => body.error?.message)).toEqual([
    'config.rateLimit is not for a pull endpoint: nothing is sent to it',
    'config.headers is not for a pull endpoint: nothing is sent to it',
    'config.maxConcurrency is not for a pull endpoint: nothing is sent to it',
    'config.timeoutSeconds is not for a pull endpoint: nothing is sent to it',
    'secretHeaders is not for a pull endpoint: nothing is sent to it',
    'authUsername is not for a pull endpoint: nothing is sent to it',
    'url of a pull is given by the service',
  ]);
  const webhook = await w.make('/endpoints', { url: 'https://93.184.216.34/' });
  expect(await w.manage('POST', `/endpoints/${webhook}/pull-keys`, {})).toMatchObject({ status: 400 });
  const consumer = await makeConsumer();
  expect(await w.manage('POST', `/endpoints/${consumer.id}/doctor`)).toMatchObject({ status: 400 });
});

test('docs/interface.md, Pull: a key belongs to one endpoint, ends when it is deleted, and an inactive endpoint gives nothing', async () => {
  const [consumer, other] = [await makeConsumer(), await makeConsumer()];
  const { body: made } = await w.manage('POST', `/endpoints/${consumer.id}/pull-keys`, { name: 'Second' });
  expect(made).toMatchObject({ id: expect.stringMatching(/^plk_/), pullKey: expect.stringMatching(/^phpl_/) });
  const call = (id: string) => service.send('POST', `/api/pull/${id}/lease`, { token: made.pullKey, body: {} });
  expect(await call(consumer.id)).toMatchObject({ status: 200 });
  expect(await call(other.id)).toMatchObject({ status: 404 });
  const { body: keys } = await w.manage('GET', `/endpoints/${consumer.id}/pull-keys`);
  expect(keys).toMatchObject([
    { name: '' },
    { id: made.id, name: 'Second', keyPreview: expect.stringMatching(/^phpl_…/) },
  ]);
  expect(JSON.stringify(keys)).not.toContain(made.pullKey);
  expect(await w.manage('DELETE', `/endpoints/${consumer.id}/pull-keys/${made.id}`)).toMatchObject({ status: 204 });
  await waitFor(async () => (await call(consumer.id)).status === 401, { what: 'the end of the key' });
  await send(consumer);
  await w.manage('PATCH', `/endpoints/${consumer.id}`, { isActive: false });
  await waitFor(async () => (await consumer.call('lease')).body.error?.code === 'endpoint_inactive', { what: '409' });
});

test('docs/interface.md, Pull: a test waits for the answer of a consumer, and is sent to an active endpoint alone', async () => {
  const consumer = await makeConsumer();
  const tested = w.manage('POST', `/endpoints/${consumer.id}/test`, { payload: { hello: 'you' } });
  const messages = await lease(consumer, { waitSeconds: 20 });
  expect(JSON.parse(Buffer.from(messages[0]?.body ?? '', 'base64').toString())).toEqual({ hello: 'you' });
  await consumer.call('nack', answers(messages, { responseStatus: 422, responseBody: 'no' }));
  expect(await tested).toMatchObject({
    status: 200,
    body: { trigger: 'test', outcome: 'failure', errorCode: 'http_status', responseStatus: 422, responseBody: 'no' },
  });
  expect(await lease(consumer)).toEqual([]);
  await w.manage('PATCH', `/endpoints/${consumer.id}`, { isActive: false });
  const refused = await w.manage('POST', `/endpoints/${consumer.id}/test`);
  expect(refused.body.error?.code).toBe('endpoint_inactive');
});

test('docs/interface.md, Pull: what waits at an endpoint that is deactivated is not delivered, and can be recovered', async () => {
  const consumer = await makeConsumer({ config: { ordering: 'fifo' } });
  const key = { 'X-Ordering-Key': 'a' };
  const sent = [await send(consumer, 1, key), await send(consumer, 2, key), await send(consumer, 3)];
  await w.manage('PATCH', `/endpoints/${consumer.id}`, { isActive: false });
  const statuses = async () =>
    Promise.all(sent.map(async ({ deliveryId }) => (await deliveryOf(deliveryId)).failureReason));
  const ended = async () => (await statuses()).every((reason) => reason === 'endpoint_inactive');
  await waitFor(ended, { what: 'the deliveries to end', timeoutMs: 30_000 });
  await w.manage('PATCH', `/endpoints/${consumer.id}`, { isActive: true });
  await w.manage('POST', `/deliveries/${sent[0].deliveryId}/retry`);
  await waitFor(async () => (await consumer.call('lease', { max: 1, leaseSeconds: 900 })).body.messages?.length === 1, {
    what: 'the retried message',
  });
});

test('docs/interface.md, Pull: consumers that die and consumers that live never hold the same message, and each is delivered once', async () => {
  const consumer = await makeConsumer({ config: { ordering: 'fifo' } });
  const total = 200;
  const sent: string[] = [];
  // Sends one event of each key at a time, so that the order of each key is known.
  while (sent.length < total) {
    const round = Array.from({ length: 20 }, (_, key) => send(consumer, { key }, { 'X-Ordering-Key': `k${key}` }));
    for (const { deliveryId } of await Promise.all(round)) sent.push(deliveryId);
  }
  const held = new Set<string>();
  const acked: string[] = [];
  const faults: string[] = [];
  let dropped = 0;
  /** Acknowledges, and repeats a refused request as the libraries do. Otherwise the messages would stay leased. */
  const ack = async (messages: Message[]): Promise<{ deliveryId: string; result: string }[]> => {
    if (messages.length === 0) return [];
    const { status, body } = await consumer.call('ack', answers(messages));
    if (status === 200) return body.results;
    if (status !== 429 && status < 500) throw new Error(`ack was answered ${status}: ${JSON.stringify(body)}`);
    return ack(messages);
  };
  const work = async (dies: boolean) => {
    while (acked.length < total) {
      const messages = await lease(consumer, { max: 10, waitSeconds: 2, leaseSeconds: dies ? 5 : 300 });
      // A consumer that dies never acknowledges its first batch, so its lease ends.
      if (dies && messages.length > 0) {
        dropped += messages.length;
        return;
      }
      for (const { deliveryId } of messages) {
        if (held.has(deliveryId)) faults.push(deliveryId);
        held.add(deliveryId);
      }
      for (const { deliveryId, result } of await ack(messages)) if (result === 'settled') acked.push(deliveryId);
    }
  };
  await Promise.all([work(true), work(false), work(false), work(false)]);
  expect(dropped).toBeGreaterThan(0);
  expect(faults).toEqual([]);
  expect([...acked].sort()).toEqual([...sent].sort());
  for (let key = 0; key < 20; key += 1) {
    const ofKey = (ids: string[]) => ids.filter((id) => sent.indexOf(id) % 20 === key);
    expect(ofKey(acked)).toEqual(ofKey(sent));
  }
}, 120_000);
