import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { ageDelivery } from '@posthorn/testkit/age-delivery';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Service, startService, unique } from './service.ts';

const STATUSES = ['pending', 'delivering', 'delivered', 'scheduled_retry', 'failed', 'dead_letter'];
const UNKNOWN = 'dlv_01jczhk8m3fd8tqv5x0w2b9n4e';

let service: Service;
let receiver: Receiver;
/** By the path of a request: a function that is awaited before the receiver answers it. */
const beforeAnswer = new Map<string, () => Promise<void>>();
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respondWith(async ({ url }) => {
    await beforeAnswer.get(url)?.();
    return { status: Number(/status=(\d+)/.exec(url)?.[1] ?? 200), body: 'received' };
  });
  service = await startService({ dispatchers: 1 });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const endpointFor = (status: number, config: object = { retrySchedule: [] }) =>
  service.workspace.make('/endpoints', { url: `${receiver.url}?status=${status}`, config });

async function deliveryWith(id: string, status: string) {
  return waitFor(
    async () => {
      const { body } = await service.workspace.manage('GET', `/deliveries/${id}`);
      return body.status === status ? body : undefined;
    },
    { what: `delivery ${id} to be ${status}` },
  );
}

test('docs/interface.md, Delivery list item: a list item has its fields, and says delivered once the receiver took it', async () => {
  const { ingest, manage } = service.workspace;
  const endpointId = await endpointFor(200);
  const sent = await ingest(endpointId, { n: 1 }, { 'idempotency-key': 'order-1' });
  await deliveryWith(sent.body.deliveryId, 'delivered');
  const { status, body } = await manage('GET', `/endpoints/${endpointId}/deliveries`);
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect([status, body]).toEqual([
    200,
    {
      deliveries: [
        {
          id: sent.body.deliveryId,
          eventId: sent.body.id,
          eventType: null,
          eventTypeName: null,
          idempotencyKey: 'order-1',
          endpointId,
          status: 'delivered',
          failureReason: null,
          totalAttempts: 1,
          lastResponseStatus: 200,
          firstAttemptAt: timestamp,
          deliveredAt: timestamp,
          nextRetryAt: null,
          waitingFor: null,
          hasPayload: true,
          isTest: false,
          createdAt: sent.body.createdAt,
          updatedAt: timestamp,
        },
      ],
      nextCursor: null,
    },
  ]);
});

test('docs/interface.md, Delivery list item: newest first, a page at a time, each exactly once, even while new ones come in', async () => {
  const { ingest, manage } = service.workspace;
  const endpointId = await endpointFor(200);
  const sent: string[] = [];
  for (let n = 0; n < 7; n += 1) sent.unshift((await ingest(endpointId, { n })).body.deliveryId);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await manage('GET', `/endpoints/${endpointId}/deliveries${query}`);
    expect([status, body.deliveries.length <= 2]).toEqual([200, true]);
    seen.push(...body.deliveries.map((one: { id: string }) => one.id));
    cursor = body.nextCursor;
    await ingest(endpointId, 'late');
  }
  expect(seen).toEqual(sent);
});

describe('docs/interface.md, Delivery list item: limit is a number from 1 to 100, 50 when it is not given', () => {
  test.each(['0', '101', '-1', '1.5', 'ten', '', '1e1', '%00', '9'.repeat(400)])(
    'limit=%s is refused',
    async (limit) => {
      const endpointId = await endpointFor(200);
      const reply = await service.workspace.manage('GET', `/endpoints/${endpointId}/deliveries?limit=${limit}`);
      expect([reply.status, codeOf(reply)]).toEqual([400, 'validation_error']);
    },
  );

  test('50 and 100', async () => {
    const { manage, send, apiKey } = { ...service.workspace, send: service.send };
    const endpointId = await endpointFor(200);
    const events = Array.from({ length: 100 }, (_, data) => ({ endpointId, data }));
    const answered = await send('POST', '/api/ingest/batch', { token: apiKey, body: { events } });
    expect(answered.status).toBe(202);
    expect((await manage('GET', `/endpoints/${endpointId}/deliveries`)).body.deliveries).toHaveLength(50);
    const whole = await manage('GET', `/endpoints/${endpointId}/deliveries?limit=100`);
    expect([whole.body.deliveries.length, whole.body.nextCursor]).toEqual([100, null]);
  });
});

test('docs/interface.md, Delivery list item: status filters by each of the six, and refuses any other', async () => {
  const { ingest, manage } = service.workspace;
  const endpointId = await endpointFor(500, { retrySchedule: [3_600] });
  const sent = await ingest(endpointId, {});
  await deliveryWith(sent.body.deliveryId, 'scheduled_retry');
  for (const status of STATUSES) {
    const { body } = await manage('GET', `/endpoints/${endpointId}/deliveries?status=${status}`);
    const ids = body.deliveries.map((one: { id: string }) => one.id);
    expect([status, ids]).toEqual([status, status === 'scheduled_retry' ? [sent.body.deliveryId] : []]);
  }
  for (const status of ['Delivered', 'done', '', 'delivered,failed']) {
    const reply = await manage('GET', `/endpoints/${endpointId}/deliveries?status=${status}`);
    expect([status, codeOf(reply)]).toEqual([status, 'validation_error']);
  }
});

test('docs/interface.md, Changes while deliveries wait: one goes on without its subscription and its published type, and has the new URL', async () => {
  const { environmentId, ingest, makeRoute, manage } = service.workspace;
  const config = { retrySchedule: [3_600] };
  const { endpointId, eventType, eventTypeId } = await makeRoute(`${receiver.url}?status=500`, { config });
  await ingest(`event/${eventType}`, { n: 1 });
  const waiting = await waitFor(
    async () => {
      const { body } = await manage('GET', `/endpoints/${endpointId}/deliveries`);
      return body.deliveries.find(({ status }: { status: string }) => status === 'scheduled_retry');
    },
    { what: 'a retry that waits' },
  );
  for (const [method, path, body] of [
    ['DELETE', `/endpoints/${endpointId}/subscriptions/${eventTypeId}`],
    ['PUT', `/environments/${environmentId}/event-types/${eventTypeId}/visibility`, { published: false }],
    ['PATCH', `/endpoints/${endpointId}`, { url: `${receiver.url}?status=200` }],
  ] as const) {
    expect((await manage(method, path, body)).status).toBeLessThan(300);
  }
  await service.stack.db.$executeRaw`
    update delivery set due_at = now() where id = ${fromId('dlv', waiting.id)}::uuid and status = 'scheduled_retry'`;
  expect(await deliveryWith(waiting.id, 'delivered')).toMatchObject({ totalAttempts: 2, lastResponseStatus: 200 });
});

test('docs/interface.md, Retention: those older than 7 days are not returned', async () => {
  const { ingest, manage } = service.workspace;
  const endpointId = await endpointFor(200);
  const sent = await ingest(endpointId, {});
  await deliveryWith(sent.body.deliveryId, 'delivered');
  const listed = async () => (await manage('GET', `/endpoints/${endpointId}/deliveries`)).body.deliveries.length;
  expect(await listed()).toBe(1);
  const inside = await ageDelivery(service.stack, sent.body.deliveryId, 7 * 86_400_000 - 60_000);
  expect(await listed()).toBe(1);
  await ageDelivery(service.stack, inside, 7 * 86_400_000 + 1_000);
  expect(await listed()).toBe(0);
});

test('docs/interface.md, Delivery detail: status fields; with include=payload the envelope and the decrypted body', async () => {
  const { ingest, manage } = service.workspace;
  const endpointId = await endpointFor(200);
  const sent = await ingest(endpointId, '{"a": 1.0}');
  const id = sent.body.deliveryId;
  await deliveryWith(id, 'delivered');
  const [item] = (await manage('GET', `/endpoints/${endpointId}/deliveries`)).body.deliveries;
  for (const path of [`/endpoints/${endpointId}/deliveries/${id}`, `/deliveries/${id}`]) {
    const bare = await manage('GET', path);
    expect([bare.status, bare.body]).toEqual([200, { ...item, cancelReason: null }]);
    const { body } = await manage('GET', `${path}?include=payload`);
    expect(body).toEqual({
      ...item,
      cancelReason: null,
      payload: {
        status: 'available',
        contentType: 'application/json',
        encoding: 'utf8',
        size: 10,
        sha256: createHash('sha256').update('{"a": 1.0}').digest('hex'),
        body: '{"a": 1.0}',
      },
    });
  }
  const both = await manage('GET', `/deliveries/${id}?include=payload,attempts`);
  expect(both.body.attempts).toEqual((await manage('GET', `/deliveries/${id}/attempts`)).body);
  expect(codeOf(await manage('GET', `/deliveries/${id}?include=everything`))).toBe('validation_error');
});

test('docs/interface.md, Delivery detail: the envelope says in every case why there is no body, with 200', async () => {
  const { ingest, manage } = service.workspace;
  const empty = await ingest(await endpointFor(200), '');
  const { status, body } = await manage('GET', `/deliveries/${empty.body.deliveryId}?include=payload`);
  expect([status, body.hasPayload, body.payload.status, body.payload.body]).toEqual([200, false, 'not_stored', null]);

  for (const [options, wanted] of [
    [{ plan: 'free' as const }, 'plan_required'],
    [{ scopes: ['read', 'write'] as const }, 'forbidden'],
  ] as const) {
    const other = await service.another(options);
    const endpointId = await other.make('/endpoints', { url: receiver.url });
    const sent = await other.ingest(endpointId, { secret: 'canary' });
    const reply = await other.manage('GET', `/deliveries/${sent.body.deliveryId}?include=payload`);
    expect([reply.status, reply.body.payload.status, reply.body.payload.body]).toEqual([200, wanted, null]);
    expect(reply.text).not.toContain('canary');
  }
});

test('docs/interface.md, Delivery detail: a missing delivery and one of another workspace give the same 404', async () => {
  const { manage } = service.workspace;
  const other = await service.another();
  const endpointId = await other.make('/endpoints', { url: receiver.url });
  const foreign = (await other.ingest(endpointId, {})).body.deliveryId;
  const mine = await endpointFor(200);
  for (const path of ['/deliveries/', `/endpoints/${mine}/deliveries/`]) {
    const replies = await Promise.all([foreign, UNKNOWN, 'dlv_x', '%00'].map((id) => manage('GET', path + id)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['404 {"error":{"code":"not_found","message":"Delivery not found"}}']),
    );
  }
});

test('docs/interface.md, Attempt: what was sent and answered, with credentials redacted', async () => {
  const { make, ingest, manage } = service.workspace;
  const endpointId = await make('/endpoints', {
    url: `${receiver.url}?status=503`,
    ...{ authUsername: 'ada', authPassword: 'pass-canary', config: { retrySchedule: [] } },
  });
  const sent = await ingest(endpointId, {});
  await deliveryWith(sent.body.deliveryId, 'dead_letter');
  const { body, text } = await manage('GET', `/deliveries/${sent.body.deliveryId}/attempts`);
  expect(body).toMatchObject([
    {
      ...{ number: 1, trigger: 'schedule', outcome: 'failure', responseStatus: 503, responseBody: 'received' },
      ...{ responseTruncated: false, errorCode: 'http_status', url: `${receiver.url}?status=503` },
    },
  ]);
  expect(text).not.toContain(Buffer.from('ada:pass-canary').toString('base64'));
});

test('docs/interface.md, Attempt: an answer without a body has an empty responseBody, and null means that nothing is kept', async () => {
  const { ingest, manage } = service.workspace;
  const sent = await ingest(await endpointFor(204), {});
  await deliveryWith(sent.body.deliveryId, 'delivered');
  const { body } = await manage('GET', `/deliveries/${sent.body.deliveryId}/attempts`);
  expect(body).toMatchObject([{ responseStatus: 204, responseBody: '', responseTruncated: false }]);
  expect(body[0].responseHeaders).not.toBeNull();
});

describe('docs/interface.md, Transitions: what a delivery becomes', () => {
  test.each([
    ['200', 200, 'delivered', null],
    ['204', 204, 'delivered', null],
    ['302, which is not followed', 302, 'dead_letter', 'retries_exhausted'],
    ['404', 404, 'dead_letter', 'retries_exhausted'],
    ['410', 410, 'failed', 'gone'],
    ['500', 500, 'dead_letter', 'retries_exhausted'],
  ])('after %s', async (_, answer, status, failureReason) => {
    const sent = await service.workspace.ingest(await endpointFor(answer), {});
    expect(await deliveryWith(sent.body.deliveryId, status)).toMatchObject({
      ...{ failureReason, totalAttempts: 1, lastResponseStatus: answer, nextRetryAt: null },
    });
  });

  test('direct ingestion to an inactive endpoint is accepted, and failed with endpoint_inactive', async () => {
    const endpointId = await endpointFor(200);
    await service.workspace.manage('PATCH', `/endpoints/${endpointId}`, { isActive: false });
    const sent = await service.workspace.ingest(endpointId, {});
    expect(sent.status).toBe(202);
    expect((await deliveryWith(sent.body.deliveryId, 'failed')).failureReason).toBe('endpoint_inactive');
  });
});

test('docs/interface.md, Delivery request: the request has the headers of the contract, and a signature that verifies', async () => {
  const { manage, makeRoute, ingest } = service.workspace;
  const { endpointId, eventType } = await makeRoute(`${receiver.url}?signed`, {
    ...{ authUsername: 'ada', authPassword: 'secret', config: { headers: { 'x-tenant': 'acme' } } },
  });
  const payload = '{"b" : 1.0, "a":"\\u00e9"}';
  const sent = await ingest(`event/${eventType}`, payload, { 'idempotency-key': unique('signed-') });
  const request = await waitFor(() => receiver.requests.find(({ headers }) => headers['webhook-id'] === sent.body.id), {
    what: 'the request',
  });
  const { secret } = (await manage('GET', `/endpoints/${endpointId}`)).body;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${sent.body.id}.${request.headers['webhook-timestamp']}.${payload}`;
  expect(request.method).toBe('POST');
  expect(request.body.toString()).toBe(payload);
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': sent.body.id,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    'webhook-event-type': eventType,
    'webhook-delivery-id': expect.stringMatching(/^dlv_/),
    'webhook-attempt': '1',
    'idempotency-key': sent.body.idempotencyKey,
    'user-agent': expect.stringMatching(/^Posthorn\/\d/),
    authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}`,
    'x-tenant': 'acme',
  });
});

test('docs/interface.md, Manual retry: a retry is due now and counts on; a cancelled or missing one is refused as it should', async () => {
  const { manage, ingest } = service.workspace;
  const endpointId = await endpointFor(500);
  const sent = await ingest(endpointId, {});
  const id = sent.body.deliveryId;
  await deliveryWith(id, 'dead_letter');
  await manage('PATCH', `/endpoints/${endpointId}`, { url: receiver.url });
  const retried = await manage('POST', `/deliveries/${id}/retry`);
  expect([retried.status, retried.body.status, retried.body.failureReason]).toEqual([202, 'pending', null]);
  expect(await deliveryWith(id, 'delivered')).toMatchObject({ totalAttempts: 2, failureReason: null });
  const { body } = await manage('GET', `/deliveries/${id}/attempts`);
  expect(body.map((one: { number: number; trigger: string }) => [one.number, one.trigger])).toEqual([
    [1, 'schedule'],
    [2, 'manual'],
  ]);
  expect(codeOf(await manage('POST', `/deliveries/${UNKNOWN}/retry`))).toBe('not_found');
});

test('docs/interface.md, Cancel: a delivery that waits for its next attempt ends as cancelled; one that has ended does not change', async () => {
  const { manage, ingest } = service.workspace;
  const endpointId = await endpointFor(500, { retrySchedule: [3_600] });
  const id = (await ingest(endpointId, {})).body.deliveryId;
  await deliveryWith(id, 'scheduled_retry');
  const cancelled = await manage('POST', `/deliveries/${id}/cancel`);
  expect([cancelled.status, cancelled.body]).toEqual([
    200,
    expect.objectContaining({ id, status: 'failed', failureReason: 'cancelled', nextRetryAt: null, totalAttempts: 1 }),
  ]);
  expect(codeOf(await manage('POST', `/deliveries/${id}/cancel`))).toBe('not_cancellable');
  expect(codeOf(await manage('POST', `/deliveries/${UNKNOWN}/cancel`))).toBe('not_found');
});

describe('docs/interface.md, Cancel: while the first request of an event is on the way', () => {
  /** Sends an event to a new endpoint, and calls `act` while the receiver holds its response. */
  async function whileUnderWay<T>(act: (eventId: string) => Promise<T>) {
    const { ingest, makeRoute } = service.workspace;
    const path = `/${unique('held')}`;
    const { eventType } = await makeRoute(new URL(path, receiver.url).href);
    let eventId = '';
    let acted: { result: T } | undefined;
    beforeAnswer.set(path, async () => {
      beforeAnswer.delete(path);
      acted = { result: await act(await waitFor(() => eventId, { what: 'the id of the event' })) };
    });
    eventId = (await ingest(`event/${eventType}`, {})).body.id;
    const { result } = await waitFor(() => acted, { what: 'the request to be acted on' });
    return { eventId, result };
  }

  const deliveriesOf = async (eventId: string) =>
    (await service.workspace.manage('GET', `/events/${eventId}/deliveries`)).body.deliveries;

  test('the event cannot be cancelled, and no answer denies that the request was sent', async () => {
    const { manage } = service.workspace;
    const { eventId, result } = await whileUnderWay((id) => manage('POST', `/events/${id}/cancel`));
    expect([result.status, codeOf(result)]).toEqual([409, 'not_cancellable']);
    const [{ id }] = await deliveriesOf(eventId);
    await deliveryWith(id, 'delivered');
    expect((await manage('GET', `/events/${eventId}`)).body.status).toBe('matched');
  });

  test('the delivery is shown as delivering when the answer takes long, and as delivered after it', async () => {
    const { result } = await whileUnderWay((eventId) =>
      waitFor(
        async () => {
          const [one] = await deliveriesOf(eventId);
          return one?.status === 'delivering' ? one : undefined;
        },
        { what: 'the delivery to be shown' },
      ),
    );
    expect(await deliveryWith(result.id, 'delivered')).toMatchObject({ totalAttempts: 1 });
  });
});

test('docs/interface.md, Attempt: limit shows the newest, oldest first, and Link leads to those before them', async () => {
  const { manage, ingest } = service.workspace;
  const endpointId = await endpointFor(500, { retrySchedule: [1, 1] });
  const id = (await ingest(endpointId, {})).body.deliveryId;
  await deliveryWith(id, 'dead_letter');
  const numbers = (reply: { body: { number: number }[] }) => reply.body.map(({ number }) => number);
  const newest = await manage('GET', `/deliveries/${id}/attempts?limit=2`);
  expect(numbers(newest)).toEqual([2, 3]);
  const next = /^<attempts\?(.+)>; rel="next"$/.exec(newest.headers.get('link') ?? '')?.[1];
  const older = await manage('GET', `/deliveries/${id}/attempts?${next}`);
  expect([numbers(older), older.headers.get('link')]).toEqual([[1], null]);
});

test('docs/interface.md, Delivery list item: GET M/deliveries filters over the workspace, deleted endpoints included', async () => {
  const { manage, makeRoute, ingest, environmentId } = service.workspace;
  const { endpointId, eventType } = await makeRoute(receiver.url);
  const sent = await ingest(`event/${eventType}`, {});
  const [item] = await waitFor(
    async () => {
      const { body } = await manage('GET', `/deliveries?endpoint_id=${endpointId}&status=delivered`);
      return body.deliveries.length === 1 && body.deliveries;
    },
    { what: 'the delivery' },
  );
  const found = async (query: string) => {
    const { status, body } = await manage('GET', `/deliveries?limit=100&${query}`);
    return status === 200 && body.deliveries.some((one: { id: string }) => one.id === item.id);
  };
  const at = Date.parse(sent.body.createdAt);
  const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  for (const [query, is] of [
    [`event_type=${eventType}`, true],
    ['event_type=another.type', false],
    [`environment_id=${environmentId}`, true],
    [`from=${iso(at)}`, true],
    [`from=${iso(at + 1)}`, false],
    [`to=${iso(at)}`, false],
    [`to=${iso(at + 1)}`, true],
    [`event_type=${eventType}&status=failed`, false],
  ] as const) {
    expect([query, await found(query)]).toEqual([query, is]);
  }
  await manage('DELETE', `/endpoints/${endpointId}`);
  expect(await found(`endpoint_id=${endpointId}`)).toBe(true);
  expect((await manage('GET', `/endpoints/${endpointId}/deliveries/${item.id}`)).status).toBe(200);
  expect(codeOf(await manage('GET', '/deliveries?endpoint_id=ep_01jczhk8m3fd8tqv5x0w2b9n4e'))).toBe('not_found');
  expect(codeOf(await manage('GET', '/deliveries?environment_id=env_01jczhk8m3fd8tqv5x0w2b9n4e'))).toBe('not_found');
  expect(codeOf(await manage('GET', '/deliveries?from=2026-11-21T10:00:00'))).toBe('validation_error');
});
