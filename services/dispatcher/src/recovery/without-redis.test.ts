import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { Consumer } from '@posthorn/queue/consumer';
import type { DeliverJob, FanOutJob } from '@posthorn/queue/jobs';
import type { Producer } from '@posthorn/queue/producer';
import { createProducer } from '@posthorn/queue/redis/producer';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, testRedis } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { workWithoutRedis } from './without-redis.ts';

const { redisUrl, prefix } = testRedis();
const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
const gate = await startTcpGate(redisUrl);
const producer = createProducer({
  redisUrl: gate.url,
  prefix,
  onError: () => {},
  monotonicMs: systemClock.monotonicMs,
});
afterAll(async () => {
  await producer.close();
  await gate.close();
  await database.drop();
});

let worker: Consumer;
/** The deliveries and events that the handlers were given. */
let taken: string[];
beforeEach(async () => {
  taken = [];
  await db.pendingFanOut.deleteMany();
  await db.delivery.deleteMany();
});
afterEach(async () => {
  await worker.drain();
  await gate.open();
});

type Given = { deliver?: (job: DeliverJob) => Promise<void>; ping?: Producer['ping']; slotCount?: number };

function start({ deliver = async () => {}, ping = producer.ping, slotCount = 10 }: Given = {}) {
  worker = workWithoutRedis({
    db,
    producer: { ping },
    clock: systemClock,
    async fanOut({ groups }: FanOutJob) {
      const eventIds = groups.flatMap((group) => group.eventIds);
      taken.push(...eventIds);
      await db.pendingFanOut.deleteMany({ where: { eventId: { in: eventIds } } });
    },
    async deliver(job) {
      taken.push(job.deliveryId);
      await deliver(job);
      await db.delivery.update({ where: { id: job.deliveryId }, data: { status: 'delivered', dueAt: null } });
    },
    slotCount,
    logger: { warn: () => {} },
  });
}

async function waitingEvent(): Promise<string> {
  const { workspaceId, environmentId } = endpoint;
  const eventId = newUuid(new Date());
  const event = { workspaceId, environmentId, eventType: 'order.created', payloadSize: 0, published: true };
  await db.event.create({ data: { ...event, id: eventId } });
  await db.$executeRaw`insert into pending_fan_out (event_id, due_at) values (${eventId}::uuid, now() - interval '5 s')`;
  return eventId;
}

async function due(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await insertDelivery(db, endpoint, { dueInSeconds: -60 })).deliveryId);
  return ids;
}

test('while Redis is away, what is overdue is taken from Postgres, each once; while it answers, nothing is', async () => {
  const rows = [await waitingEvent(), await waitingEvent(), ...(await due(20))];
  let pings = 0;
  const ping = async () => {
    await producer.ping();
    pings += 1;
  };
  start({ ping });
  await waitFor(() => pings > 3, { what: 'answers of Redis' });
  expect(taken).toEqual([]);
  await gate.shut();
  await waitFor(() => taken.length >= rows.length, { what: 'all rows' });
  await worker.drain();
  expect(taken.sort()).toEqual(rows.sort());
});

test('a process takes as many deliveries at once as it has slots', async () => {
  const rows = await due(5);
  await gate.shut();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let looks = 0;
  const ping = async () => {
    looks += 1;
    await producer.ping();
  };
  start({ ping, slotCount: 2, deliver: () => held });
  await waitFor(() => taken.length > 0, { what: 'the first' });
  const from = looks;
  await waitFor(() => looks > from + 2, { what: 'more rounds' });
  expect(taken).toHaveLength(2);
  letGo();
  await waitFor(() => taken.length === rows.length, { what: 'the others' });
});

test('a delivery that cannot be attempted now gives its place to the next', async () => {
  const [first, ...others] = await due(4);
  await gate.shut();
  start({
    slotCount: 1,
    async deliver({ deliveryId }) {
      if (deliveryId === first) throw new Error('Redis counts its limit');
    },
  });
  await waitFor(() => others.every((id) => taken.includes(id)), { what: 'the others' });
});
