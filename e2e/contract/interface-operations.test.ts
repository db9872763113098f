import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Service, startService, type Workspace } from './service.ts';

const UNKNOWN = 'op_01jczhk8m3fd8tqv5x0w2b9n4e';
const DAY_AGO = () => new Date(Date.now() - 86_400_000).toISOString();

let service: Service;
let receiver: Receiver;
let workspace: Workspace;
let status: number;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respondWith(() => ({ status }));
  service = await startService({ dispatchers: 1 });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});
beforeEach(async () => {
  status = 500;
  workspace = await service.another();
});

/** Makes an endpoint with its own published type, and `count` events whose deliveries have ended as dead letters. */
async function withDeadLetters(count: number) {
  const route = await workspace.makeRoute(receiver.url, { config: { retrySchedule: [] } });
  await ingestMany(route.eventType, count);
  await statusesOf(route.endpointId, { dead_letter: count });
  status = 200;
  return route;
}

async function ingestMany(eventType: string, count: number) {
  for (let n = 0; n < count; n += 1) {
    expect((await workspace.ingest(`event/${eventType}`, { n })).status).toBe(202);
  }
}

/** Waits until the endpoint's deliveries have these statuses, and returns them. */
const statusesOf = (endpointId: string, expected: Record<string, number>) =>
  waitFor(
    async () => {
      const { body } = await workspace.manage('GET', `/endpoints/${endpointId}/deliveries?limit=100`);
      const counts: Record<string, number> = {};
      for (const one of body.deliveries) counts[one.status] = (counts[one.status] ?? 0) + 1;
      const same = Object.keys({ ...counts, ...expected }).every((key) => counts[key] === expected[key]);
      return same ? body.deliveries : undefined;
    },
    { what: `the deliveries to be ${JSON.stringify(expected)}` },
  );

const ended = (id: string) =>
  waitFor(
    async () => {
      const { body } = await workspace.manage('GET', `/operations/${id}`);
      return body.finishedAt === null ? undefined : body;
    },
    { what: 'the operation to end' },
  );

const recover = (endpointId: string, body: object) =>
  workspace.manage('POST', `/endpoints/${endpointId}/recover`, { since: DAY_AGO(), ...body });

test('docs/interface.md, Search keys: older events are found once an operation has indexed them', async () => {
  const { environmentId } = workspace;
  const eventTypeId = await workspace.make('/event-types', { name: 'parcel.sent', publishIn: [environmentId] });
  const { body: sent } = await workspace.ingest('event/parcel.sent', { parcel: { id: 'p_1002' } });
  const search = async (body: object) => {
    const reply = await workspace.manage('POST', '/events/search', { search: ['parcel_id:p_1002'], ...body });
    return reply.status === 200 ? reply.body.events : codeOf(reply);
  };
  const index = (body: object = {}) => workspace.manage('POST', '/search-index', { eventType: 'parcel.sent', ...body });
  expect(codeOf(await index())).toBe('validation_error');
  expect(codeOf(await workspace.manage('POST', '/search-key/rotate'))).toBe('not_found');
  const searchKeys = [{ name: 'parcel_id', path: 'parcel.id' }];
  await workspace.manage('PATCH', `/event-types/${eventTypeId}`, { searchKeys });
  expect(await search({})).toEqual([]);
  expect((await index({ dryRun: true })).body).toMatchObject({ id: null, matched: 1 });
  const started = await index();
  expect([started.status, started.body]).toEqual([
    202,
    expect.objectContaining({ type: 'search_index', endpointId: null, pausedAt: null, finishedAt: null }),
  ]);
  const operation = `/operations/${started.body.id}`;
  expect(await ended(started.body.id)).toMatchObject({ status: 'completed', matched: 1, enqueued: 1, pausedAt: null });
  for (const change of ['pause', 'resume', 'cancel']) {
    expect(codeOf(await workspace.manage('POST', `${operation}/${change}`))).toBe('not_cancellable');
  }
  expect(await search({})).toEqual([expect.objectContaining({ id: sent.id, foundBy: ['parcel_id'] })]);
  expect(await search({ eventType: 'parcel.lost' })).toEqual([]);
  const rotated = await workspace.manage('POST', '/search-key/rotate');
  expect([rotated.status, Object.keys(rotated.body)]).toEqual([200, ['rotatedAt', 'formerKeyEndsAt']]);
  expect(codeOf(await workspace.manage('POST', '/search-key/rotate'))).toBe('limit_reached');
  expect(await search({})).toHaveLength(1);
});

test('docs/interface.md, Search: deliveries are found by a value of their event, and a value that no event has finds none', async () => {
  status = 200;
  const { endpointId, eventType, eventTypeId } = await workspace.makeRoute(receiver.url);
  const searchKeys = [{ name: 'order_id', path: 'n', fold: true }];
  await workspace.manage('PATCH', `/event-types/${eventTypeId}`, { searchKeys });
  const isSearchable = async () => {
    const { body } = await workspace.ingest(`event/${eventType}`, { n: 'Order_1' });
    const found = await workspace.manage('POST', '/events/search', { search: ['ORDER_1'] });
    return found.body.events.some(({ id }: { id: string }) => id === body.id) ? body.id : undefined;
  };
  const eventId = await waitFor(isSearchable, { what: 'the search keys to be in use' });
  const search = async (text: string) => {
    const { body } = await workspace.manage('POST', '/deliveries/search', { search: [text], endpointId });
    return (body.deliveries as { eventId: string }[]).map((delivery) => delivery.eventId);
  };
  expect(await waitFor(async () => (await search('order_id:order_1')).includes(eventId), { what: 'it' })).toBe(true);
  expect(await search('order_id:order_2')).toEqual([]);
});

describe('a recovery', () => {
  test('docs/interface.md, Recovery: failed delivers what ended without success, and the operation counts it', async () => {
    const { endpointId } = await withDeadLetters(30);
    const dry = await recover(endpointId, { mode: 'failed', dryRun: true });
    expect([dry.status, dry.body.id, dry.body.matched]).toEqual([200, null, 30]);
    const started = await recover(endpointId, { mode: 'failed' });
    expect([started.status, started.body]).toEqual([
      202,
      expect.objectContaining({ type: 'recovery', status: 'counting', endpointId, matched: null, enqueued: 0 }),
    ]);
    expect(await ended(started.body.id)).toMatchObject({
      status: 'completed',
      matched: 30,
      enqueued: 30,
      delivered: 30,
      failed: 0,
      error: null,
    });
    const deliveries = await statusesOf(endpointId, { delivered: 30 });
    const attempts = await workspace.manage('GET', `/deliveries/${deliveries[0].id}/attempts`);
    expect(attempts.body.map((one: { trigger: string }) => one.trigger)).toEqual(['schedule', 'recovery']);
  });

  test('docs/interface.md, Recovery: missed delivers events that the endpoint would get now and has no delivery of', async () => {
    status = 200;
    const { endpointId, eventType } = await workspace.makeRoute(receiver.url);
    await ingestMany(eventType, 2);
    await statusesOf(endpointId, { delivered: 2 });
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { isActive: false });
    await ingestMany(eventType, 5);
    await waitFor(async () => (await service.stack.db.pendingFanOut.count()) === 0, { what: 'the fan-out' });
    expect(codeOf(await recover(endpointId, { mode: 'missed' }))).toBe('validation_error');
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { isActive: true });
    const dry = await recover(endpointId, { mode: 'missed', dryRun: true });
    expect(dry.body).toMatchObject({ matched: 5, eventTypes: { [eventType]: 5 } });
    const { body } = await recover(endpointId, { mode: 'missed' });
    expect(await ended(body.id)).toMatchObject({ status: 'completed', matched: 5, enqueued: 5, delivered: 5 });
    await statusesOf(endpointId, { delivered: 7 });
    const again = await recover(endpointId, { mode: 'missed' });
    expect(await ended(again.body.id)).toMatchObject({ status: 'completed', matched: 0, enqueued: 0 });
  });

  test('docs/interface.md, Recovery: missed counts and delivers only events that match the filter of the subscription', async () => {
    status = 200;
    const { endpointId, eventType, eventTypeId } = await workspace.makeRoute(receiver.url);
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { isActive: false });
    await ingestMany(eventType, 4);
    await waitFor(async () => (await service.stack.db.pendingFanOut.count()) === 0, { what: 'the fan-out' });
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { isActive: true });
    const filter = { n: { gte: 2 } };
    await workspace.manage('PATCH', `/endpoints/${endpointId}/subscriptions/${eventTypeId}`, { filter });
    expect((await recover(endpointId, { mode: 'missed', dryRun: true })).body.matched).toBe(2);
    const { body } = await recover(endpointId, { mode: 'missed' });
    expect(await ended(body.id)).toMatchObject({ status: 'completed', matched: 2, enqueued: 2, delivered: 2 });
  });

  test('docs/interface.md, Recovery: all also sends what was delivered, and filters narrow it', async () => {
    const { endpointId, eventType } = await withDeadLetters(3);
    await ingestMany(eventType, 2);
    await statusesOf(endpointId, { dead_letter: 3, delivered: 2 });
    const matched = async (body: object) => (await recover(endpointId, { ...body, dryRun: true })).body.matched;
    expect(await matched({ mode: 'all' })).toBe(5);
    expect(await matched({ mode: 'all', statusClass: ['2xx'] })).toBe(2);
    expect(await matched({ mode: 'all', statusClass: ['5xx', 'none'] })).toBe(3);
    expect(await matched({ mode: 'all', statusClass: ['other'] })).toBe(0);
    status = 799;
    await ingestMany(eventType, 1);
    await statusesOf(endpointId, { dead_letter: 4, delivered: 2 });
    expect(await matched({ mode: 'all', statusClass: ['other'] })).toBe(1);
    status = 200;
    expect(await matched({ mode: 'all', eventTypes: ['unknown.type'] })).toBe(0);
    // The services use Postgres' clock, which may differ a little from the clock of this process.
    const none = async () => (await matched({ mode: 'all', since: new Date(Date.now() - 1).toISOString() })) === 0;
    await waitFor(none, { what: 'a time after all deliveries' });
    const { body } = await recover(endpointId, { mode: 'all', eventTypes: [eventType] });
    expect(await ended(body.id)).toMatchObject({ status: 'completed', matched: 6, delivered: 6 });
  });

  test('docs/interface.md, Recovery: what cannot be recovered is refused, naming the field', async () => {
    const { endpointId } = await workspace.makeRoute(receiver.url);
    const refused: [object, RegExp][] = [
      [{ mode: 'some' }, /^mode /],
      [{}, /^mode /],
      [{ mode: 'failed', since: 'yesterday' }, /^since /],
      [{ mode: 'failed', since: '2026-11-20T10:00:00' }, /^since /],
      // A longer time would be stored, and shown in each list.
      [{ mode: 'failed', since: `2026-11-20T10:00:00.${'1'.repeat(64)}Z` }, /^since must be at most 64 characters$/],
      [{ mode: 'failed', until: DAY_AGO(), since: new Date().toISOString() }, /^since .*until/],
      [{ mode: 'failed', statusClass: ['6xx'] }, /^statusClass/],
      [{ mode: 'failed', statusClass: [] }, /^statusClass/],
      [{ mode: 'failed', eventTypes: 'order.created' }, /^eventTypes/],
      [{ mode: 'failed', eventTypes: ['a'.repeat(129)] }, /^eventTypes\[0\] must be at most 128 characters$/],
      [{ mode: 'failed', eventTypes: ['order\u0000'] }, /^eventTypes/],
      [{ mode: 'failed', eventTypes: ['order\u0000'], dryRun: true }, /^eventTypes/],
      [{ mode: 'failed', dryRun: 'yes' }, /^dryRun/],
    ];
    for (const [body, message] of refused) {
      const reply = await recover(endpointId, body);
      expect([codeOf(reply), reply.body.error.message]).toEqual(['validation_error', expect.stringMatching(message)]);
    }
    expect(codeOf(await recover('ep_01jczhk8m3fd8tqv5x0w2b9n4e', { mode: 'failed' }))).toBe('not_found');
  });
});

describe('a bulk', () => {
  test('docs/interface.md, Bulk: a retry delivers every match of every endpoint', async () => {
    const first = await withDeadLetters(5);
    status = 500;
    const second = await withDeadLetters(4);
    const dry = await workspace.manage('POST', '/deliveries/retry', {
      filter: { status: 'dead_letter' },
      dryRun: true,
    });
    expect(dry.body).toMatchObject({ matched: 9, eventTypes: { [first.eventType]: 5, [second.eventType]: 4 } });
    const { status: answered, body } = await workspace.manage('POST', '/deliveries/retry', {
      filter: { environment_id: workspace.environmentId, status: 'dead_letter' },
    });
    expect([answered, body.type, body.endpointId]).toEqual([202, 'retry', null]);
    expect(await ended(body.id)).toMatchObject({ status: 'completed', matched: 9, enqueued: 9, delivered: 9 });
    await statusesOf(first.endpointId, { delivered: 5 });
  });

  test('docs/interface.md, Bulk: a cancel ends what waits, and counts what it cancelled', async () => {
    const { endpointId, eventType } = await workspace.makeRoute(receiver.url, { config: { retrySchedule: [3_600] } });
    await ingestMany(eventType, 6);
    await statusesOf(endpointId, { scheduled_retry: 6 });
    const { body } = await workspace.manage('POST', '/deliveries/cancel', {
      filter: { endpointId, statuses: ['pending', 'scheduled_retry'], eventTypes: [eventType] },
    });
    expect(await ended(body.id)).toMatchObject({ type: 'cancel', status: 'completed', matched: 6, enqueued: 6 });
    for (const one of await statusesOf(endpointId, { failed: 6 })) expect(one.failureReason).toBe('cancelled');
  });

  test('docs/interface.md, Bulk: a filter without a key, with an unknown one or with a wrong value is refused', async () => {
    const refused: [unknown, string, RegExp][] = [
      [undefined, 'validation_error', /^filter /],
      [{}, 'validation_error', /^filter /],
      [
        { endpointID: 'x', status: 'failed' },
        'validation_error',
        /^Unknown field "filter.endpointID"; did you mean "filter.endpointId"/,
      ],
      [
        { status: 'failed', statuses: ['failed'] },
        'validation_error',
        /^filter.status must not be given with statuses$/,
      ],
      [{ applicationId: 'ext:nobody' }, 'not_found', /Application/],
      [{ status: 'lost' }, 'validation_error', /^filter.status /],
      [{ from: 'now' }, 'validation_error', /^filter.from /],
      [{ from: `2026-11-20T10:00:00.${'1'.repeat(64)}Z` }, 'validation_error', /^filter.from /],
      [{ from: new Date().toISOString(), to: DAY_AGO() }, 'validation_error', /^filter.from /],
      [{ endpoint_id: 'ep_01jczhk8m3fd8tqv5x0w2b9n4e' }, 'not_found', /Endpoint/],
      [{ environment_id: 'env_01jczhk8m3fd8tqv5x0w2b9n4e' }, 'not_found', /Environment/],
    ];
    for (const [filter, code, message] of refused) {
      for (const path of ['/deliveries/retry', '/deliveries/cancel']) {
        const reply = await workspace.manage('POST', path, { filter });
        expect([codeOf(reply), reply.body.error.message]).toEqual([code, expect.stringMatching(message)]);
      }
    }
  });
});

describe('operations', () => {
  test('docs/interface.md, Operation: are listed newest first, with filters and pages', async () => {
    const { endpointId } = await workspace.makeRoute(receiver.url);
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await recover(endpointId, { mode: 'failed' })).body.id);
    for (const id of ids) await ended(id);
    const list = async (query: string) => (await workspace.manage('GET', `/operations?${query}`)).body;
    const idsOf = (page: { operations: { id: string }[] }) => page.operations.map(({ id }) => id);
    const first = await list('limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(idsOf(await list(`limit=2&cursor=${first.nextCursor}`))).toEqual(ids.slice(2));
    expect(idsOf(await list(`endpoint_id=${endpointId}&status=completed`))).toEqual(ids);
    expect(idsOf(await list('status=running'))).toEqual([]);
    expect(codeOf(await workspace.manage('GET', `/operations/${UNKNOWN}`))).toBe('not_found');
  });

  test('docs/interface.md, Operation: a cancel ends it, what was enqueued goes on, and one that has ended is not cancellable', async () => {
    // 40 deliveries take ten seconds, so the operation cannot end meanwhile.
    const { endpointId } = await withDeadLetters(40);
    const config = { retrySchedule: [], rateLimit: { limit: 4, periodSeconds: 1 } };
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { config });
    const { body } = await recover(endpointId, { mode: 'failed' });
    await waitFor(async () => (await workspace.manage('GET', `/operations/${body.id}`)).body.enqueued > 0, {
      what: 'the first to be enqueued',
    });
    const cancelled = await workspace.manage('POST', `/operations/${body.id}/cancel`);
    expect([cancelled.status, cancelled.body.status, cancelled.body.matched]).toEqual([200, 'cancelled', 40]);
    expect(cancelled.body.enqueued).toBeLessThan(40);
    expect(codeOf(await workspace.manage('POST', `/operations/${body.id}/cancel`))).toBe('not_cancellable');
    await waitFor(
      async () => {
        const { enqueued, delivered } = (await workspace.manage('GET', `/operations/${body.id}`)).body;
        return delivered === enqueued;
      },
      { what: 'what was enqueued to be delivered and counted', timeoutMs: 25_000 },
    );
    const { enqueued } = (await workspace.manage('GET', `/operations/${body.id}`)).body;
    await statusesOf(endpointId, { delivered: enqueued, dead_letter: 40 - enqueued });
  });

  test('docs/interface.md, Operation: at most 10 of a workspace are open', async () => {
    const { endpointId } = await workspace.makeRoute(receiver.url);
    await service.stack.db.operation.createMany({
      data: Array.from({ length: 10 }, () => ({
        id: newUuid(new Date()),
        workspaceId: fromId('ws', workspace.workspaceId) ?? '',
        type: 'retry' as const,
        filter: {},
        scope: {},
        nextTurnAt: null,
      })),
    });
    expect(codeOf(await recover(endpointId, { mode: 'failed' }))).toBe('limit_reached');
    expect((await recover(endpointId, { mode: 'failed', dryRun: true })).status).toBe(200);
  });

  test('docs/interface.md, Operation: a dry run needs read alone; starting needs write; the audit log has it', async () => {
    const { endpointId } = await workspace.makeRoute(receiver.url);
    const viewer = await workspace.sessionOf('viewer');
    const body = { since: DAY_AGO(), mode: 'failed' };
    const path = `/endpoints/${endpointId}/recover`;
    expect((await workspace.dashboard(viewer, 'POST', path, { ...body, dryRun: true })).status).toBe(200);
    expect(codeOf(await workspace.dashboard(viewer, 'POST', path, body))).toBe('forbidden');
    const member = await workspace.sessionOf('member');
    const started = await workspace.dashboard(member, 'POST', path, body);
    expect(started.status).toBe(202);
    const { data } = (await workspace.manage('GET', '/audit-logs?action=recovery.started')).body;
    expect(data).toMatchObject([{ resourceType: 'recovery', resourceId: started.body.id, actorType: 'user' }]);
  });
});
