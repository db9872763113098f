/** @isolated It replaces performance.now. */

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { parseFilter } from '@posthorn/filter/parse-filter';
import type { EventGroup, FanOutJob, FanOutRequest } from '@posthorn/queue/jobs';
import { createRoutes, pagesOfEndpoints } from '@posthorn/routing/routes';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { explaining } from '@posthorn/testkit/explain';
import { fanOutDeps } from '../../test/fan-out-deps.ts';
import { createFanOut } from './fan-out.ts';
import { createFilterBudget } from './filter-budget.ts';
import { applyFilters } from './filters.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let unfiltered: EndpointRow;
let typeId: string;
let statements: string[];
let requeued: FanOutRequest[];
beforeEach(async () => {
  statements = [];
  requeued = [];
  unfiltered = await insertEndpoint(db);
  const { workspaceId, environmentId } = unfiltered;
  typeId = randomUUID();
  await db.eventType.create({ data: { id: typeId, workspaceId, name: 'order.created' } });
  await db.publishedEventType.create({ data: { environmentId, eventTypeId: typeId } });
  await subscribe(unfiltered.endpointId);
});

const subscribe = (endpointId: string, filter?: object) =>
  db.subscription.create({ data: { id: randomUUID(), endpointId, eventTypeId: typeId, ...(filter && { filter }) } });

/** An endpoint that is subscribed with this filter. */
async function subscriber(filter: object, given: object = {}): Promise<string> {
  const { workspaceId, environmentId } = unfiltered;
  const id = randomUUID();
  await db.endpoint.create({ data: { id, workspaceId, environmentId, url: 'https://receiver.test/', ...given } });
  await subscribe(id, filter);
  return id;
}

async function newEvent(
  body: string | Uint8Array,
  { contentType = 'application/json', eventType = 'order.created', sealedBy = keys } = {},
) {
  const { workspaceId, environmentId } = unfiltered;
  const id = newUuid(new Date());
  const bytes = Buffer.from(body);
  const payload = bytes.length === 0 ? null : new Uint8Array(seal(sealedBy, bytes, sealContext.payload(id)));
  const sizes = { payload, payloadSize: bytes.length, published: true };
  await db.event.create({
    data: { id, workspaceId, environmentId, eventType, contentType, ...sizes },
  });
  await db.pendingFanOut.create({ data: { eventId: id } });
  return id;
}

const routes = () => createRoutes(db);

async function fanOut(
  eventIds: string[],
  using = routes(),
  given: Partial<EventGroup> & Pick<FanOutJob, 'mode'> & { others?: FanOutJob['groups'] } = {},
): Promise<void> {
  const { workspaceId, environmentId } = unfiltered;
  const { mode, others = [], ...group } = { applicationId: null, ...given };
  const watched = new Proxy(db, {
    get(target, name) {
      if (name !== '$queryRaw' && name !== '$queryRawUnsafe') return Reflect.get(target, name);
      return (text: TemplateStringsArray | string, ...values: unknown[]) => {
        statements.push(typeof text === 'string' ? text : text.join('?'));
        return target[name](text as never, ...values);
      };
    },
  });
  const run = createFanOut({
    ...fanOutDeps(watched, keys),
    routes: using,
    enqueueFanOut: async (events) => void requeued.push(...events),
  });
  const groups = [{ workspaceId, environmentId, eventType: 'order.created', ...group, eventIds }];
  await run({ groups: [...groups, ...others], ...(mode && { mode }) });
}

const endpointsOf = async (eventId: string) =>
  (await db.delivery.findMany({ where: { eventId } })).map((row) => row.endpointId).sort();
const isWaiting = async (eventId: string) => (await db.pendingFanOut.count({ where: { eventId } })) === 1;

describe('fan-out with filters', () => {
  test('an endpoint gets the events that match its filter, and one without a filter gets all', async () => {
    const large = await subscriber({ 'data.amount': { gte: 100 } });
    const [small, big] = [await newEvent('{"data":{"amount":5}}'), await newEvent('{"data":{"amount":500}}')];
    await fanOut([small, big]);
    expect(await endpointsOf(small)).toEqual([unfiltered.endpointId]);
    expect(await endpointsOf(big)).toEqual([unfiltered.endpointId, large].sort());
    expect([await isWaiting(small), await isWaiting(big)]).toEqual([false, false]);
  });

  test('an event that nobody matches is fanned out, with no delivery', async () => {
    await db.subscription.deleteMany({ where: { endpointId: unfiltered.endpointId } });
    await subscriber({ kind: 'other' });
    const eventId = await newEvent('{"kind":"this"}');
    await fanOut([eventId]);
    expect(await endpointsOf(eventId)).toEqual([]);
    expect(await isWaiting(eventId)).toBe(false);
  });

  test.each<[string, () => Promise<string>]>([
    ['text', () => newEvent('{"kind":"this"}', { contentType: 'text/plain' })],
    ['an empty body', () => newEvent('')],
    ['bytes that are not UTF-8', () => newEvent(Buffer.from([0x22, 0xff, 0x22]))],
  ])('%s matches no filter, not even one that asks for an absent path', async (_name, make) => {
    await subscriber({ kind: { exists: false } });
    const eventId = await make();
    await fanOut([eventId]);
    expect(await endpointsOf(eventId)).toEqual([unfiltered.endpointId]);
  });

  test('a JSON body with a BOM is matched', async () => {
    const filtered = await subscriber({ kind: 'this' });
    const eventId = await newEvent('\ufeff{"kind":"this"}', {
      contentType: 'application/vnd.shop+json; charset=utf-8',
    });
    await fanOut([eventId]);
    expect(await endpointsOf(eventId)).toContain(filtered);
  });

  test('a payload that cannot be opened loses no delivery: every subscriber gets one, which says why it failed', async () => {
    const filtered = await subscriber({ kind: 'this' });
    const lost = parseSealingKeys(`lost:${randomBytes(32).toString('base64')}`);
    const eventId = await newEvent('{"kind":"other"}', { sealedBy: lost });
    await fanOut([eventId]);
    expect(await endpointsOf(eventId)).toEqual([unfiltered.endpointId, filtered].sort());
  });

  test('a filter that changed while its route was cached holds for the next event', async () => {
    const filtered = await subscriber({ kind: 'old' });
    const using = routes();
    await fanOut([await newEvent('{"kind":"old"}')], using);
    await db.subscription.updateMany({ where: { endpointId: filtered }, data: { filter: { kind: 'new' } } });
    const [oldKind, newKind] = [await newEvent('{"kind":"old"}'), await newEvent('{"kind":"new"}')];
    await fanOut([oldKind, newKind], using);
    expect(await endpointsOf(oldKind)).toEqual([unfiltered.endpointId]);
    expect(await endpointsOf(newKind)).toEqual([unfiltered.endpointId, filtered].sort());
  });

  test('events that were matched are matched again after a change, although their workspace has spent its time', async () => {
    const matching = await subscriber({ a: 1 });
    await db.subscription.deleteMany({ where: { endpointId: unfiltered.endpointId } });
    const using = routes();
    await fanOut([await newEvent('{"a":1}')], using);
    await db.environment.update({
      where: { id: unfiltered.environmentId },
      data: { routingRevision: randomUUID() },
    });
    const events = [await newEvent('{"a":1}'), await newEvent('{"a":1}'), await newEvent('{"a":1}')];
    let nowMs = 0;
    // Parsing takes 100 ms, and so does each filter.
    const readings = jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 100));
    await fanOut(events, using).finally(() => readings.mockRestore());
    expect(await Promise.all(events.map(endpointsOf))).toEqual([[matching], [matching], []]);
    expect(requeued.map((one) => one.eventId)).toEqual([events[2]]);
  });

  test('no payload is read where no subscriber has a filter', async () => {
    await fanOut([await newEvent('{"kind":"this"}')]);
    expect(statements.filter((statement) => statement.includes('content_type, payload'))).toEqual([]);
  });

  test('one of more than 250 subscribers has its filter applied too', async () => {
    const { workspaceId, environmentId } = unfiltered;
    const ids = Array.from({ length: 300 }, () => randomUUID());
    const row = { workspaceId, environmentId, url: 'https://receiver.test/' };
    await db.endpoint.createMany({ data: ids.map((id) => ({ ...row, id })) });
    await db.subscription.createMany({
      data: ids.map((endpointId, at) => {
        const filter = { kind: at % 2 === 0 ? 'even' : 'odd' };
        return { id: randomUUID(), endpointId, eventTypeId: typeId, filter };
      }),
    });
    const eventId = await newEvent('{"kind":"even"}');
    await fanOut([eventId]);
    const expected = [unfiltered.endpointId, ...ids.filter((_, at) => at % 2 === 0)].sort();
    expect(await endpointsOf(eventId)).toEqual(expected);
  });

  test("the filters of an application's endpoints are applied to its events", async () => {
    const { workspaceId } = unfiltered;
    const applicationId = randomUUID();
    await db.application.create({ data: { id: applicationId, workspaceId, name: 'Customer' } });
    const matching = await subscriber({ kind: 'this' }, { applicationId });
    await subscriber({ kind: 'other' }, { applicationId });
    const eventId = await newEvent('{"kind":"this"}');
    await fanOut([eventId], routes(), { applicationId });
    expect(await endpointsOf(eventId)).toEqual([matching]);
  });
});

test('each endpoint of a type or an application is found by its id, even while the tables have no statistics', async () => {
  const { workspaceId, environmentId } = unfiltered;
  const applicationId = newUuid(new Date());
  await db.application.create({ data: { id: applicationId, workspaceId, name: 'Customer' } });
  const ids = Array.from({ length: 300 }, () => randomUUID());
  const row = { workspaceId, environmentId, url: 'https://receiver.test/' };
  await db.endpoint.createMany({ data: ids.map((id, n) => ({ ...row, id, ...(n < 10 && { applicationId }) })) });
  await db.subscription.createMany({
    data: ids.map((endpointId) => ({ id: randomUUID(), endpointId, eventTypeId: typeId })),
  });
  const { db: explained, plans } = explaining(db);
  const group = { workspaceId, environmentId, eventType: 'order.created', applicationId: null };
  const routed = await createRoutes(explained).of([group, { ...group, applicationId }]);
  expect(routed.map((route) => [route?.isWide, route?.endpointIds.length])).toEqual([
    [true, 0],
    [false, 10],
  ]);
  for await (const page of pagesOfEndpoints(explained, group, 2_000)) expect(page.endpointIds).toHaveLength(301);
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toContain('endpoint_pkey');
    expect(plan).not.toMatch(/"Rows Removed by (Join )?Filter":[1-9]/);
  }
});

describe('filters of a megabyte for each event', () => {
  /** A filter of about 4 KB that matches `{"a":"yes"}`. */
  const large = { or: [{ a: 'yes' }, { b: 'x'.repeat(4_000) }] };

  async function newSubscribers(most: number, eventTypeIds: string[]): Promise<string[]> {
    const { workspaceId, environmentId } = unfiltered;
    const ids = Array.from({ length: most }, () => randomUUID()).sort();
    const rows = ids.map((id) => ({ id, workspaceId, environmentId, url: 'https://receiver.test/' }));
    await db.endpoint.createMany({ data: rows });
    for (const eventTypeId of eventTypeIds) {
      const subscriptions = ids.map((endpointId) => ({ id: randomUUID(), endpointId, eventTypeId, filter: large }));
      await db.subscription.createMany({ data: subscriptions });
    }
    return ids;
  }

  test('are read for a few event types in a batch, and first for the workspace that has the fewest; none is lost', async () => {
    const { workspaceId, environmentId } = unfiltered;
    const types = Array.from({ length: 8 }, (_, index) => ({ id: randomUUID(), workspaceId, name: `large.${index}` }));
    await db.eventType.createMany({ data: types });
    await db.publishedEventType.createMany({ data: types.map(({ id }) => ({ environmentId, eventTypeId: id })) });
    const subscriberIds = await newSubscribers(
      240,
      types.map(({ id }) => id),
    );
    const groups: FanOutJob['groups'] = [];
    for (const { name } of types) {
      const eventIds = [await newEvent('{"a":"yes"}', { eventType: name })];
      groups.push({ workspaceId, environmentId, eventType: name, applicationId: null, eventIds });
    }
    // Another workspace, whose event is the last in the batch.
    unfiltered = await insertEndpoint(db);
    typeId = randomUUID();
    const other = { workspaceId: unfiltered.workspaceId, environmentId: unfiltered.environmentId };
    await db.eventType.create({ data: { id: typeId, workspaceId: other.workspaceId, name: 'order.created' } });
    await db.publishedEventType.create({ data: { environmentId: other.environmentId, eventTypeId: typeId } });
    const small = await subscriber({ a: 'yes' });
    const eventId = await newEvent('{"a":"yes"}');
    groups.push({ ...other, eventType: 'order.created', applicationId: null, eventIds: [eventId] });
    const using = routes();
    const fanOutAll = ([first, ...others]: FanOutJob['groups']) =>
      fanOut(first?.eventIds ?? [], using, { ...first, others });
    await fanOutAll(groups);
    expect(await endpointsOf(eventId)).toEqual([small]);
    groups.pop();
    const left = () => requeued.map((request) => request.eventId);
    expect(left()).toEqual(groups.slice(5).flatMap(({ eventIds }) => eventIds));
    while (requeued.length > 0) {
      const next = groups.filter(({ eventIds }) => left().includes(eventIds[0] ?? ''));
      requeued = [];
      await fanOutAll(next);
      expect(requeued.length).toBeLessThan(next.length);
    }
    for (const { eventIds } of groups) expect(await endpointsOf(eventIds[0] ?? '')).toEqual(subscriberIds);
  });

  test('are read once for equal groups of a batch, and of many groups at most 16 are read together', async () => {
    const { workspaceId, environmentId } = unfiltered;
    const subscriberIds = await newSubscribers(240, [typeId]);
    const group = { workspaceId, environmentId, eventType: 'order.created', applicationId: null };
    const equal = await routes().of(Array.from({ length: 8 }, () => group));
    const expected = [...subscriberIds, unfiltered.endpointId].sort();
    for (const route of equal) expect([...(route?.endpointIds ?? [])].sort()).toEqual(expected);

    let statementCount = 0;
    const counting = new Proxy(db, {
      get(target, name) {
        if (name === '$queryRaw') statementCount += 1;
        return Reflect.get(target, name);
      },
    });
    const groups = Array.from({ length: 33 }, (_, n) => ({
      ...group,
      eventType: n === 0 ? 'order.created' : `none.${n}`,
    }));
    const found = await createRoutes(counting).of([...groups].reverse());
    expect(found.map((route) => route?.endpointIds.length)).toEqual([...Array<number>(32).fill(0), expected.length]);
    expect(statementCount).toBe(3);
  });

  test('are read in pages for one of more than 250 subscribers, and each of them gets the event', async () => {
    const subscriberIds = await newSubscribers(600, [typeId]);
    const eventId = await newEvent('{"a":"yes"}');
    await fanOut([eventId]);
    expect(await endpointsOf(eventId)).toEqual([...subscriberIds, unfiltered.endpointId].sort());
    expect(await isWaiting(eventId)).toBe(false);
    expect(statements.filter((text) => text.includes('with waiting as'))).toHaveLength(3);
  });
});

describe('an event whose filters take long', () => {
  const long = 'a'.repeat(1_950);
  const slowBody = JSON.stringify({ a: 'a'.repeat(2 ** 18) });

  /** Subscribes endpoints, each with a filter that reads all of a long text. */
  async function addSlowFilters(count: number): Promise<void> {
    const { workspaceId, environmentId } = unfiltered;
    const ids = Array.from({ length: count }, () => randomUUID());
    const row = { workspaceId, environmentId, url: 'https://receiver.test/' };
    await db.endpoint.createMany({ data: ids.map((id) => ({ ...row, id })) });
    const filter = { a: { contains: `${long}b${long}` } };
    await db.subscription.createMany({
      data: ids.map((endpointId) => ({ id: randomUUID(), endpointId, eventTypeId: typeId, filter })),
    });
  }

  test.each([
    ['a narrow one', 200],
    ['one of more than 250 subscribers', 300],
  ])('%s is fanned out in isolation, and delays no event of another workspace', async (_name, count) => {
    await addSlowFilters(count);
    const [slow, quick] = [await newEvent(slowBody), await newEvent('{"a":1}')];
    const mine = unfiltered;
    unfiltered = await insertEndpoint(db);
    const other = await newEvent('{"a":1}');
    const { workspaceId, environmentId, endpointId } = unfiltered;
    unfiltered = mine;
    const otherType = randomUUID();
    await db.eventType.create({ data: { id: otherType, workspaceId, name: 'order.created' } });
    await db.publishedEventType.create({ data: { environmentId, eventTypeId: otherType } });
    await db.subscription.create({
      data: { id: randomUUID(), endpointId, eventTypeId: otherType, filter: { a: 1 } },
    });
    const others = { workspaceId, environmentId, eventType: 'order.created', applicationId: null, eventIds: [other] };
    await fanOut([slow, quick], routes(), { others: [others], mode: 'suspect' });
    expect(await endpointsOf(other)).toEqual([endpointId]);
    expect([await isWaiting(slow), await endpointsOf(slow)]).toEqual([true, []]);
    // The other event of that workspace goes to a later batch, which fans it out.
    expect(requeued.map(({ eventId, mode }) => [eventId, mode])).toEqual([
      [quick, undefined],
      [slow, 'isolated'],
    ]);
    const begun = await db.pendingFanOut.findMany({ where: { hasBegun: true }, select: { eventId: true } });
    expect(begun).toEqual([{ eventId: slow }]);
    await fanOut([quick]);
    await fanOut([slow], routes(), { mode: 'isolated' });
    for (const eventId of [quick, slow]) {
      expect(await endpointsOf(eventId)).toEqual([unfiltered.endpointId]);
      expect(await isWaiting(eventId)).toBe(false);
    }
  });
});

test('other work of the process goes on while the filters of an event are matched', async () => {
  const parsed = parseFilter({ a: { contains: `${'a'.repeat(1_950)}b${'a'.repeat(1_950)}` } });
  if (parsed.kind !== 'filter') throw new Error('not a filter');
  const eventId = newUuid(new Date());
  const body = Buffer.from(JSON.stringify({ a: 'a'.repeat(2 ** 18) }));
  const rows = [
    { id: eventId, content_type: 'application/json', payload: seal(keys, body, sealContext.payload(eventId)) },
  ];
  const endpointIds = Array.from({ length: 200 }, () => randomUUID());
  const filters = new Map(endpointIds.map((id) => [id, parsed.filter]));
  let turns = 0;
  const count = () => {
    turns += 1;
    other = setImmediate(count);
  };
  let other = setImmediate(count);
  // The read ends at once, so that other work runs only where the matching allows it.
  const read = { $queryRaw: async () => rows } as unknown as Db;
  expect(await applyFilters({ db: read, keys }, [{ eventId, endpointIds, filters }])).toMatchObject([
    { endpointIds: [] },
  ]);
  clearImmediate(other);
  expect(turns).toBeGreaterThan(0);
  // An isolated event also lets events of other workspaces go on, and has no time limit.
  const ended: string[] = [];
  const budget = createFilterBudget(
    (workspaceId) => workspaceId,
    async () => void ended.push('turn'),
  );
  const event = {
    eventId,
    endpointIds,
    filters,
    group: { workspaceId: '', environmentId: '', eventType: '', applicationId: null },
  };
  expect(await applyFilters({ db: read, keys }, [event], budget)).toMatchObject([{ endpointIds: [] }]);
  expect(ended.length).toBeGreaterThan(0);
});

test('other work of the process goes on while payloads are parsed, and the time counts', async () => {
  const parsed = parseFilter({ a: 1 });
  if (parsed.kind !== 'filter') throw new Error('not a filter');
  let nowMs = 0;
  const readings = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const eventIds = Array.from({ length: 4 }, () => newUuid(new Date()));
  const rows = eventIds.map((id) => ({
    ...{ id, content_type: 'application/json' },
    get payload() {
      nowMs += 20;
      return seal(keys, Buffer.from('{"a":1}'), sealContext.payload(id));
    },
  }));
  const endpointId = randomUUID();
  const filters = new Map([[endpointId, parsed.filter]]);
  const events = eventIds.map((eventId) => ({ eventId, endpointIds: [endpointId], filters }));
  const read = { $queryRaw: async () => rows } as unknown as Db;
  const spent: [string, number][] = [];
  const pauses: number[] = [];
  const limits = {
    maxMs: Number.POSITIVE_INFINITY,
    isSkipped: () => false,
    isolate: () => {},
    spend: ({ eventId }: { eventId: string }, ms: number) => void (ms > 0 && spent.push([eventId, ms])),
    pause: async (heldMs: number) => void pauses.push(heldMs),
  };
  const matched = await applyFilters({ db: read, keys }, events, limits).finally(() => readings.mockRestore());
  expect(matched).toHaveLength(4);
  expect(spent).toEqual(eventIds.map((eventId) => [eventId, 20]));
  expect(pauses).toEqual([20, 20, 20, 20]);
});
