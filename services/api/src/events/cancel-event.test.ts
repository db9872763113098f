import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { withConnection } from '@posthorn/db/connection';
import { testRedis } from '@posthorn/testkit/database';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';
import { fanOutTo } from '../../test/fan-out.ts';
import { uuidOf } from '../../test/people.ts';

// Without Redis, events are matched where they are accepted although no dispatcher is there.
const api = await startApi({ queue: testRedis(), rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
let endpoints: string[];
let eventId: string;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  endpoints = [];
  for (let n = 0; n < 3; n += 1) {
    endpoints.push((await call('post', '/endpoints', { url: `https://127.0.0.1/${n}` })).body.id);
  }
  await call('post', '/event-types', { name: 'order.created', publishIn: [workspace.environmentId] });
  const sent = await request(api.app)
    .post('/api/ingest/event/order.created')
    .set('authorization', `Bearer ${workspace.apiKey}`)
    .send({ n: 1 });
  eventId = sent.body.id;
});

const cancel = () => call('post', `/events/${eventId}/cancel`);
const fanOut = () =>
  fanOutTo(
    api.db,
    uuidOf('msg', eventId),
    endpoints.map((id) => uuidOf('ep', id)),
  );
const deliveries = () =>
  api.db.delivery.findMany({ where: { eventId: uuidOf('msg', eventId) }, orderBy: { id: 'asc' } });
const entries = () =>
  api.db.auditEntry.findMany({
    where: { workspaceId: uuidOf('ws', workspace.workspaceId), action: 'event.cancelled' },
    orderBy: { sequence: 'asc' },
  });

test('an event that waits for its fan-out is cancelled, and a fan-out that comes later creates nothing', async () => {
  expect((await cancel()).body).toMatchObject({ id: eventId, status: 'cancelled' });
  await fanOut();
  expect(await deliveries()).toEqual([]);
  expect((await call('get', `/events/${eventId}`)).body.status).toBe('cancelled');
  expect((await call('get', '/events?status=cancelled')).body.events).toMatchObject([{ id: eventId }]);
  expect(await entries()).toMatchObject([{ resourceId: eventId, resourceType: 'event' }]);
});

test('an event that could not be fanned out is cancelled, and the next one of its key is due at once', async () => {
  const sent: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const answer = await request(api.app)
      .post('/api/ingest/event/order.created')
      .set({ authorization: `Bearer ${workspace.apiKey}`, 'x-ordering-key': 'a' })
      .send({ n });
    sent.push(uuidOf('msg', answer.body.id));
  }
  const later = new Date(Date.now() + 600_000);
  const waiting = { eventId: { in: sent } };
  await api.db.pendingFanOut.updateMany({ where: waiting, data: { enqueues: 10, dueAt: later } });
  eventId = toId('msg', sent[0] ?? '');
  expect((await cancel()).body).toMatchObject({ status: 'cancelled' });
  const left = await api.db.pendingFanOut.findMany({ where: waiting, orderBy: { orderingNumber: 'asc' } });
  const isDue = left.map((row) => [row.eventId, row.enqueues, row.dueAt < later]);
  expect(isDue).toEqual([
    [sent[1], 0, true],
    [sent[2], 10, false],
  ]);
});

test('its open deliveries end as cancelled; those that have ended or are being delivered stay, and the event is matched', async () => {
  await fanOut();
  const [delivered, delivering, open] = await deliveries();
  await api.db.delivery.update({ where: { id: delivered?.id ?? '' }, data: { status: 'delivered', dueAt: null } });
  await api.db.delivery.update({ where: { id: delivering?.id ?? '' }, data: { status: 'delivering' } });
  expect((await cancel()).body).toMatchObject({
    status: 'matched',
    deliveries: { delivered: 1, delivering: 1, failed: 1, pending: 0 },
  });
  const [, , after] = await deliveries();
  expect(after).toMatchObject({ id: open?.id, status: 'failed', failureReason: 'cancelled', dueAt: null });
});

test('an event without anything left to cancel is not_cancellable, and leaves no entry', async () => {
  await fanOut();
  await api.db.delivery.updateMany({ where: { eventId: uuidOf('msg', eventId) }, data: { status: 'delivered' } });
  expect(codeOf(await cancel())).toBe('not_cancellable');
  expect(await entries()).toEqual([]);
  expect((await call('get', `/events/${eventId}`)).body.status).toBe('matched');
});

test('a second cancel is not_cancellable', async () => {
  await cancel();
  expect(codeOf(await cancel())).toBe('not_cancellable');
  expect(await entries()).toHaveLength(1);
});

test('a fan-out and a cancel at once leave no delivery that is still to be delivered', async () => {
  await Promise.allSettled([fanOut(), cancel()]);
  const open = (await deliveries()).filter(({ status }) => status === 'pending');
  const { status } = (await call('get', `/events/${eventId}`)).body;
  expect([open, status]).toEqual([[], 'cancelled']);
});

test.each([
  ['while an earlier event of its key waits for its fan-out', {}],
  ['before its time', { 'x-deliver-at': new Date(Date.now() + 3_600_000).toISOString() }],
])('a direct event that is cancelled %s is in its order when it is retried', async (_when, time) => {
  const fifo = await call('post', '/endpoints', { url: 'https://127.0.0.1/fifo', config: { ordering: 'fifo' } });
  const ingest = (target: string, headers: Record<string, string>) =>
    request(api.app)
      .post(`/api/ingest/${target}`)
      .set({ authorization: `Bearer ${workspace.apiKey}`, 'x-ordering-key': 'a', ...headers })
      .send({ n: 2 });
  const earlier = await ingest('event/order.created', {});
  eventId = (await ingest(fifo.body.id, time)).body.id;
  expect((await cancel()).body).toMatchObject({ status: 'cancelled' });
  await fanOutTo(api.db, uuidOf('msg', earlier.body.id), [uuidOf('ep', fifo.body.id)]);
  const [cancelled] = await deliveries();
  const retried = await call('post', `/deliveries/${toId('dlv', cancelled?.id ?? '')}/retry`);
  expect(retried.status).toBe(202);
  expect(await deliveries()).toMatchObject([{ orderingKey: 'a', status: 'pending' }]);
  const places = await api.db.orderedDelivery.findMany({
    where: { endpointId: uuidOf('ep', fifo.body.id) },
    orderBy: { position: 'asc' },
  });
  expect(places.map((place) => place.eventId)).toEqual([uuidOf('msg', earlier.body.id), uuidOf('msg', eventId)]);
});

describe('an event to many fifo endpoints', () => {
  /** Its deliveries, each with the lock of its own order. */
  async function fanOutWide(count: number) {
    const place = {
      workspaceId: uuidOf('ws', workspace.workspaceId),
      environmentId: uuidOf('env', workspace.environmentId),
    };
    const ids = Array.from({ length: count }, () => newUuid(new Date()));
    await api.db.endpoint.createMany({
      data: ids.map((id) => ({ id, ...place, url: 'https://127.0.0.1/', isFifo: true })),
    });
    await fanOutTo(api.db, uuidOf('msg', eventId), ids);
    await api.db.delivery.updateMany({ where: { eventId: uuidOf('msg', eventId) }, data: { orderingKey: 'a' } });
  }

  test('is cancelled 250 deliveries at a time, with one audit entry that counts all', async () => {
    await fanOutWide(600);
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', deliveries: { failed: 600 } });
    const changed = await api.db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from delivery where event_id = ${uuidOf('msg', eventId)}::uuid
      group by xmin::text order by 1`;
    expect(changed.map(({ count }) => count)).toEqual([100, 250, 250]);
    const all = await entries();
    expect(all).toMatchObject([{ metadata: { changes: { deliveries: { from: 0, to: 600 } } } }]);
  });

  test('that was cancelled in part when the process ended is cancelled by a repetition', async () => {
    await fanOutWide(600);
    const last = (await deliveries()).at(-1)?.id ?? '';
    await withConnection(api.databaseUrl, async (connection) => {
      await connection.query(`
        create function fail() returns trigger language plpgsql as $$ begin raise exception 'the process ends'; end $$`);
      await connection.query(`
        create trigger fail before update on delivery for each row when (old.id = '${last}') execute function fail()`);
      expect(codeOf(await cancel())).toBe('internal_error');
      await connection.query('drop trigger fail on delivery');
    });
    expect((await call('get', `/events/${eventId}`)).body).toMatchObject({
      status: 'matched',
      deliveries: { failed: 500, pending: 100 },
    });
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', deliveries: { failed: 600 } });
    expect(await entries()).toMatchObject([
      { metadata: { changes: { deliveries: { to: 600 } } } },
      { metadata: { changes: { deliveries: { to: 100 } } } },
    ]);
  });
});

test("another workspace's event is not found", async () => {
  const other = await api.seedAnother();
  const foreign = managementCaller(api.app, other);
  expect(codeOf(await foreign('post', `/events/${eventId}/cancel`))).toBe('not_found');
});
