import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { readDueWork } from '@posthorn/ledger/due-work';
import type { Consumer } from '@posthorn/queue/consumer';
import type { DeliverJob, FanOutJob } from '@posthorn/queue/jobs';
import type { RowQueue, Share } from '@posthorn/queue/rows';
import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startWatch } from '../watch.ts';
import { createLowWaterMark, FROM_START } from './low-water-mark.ts';
import { placeOf } from './overdue-deliveries.ts';
import { createTakeDeliveries } from './take-rows.ts';
import { workOnRows } from './work-on-rows.ts';

const { db, drop } = await createTestDatabase();
const endpoint = await insertEndpoint(db);
afterAll(() => drop());

let stops: (() => Promise<void> | void)[];
let workers: Consumer[];
beforeEach(async () => {
  [stops, workers] = [[], []];
  await db.pendingFanOut.deleteMany();
  await db.delivery.deleteMany();
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.drain()));
  for (const stop of stops.reverse()) await stop();
});

type Given = {
  deliver?: (job: DeliverJob) => Promise<void>;
  slotCount?: number;
  share?: Share;
  isPaused?: (queue: RowQueue) => boolean;
  /** The time between two looks for due work. */
  everyMs?: number;
  markClock?: Clock;
};

/**
 * A dispatcher that ends everything that it is given. Returns the list of that, and a way to tell it that rows are due.
 */
function start({
  deliver,
  slotCount = 10,
  share,
  isPaused = () => false,
  everyMs = 50,
  markClock = systemClock,
}: Given = {}) {
  const taken: string[] = [];
  const told: string[] = [];
  const listeners = new Set<(queue: RowQueue) => void>();
  const mark = createLowWaterMark({ db, clock: markClock });
  const quiet = { warn: () => {} };
  const watch = startWatch({
    look: async () => readDueWork(db, await mark.read()),
    clock: systemClock,
    everyMs,
    lifecycle: { onStop: (_part, stop) => void stops.push(stop) },
    quiet,
  });
  const worker = workOnRows({
    db,
    clock: systemClock,
    watch,
    lowWaterMark: mark,
    producer: { enqueueFanOut: async (events) => void told.push(...events.map(({ eventId }) => eventId)) },
    rows: {
      onDue: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      share: () => share ?? { place: 0, of: 1 },
      isPaused,
    },
    async fanOut({ groups }: FanOutJob) {
      const eventIds = groups.flatMap((group) => group.eventIds);
      taken.push(...eventIds);
      await db.pendingFanOut.deleteMany({ where: { eventId: { in: eventIds } } });
    },
    async deliver(job) {
      taken.push(job.deliveryId);
      await deliver?.(job);
      await db.delivery.update({ where: { id: job.deliveryId }, data: { status: 'delivered', dueAt: null } });
    },
    slotCount,
    logger: quiet,
  });
  workers.push(worker);
  return {
    taken,
    told,
    worker,
    mark,
    tell: (queue: RowQueue) => listeners.forEach((listener) => void listener(queue)),
  };
}

async function waitingEvent(acceptedAt = new Date()): Promise<string> {
  const { workspaceId, environmentId } = endpoint;
  const eventId = newUuid(acceptedAt);
  const event = { workspaceId, environmentId, eventType: 'order.created', payloadSize: 0, published: true };
  await db.event.create({ data: { ...event, id: eventId } });
  await db.pendingFanOut.create({ data: { eventId } });
  return eventId;
}

const due = async (of: EndpointRow, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await insertDelivery(db, of)).deliveryId));

test('events and deliveries are taken once, as soon as they are due', async () => {
  const rows = [await waitingEvent(), await waitingEvent(), ...(await due(endpoint, 30))];
  const { taken } = start();
  await waitFor(() => taken.length >= rows.length, { what: 'all rows' });
  const later = await insertDelivery(db, endpoint, { dueInSeconds: 0.3 });
  await waitFor(() => taken.includes(later.deliveryId), { what: 'the one that came due' });
  expect(taken.sort()).toEqual([...rows, later.deliveryId].sort());
});

test('what another process says is due is taken before the next look', async () => {
  const { taken, tell } = start({ everyMs: 3_600_000 });
  const first = await due(endpoint, 1);
  await waitFor(() => taken.includes(first[0] ?? ''), { what: 'the first look' });
  await waitFor(async () => (await db.delivery.count({ where: { status: 'delivered' } })) === 1, { what: 'its end' });
  const [second = ''] = await due(endpoint, 1);
  await waitFor(
    () => {
      tell('deliver');
      return taken.includes(second);
    },
    { what: 'the second' },
  );
});

test('a lone row of the part of another process is taken at once by the one that is told', async () => {
  const [key, taken] = [idOfPart(1), [] as string[]];
  const take = createTakeDeliveries({
    ...{ db, clock: systemClock, slotCount: 10, logger: { warn: () => {} }, share: () => ({ place: 0, of: 2 }) },
    fanOut: async () => {},
    deliver: async ({ deliveryId }) => void taken.push(deliveryId),
  });
  await insertDelivery(db, endpoint, { key });
  await take.round(FROM_START, { isTold: true });
  expect(taken).toEqual([key]);
});

test('a process that always has rows of its own takes what another has left for long, too', async () => {
  const [left, own, taken] = [idOfPart(1), idOfPart(0), [] as string[]];
  const take = createTakeDeliveries({
    ...{ db, clock: systemClock, slotCount: 10, logger: { warn: () => {} }, share: () => ({ place: 0, of: 2 }) },
    fanOut: async () => {},
    deliver: async ({ deliveryId }) => void taken.push(deliveryId),
  });
  await insertDelivery(db, endpoint, { key: left, dueInSeconds: -60 });
  await insertDelivery(db, endpoint, { key: own });
  await take.round(FROM_START);
  expect(taken).toEqual([own, left]);
});

test('rows are taken although every read of them takes longer than a row is kept', async () => {
  const [rows, taken] = [await due(endpoint, 3), [] as string[]];
  let nowMs = 0;
  const slowDb = new Proxy(db, {
    get(target, name) {
      if (name === '$queryRaw') nowMs += 1_000;
      return Reflect.get(target, name);
    },
  });
  const take = createTakeDeliveries({
    ...{ db: slowDb, clock: { ...systemClock, monotonicMs: () => nowMs }, slotCount: 10, logger: { warn: () => {} } },
    fanOut: async () => {},
    deliver: async ({ deliveryId }) => void taken.push(deliveryId),
    share: () => ({ place: 0, of: 1 }),
  });
  await take.round(FROM_START);
  expect(taken.sort()).toEqual(rows.sort());
});

test('an event with an old id, as one that was scheduled, is taken as soon as it begins to wait', async () => {
  const first = await waitingEvent();
  // The mark is read only once.
  const { taken, mark, tell } = start({ everyMs: 3_600_000, markClock: { ...systemClock, monotonicMs: () => 0 } });
  await waitFor(() => taken.includes(first), { what: 'the mark of the first look' });
  const old = await waitingEvent(new Date(Date.now() - 3_600_000));
  mark.lower([old]);
  await waitFor(
    () => {
      tell('fan-out');
      return taken.includes(old);
    },
    { what: 'the old one' },
  );
});

test('events that are left when a process stops are due at once, and another process is told', async () => {
  const { worker, taken, told } = start();
  await worker.drain();
  const eventId = await waitingEvent();
  await db.pendingFanOut.update({ where: { eventId }, data: { dueAt: new Date(Date.now() + 10_000) } });
  const { workspaceId, environmentId } = endpoint;
  await worker.fanOutAgain([{ eventId, workspaceId, environmentId, eventType: 'order.created', applicationId: null }]);
  const [row] = await db.$queryRaw<{ isDue: boolean }[]>`
    select due_at <= now() as "isDue" from pending_fan_out where event_id = ${eventId}::uuid`;
  expect([row, taken, told]).toEqual([{ isDue: true }, [], [eventId]]);
});

test('two processes begin with different rows, and one takes what the other has left', async () => {
  const rows = await due(endpoint, 60);
  const one = start({ share: { place: 0, of: 2 } });
  const two = start({ share: { place: 1, of: 2 } });
  await waitFor(() => one.taken.length + two.taken.length >= rows.length, { what: 'all rows' });
  // On a busy machine, rows become so late that both processes take them.
  await waitFor(() => new Set([...one.taken, ...two.taken]).size === rows.length, { what: 'each row' });
  expect([one, two].map(({ taken: [first = ''] }) => placeOf(first, 2))).toEqual([0, 1]);
  await Promise.all(workers.splice(1).map((worker) => worker.drain()));
  const others = await due(endpoint, 20);
  await waitFor(() => others.every((id) => one.taken.includes(id)), { what: 'those of the other' });
});

test('while a queue is paused none of its rows is taken', async () => {
  let paused: RowQueue[] = ['deliver'];
  const { taken } = start({ isPaused: (queue) => paused.includes(queue) });
  const [held = ''] = await due(endpoint, 1);
  const eventId = await waitingEvent();
  await waitFor(() => taken.includes(eventId), { what: 'the event' });
  expect(taken).not.toContain(held);
  paused = [];
  await waitFor(() => taken.includes(held), { what: 'the delivery' });
});

function idOfPart(place: number): string {
  const key = newUuid(new Date());
  return placeOf(key, 2) === place ? key : idOfPart(place);
}

const flood = (count: number) => db.$executeRaw`
  insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, due_at)
  select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000800000' ||
    lpad(to_hex(n), 10, '0'))::uuid, gen_random_uuid(), ${endpoint.endpointId}::uuid, ${endpoint.workspaceId}::uuid,
    ${endpoint.environmentId}::uuid, now() - interval '1 minute' from generate_series(1, ${count}::int) n`;

test('a delivery of another workspace is taken before a flood ends', async () => {
  const quiet = await insertEndpoint(db);
  await flood(3_000);
  const [single = ''] = await due(quiet, 1);
  const { taken } = start({ slotCount: 4 });
  await waitFor(() => taken.includes(single), { what: 'the single delivery', timeoutMs: 60_000 });
  expect(taken.indexOf(single)).toBeLessThan(1_500);
}, 90_000);

test('a lease that ends behind the page of a flood, and a row of this part there, are taken before the flood ends', async () => {
  const leased = async (key: string) => {
    await insertDelivery(db, endpoint, { key, status: 'delivering' });
    await db.$executeRaw`update delivery set due_at = now() - interval '5 minutes', leased_until = now() + interval '1 hour'
      where id = ${key}::uuid`;
    return key;
  };
  const [expires, isDue] = [await leased(idOfPart(1)), await leased(idOfPart(0))];
  await flood(6_000);
  const { taken } = start({ slotCount: 4, share: { place: 0, of: 2 } });
  await waitFor(() => taken.length > 600, { what: 'the page to move on', timeoutMs: 60_000 });
  // One delivery is of a killed dispatcher, and another dispatcher has left the other one to this part. They keep their
  // due times.
  await db.$executeRaw`update delivery set leased_until = now() where id = ${expires}::uuid`;
  await db.$executeRaw`update delivery set status = 'pending', leased_until = null where id = ${isDue}::uuid`;
  const left = [expires, isDue];
  await waitFor(() => left.every((id) => taken.includes(id)), { what: 'both', timeoutMs: 60_000 });
  for (const id of left) expect(taken.indexOf(id)).toBeLessThan(2_800);
}, 150_000);

test('an event that is due is taken behind any number of events that are not, without a round at every look', async () => {
  const notDue = (from: number, to: number) => db.$executeRaw`
    insert into pending_fan_out (event_id, due_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now() + interval '1 hour'
    from generate_series(${from}::int, ${to}::int) n`;
  await notDue(1, 999);
  expect((await readDueWork(db, FROM_START)).waitingEvents).toBeGreaterThan(1_000);
  await notDue(1_000, 1_100);
  const first = await waitingEvent();
  const roundsAtMs: number[] = [];
  const isPaused = (queue: RowQueue) => {
    if (queue === 'fan-out') roundsAtMs.push(systemClock.monotonicMs());
    return false;
  };
  const { taken } = start({ isPaused });
  await waitFor(() => taken.includes(first), { what: 'the event' });
  const before = roundsAtMs.length;
  await waitFor(() => roundsAtMs.length >= before + 4, { what: 'rounds that find nothing' });
  const [one = 0, other = 0] = roundsAtMs.slice(before + 2);
  expect(other - one).toBeGreaterThan(900);
  const second = await waitingEvent();
  await waitFor(() => taken.includes(second), { what: 'the next event' });
});
