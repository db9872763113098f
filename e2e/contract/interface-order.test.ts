import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ReceivedRequest, type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Service, startService, unique } from './service.ts';

let service: Service;
let receiver: Receiver;
let session: string;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ dispatchers: 2 });
  session = await service.workspace.sessionOf('member');
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const FIFO = { config: { ordering: 'fifo', retrySchedule: [1, 1, 1] } };

/** The path of one endpoint at the receiver, so that each test sees its own requests. */
const routeTo = async (more: object = FIFO) => {
  const path = unique('order-');
  const route = await service.workspace.makeRoute(`${receiver.url}${path}`, more);
  const requests = () => receiver.requests.filter((request) => request.url === `/${path}`);
  return { ...route, path, requests };
};

const numberOf = (request: ReceivedRequest): number => JSON.parse(request.body.toString()).n;
const both = async (path: string) => {
  const [managed, dashboard] = [
    await service.workspace.manage('GET', path),
    await service.workspace.dashboard(session, 'GET', path),
  ];
  expect(dashboard.body).toEqual(managed.body);
  return managed.body;
};

/** For a path of the receiver, a promise that delays the responses until it resolves. */
const gates = new Map<string, Promise<void>>();
const failing = new Set<string>();
beforeAll(() => {
  receiver.respondWith(async (request) => {
    await gates.get(request.url.slice(1));
    return failing.delete(`${request.url} ${numberOf(request)}`) ? { status: 500 } : {};
  });
});

const hold = (path: string) => {
  let open = () => {};
  gates.set(path, new Promise<void>((resolve) => (open = resolve)));
  return () => {
    gates.delete(path);
    open();
  };
};

describe('the order of a key', () => {
  test('docs/interface.md, Order: deliveries of one key are sent in the order of acceptance, also over retries, single, batch and direct', async () => {
    const { ingest } = service.workspace;
    const { eventType, endpointId, path, requests } = await routeTo();
    for (const n of [2, 7, 8]) failing.add(`/${path} ${n}`);
    const key = { 'x-ordering-key': 'customer-1' };
    for (let n = 0; n < 5; n += 1) expect((await ingest(`event/${eventType}`, { n }, key)).status).toBe(202);
    const items = Array.from({ length: 10 }, (_, at) => ({
      ...(at % 3 === 1 ? { endpointId } : { eventType }),
      ...{ orderingKey: 'customer-1', data: { n: at + 5 } },
    }));
    const batch = await ingest('batch', { events: items });
    expect(batch.body.results.filter((one: { error?: object }) => one.error)).toEqual([]);
    for (let n = 15; n < 20; n += 1) await ingest(n % 2 === 0 ? endpointId : `event/${eventType}`, { n }, key);
    await waitFor(() => requests().length === 23, { what: '20 deliveries and 3 retries', timeoutMs: 30_000 });
    const retried = (n: number) => ([2, 7, 8].includes(n) ? [n, n] : [n]);
    expect(requests().map(numberOf)).toEqual(Array.from({ length: 20 }, (_, n) => retried(n)).flat());
  });

  test('docs/interface.md, Order: what waits is pending and names the head, at both doors; keys are independent, and events without one are not ordered', async () => {
    const { ingest, manage } = service.workspace;
    const { eventType, endpointId, path, requests } = await routeTo();
    const open = hold(path);
    const sent = [];
    for (let n = 0; n < 3; n += 1) sent.push((await ingest(endpointId, { n }, { 'x-ordering-key': 'a' })).body);
    await waitFor(() => requests().length === 1, { what: 'the head' });
    await ingest(`event/${eventType}`, { n: 10 }, { 'x-ordering-key': 'b' });
    await ingest(`event/${eventType}`, { n: 11 });
    await ingest(`event/${eventType}`, { n: 12 });
    await waitFor(() => requests().length === 4, { what: 'the other key and the events without one' });
    const [head, second, third] = sent.map((one) => one.deliveryId);
    expect(await both(`/deliveries/${head}`)).toMatchObject({ status: 'delivering', waitingFor: null });
    for (const id of [second, third]) {
      expect(await both(`/deliveries/${id}`)).toMatchObject({ status: 'pending', waitingFor: head, nextRetryAt: null });
    }
    const listed = (await both(`/endpoints/${endpointId}/deliveries?status=pending`)).deliveries;
    expect(listed.map((one: { id: string; waitingFor: string }) => [one.id, one.waitingFor])).toEqual([
      [third, head],
      [second, head],
    ]);
    const trace = await both(`/events/${sent[1].id}/trace`);
    expect(trace.endpoints[0].delivery).toMatchObject({ id: second, status: 'pending', waitingFor: head });
    expect(await both(`/events/${sent[1].id}`)).toMatchObject({ orderingKey: 'a', deliverAt: null, status: 'matched' });
    expect(codeOf(await manage('POST', `/deliveries/${second}/cancel`))).toBe(200);
    open();
    await waitFor(() => requests().length === 5, { what: 'the third' });
    expect(requests().map(numberOf).at(-1)).toBe(2);
    expect(await both(`/deliveries/${second}`)).toMatchObject({ status: 'failed', waitingFor: null });
  });

  test('docs/interface.md, Order: a manual retry and a recovery of ended deliveries are sent when it is their turn among what is open', async () => {
    const { ingest, manage } = service.workspace;
    const { endpointId, path, requests } = await routeTo();
    const key = { 'x-ordering-key': 'a' };
    const first = (await ingest(endpointId, { n: 0 }, key)).body;
    await waitFor(async () => (await manage('GET', `/deliveries/${first.deliveryId}`)).body.status === 'delivered', {
      what: 'the first',
    });
    const open = hold(path);
    for (let n = 1; n < 4; n += 1) await ingest(endpointId, { n }, key);
    await waitFor(() => requests().length === 2, { what: 'the head' });
    const retried = await manage('POST', `/deliveries/${first.deliveryId}/retry`);
    expect([retried.status, retried.body.status, retried.body.nextRetryAt]).toEqual([202, 'pending', null]);
    expect(retried.body.waitingFor).toMatch(/^dlv_/);
    open();
    await waitFor(() => requests().length === 5, { what: 'all' });
    expect(requests().map(numberOf)).toEqual([0, 1, 0, 2, 3]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    await waitFor(
      async () =>
        (await manage('GET', `/endpoints/${endpointId}/deliveries?status=delivered`)).body.deliveries.length === 4,
      { what: 'their ends' },
    );
    expect((await manage('POST', `/endpoints/${endpointId}/recover`, { since, mode: 'all' })).status).toBe(202);
    await waitFor(() => requests().length === 9, { what: 'the recovery' });
    expect(requests().map(numberOf).slice(5)).toEqual([0, 1, 2, 3]);
  });

  test('docs/interface.md, Order: switching fifo off releases what waits; switching it on holds what is fanned out from then on', async () => {
    const { ingest, manage } = service.workspace;
    const { endpointId, path, requests } = await routeTo({});
    const open = hold(path);
    const send = (n: number) => ingest(endpointId, { n }, { 'x-ordering-key': 'a' });
    for (let n = 0; n < 2; n += 1) await send(n);
    await waitFor(() => requests().length === 2, { what: 'both without an order' });
    const ordering = async (value: string) =>
      expect((await manage('PATCH', `/endpoints/${endpointId}`, { config: { ordering: value } })).body.config).toEqual({
        ordering: value,
      });
    await ordering('fifo');
    for (let n = 2; n < 5; n += 1) await send(n);
    await waitFor(() => requests().length === 3, { what: 'one more' });
    await ordering('none');
    await waitFor(() => requests().length === 5, { what: 'what waited' });
    open();
  });
});

type Event = { id: string; status: string; deliverAt: string | null };
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('the time of an event', () => {
  test('docs/interface.md, Time: a scheduled event is matched and delivered at its time, not before; until then it is scheduled', async () => {
    const { ingest, manage } = service.workspace;
    const { eventType, eventTypeId, requests } = await routeTo({});
    const tomorrow = inMs(20 * 3_600_000);
    const kept = (await ingest(`event/${eventType}`, { n: 1 }, { 'x-deliver-at': tomorrow })).body;
    expect(await both(`/events/${kept.id}`)).toMatchObject({ status: 'scheduled', deliverAt: tomorrow });
    const scheduled = async () =>
      (await both(`/events?status=scheduled&event_type=${eventType}`)).events.map((one: Event) => one.id);
    expect(await scheduled()).toEqual([kept.id]);
    for (const status of ['matching', 'matched', 'unmatched', 'cancelled']) {
      expect((await both(`/events?status=${status}&event_type=${eventType}`)).events).toEqual([]);
    }
    const trace = await both(`/events/${kept.id}/trace`);
    expect([trace.fannedOutAt, trace.endpoints[0].decision]).toEqual([null, 'waiting']);
    const late = await routeTo({});
    // Only one request lies between the acceptance and the event's time, but it may take long on a busy machine.
    const at = inMs(2_500);
    const sent = (await ingest(`event/${eventType}`, { n: 0 }, { 'x-deliver-at': at })).body;
    await manage('POST', `/endpoints/${late.endpointId}/subscriptions`, { eventTypeIds: [eventTypeId] });
    await waitFor(() => requests().length + late.requests().length === 2, { what: 'both endpoints' });
    for (const request of [...requests(), ...late.requests()]) {
      expect(request.at.getTime()).toBeGreaterThanOrEqual(new Date(at).getTime());
    }
    await waitFor(async () => (await manage('GET', `/events/${sent.id}`)).body.status === 'matched', {
      what: 'its status',
    });
    expect(await scheduled()).toEqual([kept.id]);
  });

  test('docs/interface.md, Time: a direct event has its delivery at once, due at its time', async () => {
    const { ingest, manage } = service.workspace;
    const { endpointId, requests } = await routeTo({});
    const tomorrow = inMs(20 * 3_600_000);
    const kept = (await ingest(endpointId, { n: 1 }, { 'x-deliver-at': tomorrow })).body;
    expect((await manage('GET', `/deliveries/${kept.deliveryId}`)).body).toMatchObject({ status: 'pending' });
    expect((await manage('GET', `/events/${kept.id}`)).body).toMatchObject({
      status: 'scheduled',
      deliverAt: tomorrow,
    });
    const at = inMs(1_500);
    const sent = (await ingest(endpointId, { n: 0 }, { 'x-deliver-at': at })).body;
    await waitFor(() => requests().length > 0, { what: 'the delivery' });
    expect(requests().map(numberOf)).toEqual([0]);
    expect(requests()[0]?.at.getTime()).toBeGreaterThanOrEqual(new Date(at).getTime());
    await waitFor(async () => (await manage('GET', `/events/${sent.id}`)).body.status === 'matched', {
      what: 'its status',
    });
  });

  test('docs/interface.md, Time: until its time an event can be cancelled, also a direct one; then it never is delivered', async () => {
    const { ingest, manage, dashboard } = service.workspace;
    const { eventType, endpointId, requests } = await routeTo({});
    const at = inMs(3_000);
    const headers = { 'x-deliver-at': at };
    const fanned = (await ingest(`event/${eventType}`, { n: 0 }, headers)).body;
    const direct = (await ingest(endpointId, { n: 1 }, headers)).body;
    expect((await manage('POST', `/events/${fanned.id}/cancel`)).body.status).toBe('cancelled');
    expect((await dashboard(session, 'POST', `/events/${direct.id}/cancel`)).body.status).toBe('cancelled');
    expect(codeOf(await manage('POST', `/events/${fanned.id}/cancel`))).toBe('not_cancellable');
    const later = new Date(Date.parse(at) + 500).toISOString();
    const after = (await ingest(endpointId, { n: 2 }, { 'x-deliver-at': later })).body;
    await waitFor(() => requests().length > 0, { what: 'a later one' });
    expect(requests().map(numberOf)).toEqual([2]);
    await waitFor(async () => (await manage('GET', `/events/${after.id}`)).body.status === 'matched', {
      what: 'its status',
    });
  });

  test('docs/interface.md, Time: one that has passed means now and is kept as it was given; in a batch it is deliverAt', async () => {
    const { ingest, manage } = service.workspace;
    const { eventType, endpointId, requests } = await routeTo({});
    const passed = '2026-01-02T03:04:05+02:00';
    const one = (await ingest(`event/${eventType}`, { n: 0 }, { 'x-deliver-at': passed })).body;
    await waitFor(() => requests().length === 1, { what: 'the first' });
    expect((await manage('GET', `/events/${one.id}`)).body.deliverAt).toBe('2026-01-02T01:04:05.000Z');
    const [at, tomorrow] = [inMs(1_200), inMs(20 * 3_600_000)];
    const events = [
      { eventType, deliverAt: at, orderingKey: 'a', data: { n: 1 } },
      { endpointId, deliverAt: at, data: { n: 2 } },
      { eventType, deliverAt: tomorrow, orderingKey: 'a', data: { n: 3 } },
      { eventType, deliverAt: inMs(25 * 3_600_000), data: 0 },
      { eventType, deliverAt: 'tomorrow', data: 0 },
      { eventType, deliverAt: `2026-01-02T03:04:05.${'1'.repeat(64)}Z`, data: 0 },
    ];
    const { results } = (await ingest('batch', { events })).body;
    expect(results.map((result: { error?: { message: string } }) => result.error?.message)).toEqual([
      undefined,
      undefined,
      undefined,
      'deliverAt must be at most 24 hours ahead',
      'deliverAt must be an RFC 3339 date-time with an offset',
      'deliverAt must be at most 64 characters',
    ]);
    expect((await manage('GET', `/events/${results[0].id}`)).body).toMatchObject({ orderingKey: 'a', deliverAt: at });
    const kept = (await manage('GET', `/events/${results[2].id}`)).body;
    expect(kept).toMatchObject({ status: 'scheduled', orderingKey: 'a', deliverAt: tomorrow });
    await waitFor(() => requests().length === 3, { what: 'both' });
  });

  test('docs/interface.md, Time: a scheduled event takes its place in the order at its time', async () => {
    const { ingest } = service.workspace;
    const { eventType, endpointId, path, requests } = await routeTo();
    // The events 0 to 3 must be accepted before this time.
    const at = inMs(3_000);
    const send = (target: string, n: number, headers = {}) =>
      ingest(target, { n }, { 'x-ordering-key': 'a', ...headers });
    await send(`event/${eventType}`, 4, { 'x-deliver-at': at });
    await send(endpointId, 5, { 'x-deliver-at': new Date(Date.parse(at) + 1).toISOString() });
    for (let n = 0; n < 2; n += 1) await send(`event/${eventType}`, n);
    await waitFor(() => requests().length === 2, { what: 'the events before it' });
    const open = hold(path);
    await send(endpointId, 2);
    await send(`event/${eventType}`, 3);
    await waitFor(() => Date.now() > Date.parse(at) + 50, { what: 'the time' });
    await send(`event/${eventType}`, 6);
    await send(endpointId, 7);
    open();
    await waitFor(() => requests().length === 8, { what: 'all' });
    expect(requests().map(numberOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('docs/interface.md, Idempotency: order and time are part of a request once they are sent', async () => {
    const { ingest } = service.workspace;
    const { eventType } = await routeTo({});
    const send = (headers: Record<string, string>) => ingest(`event/${eventType}`, { n: 0 }, headers);
    const plain = { 'idempotency-key': unique('key-') };
    expect((await send(plain)).body.duplicate).toBe(false);
    expect((await send(plain)).body.duplicate).toBe(true);
    expect(codeOf(await send({ ...plain, 'x-ordering-key': 'a' }))).toBe('idempotency_conflict');
    const full = { 'idempotency-key': unique('key-'), 'x-ordering-key': 'a', 'x-deliver-at': inMs(0) };
    expect((await send(full)).body.duplicate).toBe(false);
    expect((await send(full)).body.duplicate).toBe(true);
    expect(codeOf(await send({ ...full, 'x-ordering-key': 'b' }))).toBe('idempotency_conflict');
    expect(codeOf(await send({ ...full, 'x-deliver-at': inMs(60_000) }))).toBe('idempotency_conflict');
  });
});
