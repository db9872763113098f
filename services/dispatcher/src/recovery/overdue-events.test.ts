import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { takeDueEvents } from '@posthorn/ledger/scheduled-events';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { inTime } from '@posthorn/testkit/in-time';
import { takeOverdueEvents, takeOverdueEventsOfEach } from './overdue-events.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());
beforeEach(() => db.pendingFanOut.deleteMany());

/** An event that waits for its fan-out and has been due for `dueSecondsAgo`, by Postgres' clock. */
async function newEvent(dueSecondsAgo: number, of = endpoint): Promise<string> {
  const { workspaceId, environmentId } = of;
  const eventId = newUuid(new Date());
  const event = { workspaceId, environmentId, eventType: 'order.created', payloadSize: 0, published: true };
  await db.event.create({ data: { ...event, id: eventId } });
  await db.$executeRaw`
    insert into pending_fan_out (event_id, due_at)
    values (${eventId}::uuid, now() - make_interval(secs => ${dueSecondsAgo}::float8))`;
  return eventId;
}

test('takes the events that have been due for over a second, oldest first, up to the limit, with their groups', async () => {
  // A newly accepted event is left alone for a second.
  const { oldest, takes } = await inTime(900, async () => {
    await db.pendingFanOut.deleteMany();
    const [first, second, third] = [await newEvent(2), await newEvent(5), await newEvent(3)];
    await newEvent(0);
    const taken = [
      await takeOverdueEvents(db, { limit: 2 }),
      await takeOverdueEvents(db, { limit: 2 }),
      await takeOverdueEvents(db, { limit: 2 }),
    ];
    return { oldest: [first, second, third], takes: taken };
  });
  const { workspaceId, environmentId } = endpoint;
  const group = { workspaceId, environmentId, eventType: 'order.created', applicationId: null };
  const request = (eventId: string) => ({ eventId, ...group });
  const [first = '', second = '', third = ''] = oldest;
  expect(takes).toEqual([[request(first), request(second)], [request(third)], []]);
});

test('behind a flood, the oldest events of each workspace are taken, but none as a suspect', async () => {
  const other = await insertEndpoint(db);
  const flood: string[] = [];
  for (let n = 0; n < 5; n += 1) flood.push(await newEvent(5));
  const lost = await newEvent(5, other);
  const take = () => takeOverdueEventsOfEach(db, { limit: 100, ofOwner: 2, after: undefined });
  const takes = [await take(), await take(), await take()];
  const idsOf = takes.map(({ events }) => events.map(({ eventId }) => eventId));
  expect(idsOf).toEqual([[...flood.slice(0, 2), lost], flood.slice(2, 4), flood.slice(4)]);
  expect(takes.map(({ after }) => after)).toEqual([undefined, undefined, undefined]);
  expect(await db.pendingFanOut.count({ where: { enqueues: 1 } })).toBe(6);
  await db.$executeRaw`update pending_fan_out set due_at = now() - interval '2 seconds', enqueues = 2`;
  expect((await take()).events).toEqual([]);
});

test('behind a flood, the workspaces of one owner count as one', async () => {
  const ofFlood = [await insertEndpoint(db), await insertEndpoint(db), await insertEndpoint(db)];
  const createdBy = newUuid(new Date());
  const ids = ofFlood.map(({ workspaceId }) => workspaceId);
  await db.workspace.updateMany({ where: { id: { in: ids } }, data: { createdBy } });
  const flood: string[] = [];
  for (const of of ofFlood) flood.push(await newEvent(5, of), await newEvent(5, of));
  const lost = await newEvent(5);
  const { events } = await takeOverdueEventsOfEach(db, { limit: 100, ofOwner: 2, after: undefined });
  expect(events.map(({ eventId }) => eventId)).toEqual([...flood.slice(0, 2), lost]);
});

test('the owners of scheduled events share a round, however many environments one has', async () => {
  await db.scheduledEvent.deleteMany();
  const many = [await insertEndpoint(db), await insertEndpoint(db), await insertEndpoint(db)];
  const ids = many.map(({ workspaceId }) => workspaceId);
  await db.workspace.updateMany({ where: { id: { in: ids } }, data: { createdBy: newUuid(new Date()) } });
  const deliverAt = new Date(Date.now() - 60_000);
  for (const of of [endpoint, ...many]) {
    for (let n = 0; n < 6; n += 1) {
      const eventId = await newEvent(0, of);
      await db.pendingFanOut.delete({ where: { eventId } });
      await db.scheduledEvent.create({ data: { eventId, environmentId: of.environmentId, deliverAt } });
    }
  }
  const { events } = await takeDueEvents(db, { limit: 8 });
  const counts = [endpoint, ...many].map(
    ({ environmentId }) => events.filter((event) => event.environmentId === environmentId).length,
  );
  expect(counts).toEqual([4, 1, 1, 1]);
  await db.scheduledEvent.deleteMany();
});

test('behind a flood, an event after more events than a page has is taken while they wait', async () => {
  const flood: string[] = [];
  for (let n = 0; n < 10; n += 1) flood.push(await newEvent(5));
  const lost = await newEvent(5, await insertEndpoint(db));
  const taken: string[][] = [];
  let after: string | undefined;
  for (let n = 0; n < 4; n += 1) {
    const page = await takeOverdueEventsOfEach(db, { limit: 4, ofOwner: 1, after });
    taken.push(page.events.map(({ eventId }) => eventId));
    after = page.after;
  }
  // The third page is the last, so the fourth call begins again. Events that were taken before are not due.
  expect(taken).toEqual([[flood[0]], [flood[4]], [flood[8], lost], [flood[1]]]);
});

test('an event waits from 3 s to 10 min between enqueues, is isolated from the third one on, and is never given up', async () => {
  const eventId = await newEvent(2);
  const waits: number[] = [];
  const modes: (string | undefined)[] = [];
  for (let n = 0; n < 40; n += 1) {
    await db.$executeRaw`update pending_fan_out set due_at = now() - interval '2 seconds'`;
    const [request] = await takeOverdueEvents(db, { limit: 10 });
    expect(request?.eventId).toBe(eventId);
    modes.push(request?.mode);
    const [row] = await db.$queryRaw<{ seconds: number }[]>`
      select extract(epoch from due_at - now())::float8 as seconds from pending_fan_out`;
    waits.push(Math.ceil(row?.seconds ?? 0));
  }
  // A slow machine reads the wait a little later.
  const expected = [3, 3, 4, 8, 16, 32, 64, 128, 256, 512, ...Array<number>(30).fill(600)];
  for (const [n, seconds] of expected.entries()) {
    expect(waits[n]).toBeLessThanOrEqual(seconds);
    expect(waits[n]).toBeGreaterThan(seconds - 3);
  }
  expect(modes).toEqual([undefined, undefined, ...Array<string>(38).fill('isolated')]);
}, 60_000);

test('after an outage, events that were enqueued often are enqueued together, and wait for a minute at most', async () => {
  const eventIds = await Promise.all(Array.from({ length: 11 }, () => newEvent(2)));
  const takeAgain = async () => {
    await db.$executeRaw`update pending_fan_out set enqueues = 14, due_at = now() - interval '2 seconds'`;
    const taken = await takeOverdueEvents(db, { limit: 100 });
    const [{ longest = 0 } = {}] = await db.$queryRaw<{ longest: number }[]>`
      select extract(epoch from max(due_at) - now())::float8 as longest from pending_fan_out`;
    return { modes: new Set(taken.map(({ mode }) => mode)), count: taken.length, longest };
  };
  const many = await takeAgain();
  expect([many.count, ...many.modes]).toEqual([11, 'suspect']);
  expect(many.longest).toBeLessThanOrEqual(60);
  await db.pendingFanOut.delete({ where: { eventId: eventIds[0] ?? '' } });
  const few = await takeAgain();
  expect([few.count, ...few.modes]).toEqual([10, 'isolated']);
  expect(few.longest).toBeGreaterThan(500);
});

test('of many suspects, those whose fan-out began and did not end are isolated, ten in a round, and wait up to 10 min', async () => {
  await Promise.all(Array.from({ length: 26 }, () => newEvent(2)));
  await db.$executeRaw`
    update pending_fan_out set enqueues = 14, has_begun = event_id in (
      select event_id from pending_fan_out order by event_id desc limit 12)`;
  const rounds = [await takeOverdueEvents(db, { limit: 100 }), await takeOverdueEvents(db, { limit: 100 })];
  const count = (round: (typeof rounds)[number] | undefined, mode: string) =>
    round?.filter((request) => request.mode === mode).length;
  expect(rounds.map((round) => [count(round, 'isolated'), count(round, 'suspect')])).toEqual([
    [10, 14],
    [2, 0],
  ]);
  const waits = await db.$queryRaw`
    select has_begun, due_at > now() + interval '2 minutes' as is_long, count(*)::int from pending_fan_out
    group by 1, 2 order by 1`;
  expect(waits).toEqual([
    { has_begun: false, is_long: false, count: 14 },
    { has_begun: true, is_long: true, count: 12 },
  ]);
});

test('only one of ten concurrent dispatchers takes an event', async () => {
  const eventIds = await Promise.all(Array.from({ length: 20 }, () => newEvent(2)));
  const taken = await Promise.all(Array.from({ length: 10 }, () => takeOverdueEvents(db, { limit: 100 })));
  const ids = taken.flat().map(({ eventId }) => eventId);
  expect(ids.sort()).toEqual(eventIds.sort());
});

test('an event deleted by retention no longer waits, and is not enqueued', async () => {
  const [gone, present] = [await newEvent(3), await newEvent(2)];
  await db.event.delete({ where: { id: gone } });
  expect((await takeOverdueEvents(db, { limit: 10 })).map(({ eventId }) => eventId)).toEqual([present]);
  expect(await db.pendingFanOut.findMany({ select: { eventId: true } })).toEqual([{ eventId: present }]);
});

test('scheduled events of one environment that are due at once leave room for those of the others', async () => {
  const { workspaceId } = endpoint;
  const [many, few, ahead] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}${newUuid(new Date()).slice(8)}`);
  const schedule = async (environmentId: string | undefined, secondsAgo: number) => {
    const eventId = newUuid(new Date());
    const event = { workspaceId, environmentId: environmentId ?? '', payloadSize: 0, published: true };
    await db.event.create({ data: { ...event, id: eventId, eventType: 'order.created' } });
    const deliverAt = new Date(Date.now() - secondsAgo * 1_000);
    await db.scheduledEvent.create({ data: { eventId, environmentId: event.environmentId, deliverAt } });
    return eventId;
  };
  const ofMany: string[] = [];
  for (let n = 0; n < 7; n += 1) ofMany.push(await schedule(many, 900 - n));
  const ofFew = [await schedule(few, 100), await schedule(few, 90)];
  await schedule(ahead, -900);
  const idsOf = (events: { eventId: string }[]) => events.map((one) => one.eventId).sort();
  const first = await takeDueEvents(db, { limit: 4 });
  expect(idsOf(first.events)).toEqual([...ofMany.slice(0, 2), ...ofFew].sort());
  const taken = [...first.events];
  for (let after = first.next; after !== undefined; ) {
    const { events, next } = await takeDueEvents(db, { limit: 4, after });
    taken.push(...events);
    after = next;
  }
  expect(idsOf(taken)).toEqual([...ofMany, ...ofFew].sort());
  expect(await db.pendingFanOut.count()).toBe(9);
});
