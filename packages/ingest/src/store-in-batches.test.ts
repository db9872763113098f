import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createDb } from '@posthorn/db/client';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { eventWith } from '@posthorn/testkit/new-event';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Counter } from 'prom-client';
import { createStore, type StoreDeps } from './store-in-batches.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

function producerWith(given: Partial<StoreDeps['producer']> = {}): StoreDeps['producer'] {
  const enqueue = async () => {};
  const nothing = { enqueueFanOut: enqueue, enqueueDeliveries: enqueue, handOver: enqueue };
  return { kind: 'redis', ...nothing, takers: () => 'ready', ...given };
}

function metricsOf(): StoreDeps['metrics'] {
  const counter = (labelNames: string[]) =>
    new Counter({ name: 'counted', help: 'counted', labelNames, registers: [] });
  return { deliveriesCreated: counter([]), handOffs: counter(['way']) };
}

function storeWith(deps: Partial<StoreDeps> = {}) {
  return createStore({
    db: database.db,
    doorDb: database.db,
    live: { eventAccepted: () => {}, deliveryChanged: () => {} },
    producer: producerWith(),
    wakeConsumers: () => {},
    slowDelay: () => 0,
    door: { learn: () => {} },
    quiet: { warn: () => {} },
    metrics: metricsOf(),
    ...deps,
  });
}

test('a flood of one workspace does not make the event of another wait for its end', async () => {
  const store = storeWith();
  const [flooding, other] = [newUuid(new Date()), newUuid(new Date())];
  let storedOfFlood = 0;
  const flood = Array.from({ length: 1_000 }, async () => {
    await store(eventWith({ workspaceId: flooding }));
    storedOfFlood += 1;
  });
  expect(await store(eventWith({ workspaceId: other }))).toMatchObject({ kind: 'stored' });
  expect(storedOfFlood).toBeLessThan(1_000);
  await Promise.all(flood);
});

test('an event whose job cannot be enqueued is stored, and the log has the error with its place', async () => {
  const warnings: unknown[] = [];
  const store = storeWith({
    producer: producerWith({ enqueueFanOut: () => Promise.reject(new TypeError('redis is away')) }),
    quiet: { warn: (...line) => warnings.push(line) },
  });
  expect(await store(eventWith({}))).toMatchObject({ kind: 'stored' });
  await waitFor(() => warnings.length > 0, { what: 'the warning' });
  const error = { error: 'redis is away', errorName: 'TypeError', stack: expect.stringContaining('TypeError') };
  expect(warnings).toEqual([['events wait for the reconciler', error]]);
});

test('a lock on the deliveries delays only events that name their endpoint: others are stored without their deliveries', async () => {
  const { db, databaseUrl } = database;
  const doorDb = createDb({ databaseUrl, maxConnections: 2, lockTimeoutMs: 250, onIdleError: () => {} });
  const endpoint = await insertEndpoint(db);
  const { workspaceId, environmentId, endpointId } = endpoint;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const matched = { endpointIds: [endpointId], routingRevision, payloadRetention: 'workspace' as const };
  const typed = () => eventWith({ workspaceId, environmentId, matched });
  const direct = eventWith({ workspaceId, environmentId, eventType: null });
  direct.direct = { endpointId, deliveryId: deliveryIdFor(direct.id, endpointId) };
  const store = storeWith({ doorDb });
  const locked = { sql: 'lock table delivery in access exclusive mode', values: [] };
  const waiting = await whileLocked(databaseUrl, locked, async () => {
    let isStored = false;
    const stored = store(direct).then((one) => {
      isStored = true;
      return one;
    });
    expect(await store(typed())).toMatchObject({ kind: 'stored', isToFanOut: true, made: [] });
    expect(await store(typed())).toMatchObject({ kind: 'stored', isToFanOut: true, made: [] });
    expect(isStored).toBe(false);
    return { stored };
  });
  expect(await waiting.stored).toMatchObject({ kind: 'stored', isToFanOut: false, made: [{ endpointId }] });
  await doorDb.$disconnect();
});

test('a delivery to an endpoint that dispatchers call slow is due later, and has a job for that time; others are offered', async () => {
  const { db } = database;
  const [quick, slow] = [await insertEndpoint(db), await insertEndpoint(db)];
  const handedOver: unknown[] = [];
  const enqueued: unknown[] = [];
  const store = storeWith({
    slowDelay: (endpointId) => (endpointId === slow.endpointId ? 2 : 0),
    producer: producerWith({
      handOver: async (events) => void handedOver.push(...events.flatMap(({ deliveries }) => deliveries)),
      enqueueDeliveries: async (deliveries) => void enqueued.push(...deliveries),
    }),
  });
  const direct = ({ workspaceId, environmentId, endpointId }: typeof slow) => {
    const event = eventWith({ workspaceId, environmentId, eventType: null });
    return { ...event, direct: { endpointId, deliveryId: deliveryIdFor(event.id, endpointId) } };
  };
  const [toQuick, toSlow] = [direct(quick), direct(slow)];
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: slow.environmentId } });
  const { workspaceId, environmentId, endpointId } = slow;
  const matched = { endpointIds: [endpointId], routingRevision, payloadRetention: 'workspace' as const };
  const typed = eventWith({ workspaceId, environmentId, matched });
  await Promise.all([toQuick, toSlow, typed].map((event) => store(event)));
  expect(handedOver).toMatchObject([{ eventId: toQuick.id }]);
  expect(enqueued).toHaveLength(2);
  expect(enqueued).toEqual(
    expect.arrayContaining([toSlow, typed].map(({ id }) => expect.objectContaining({ eventId: id, delayMs: 2_000 }))),
  );
  expect(await db.delivery.findFirst({ where: { eventId: typed.id } })).toMatchObject({
    status: 'pending',
    leaseToken: null,
  });
});

test.each([
  ['by a job where the queue is in Redis', { kind: 'redis' as const }, 'job'],
  ['by a message where the queue is in Postgres', { kind: 'postgres' as const }, 'bus'],
  ['by a call in one process', { kind: 'postgres' as const, takesContent: true }, 'call'],
  ['in their turn while no dispatcher has a free slot', { takers: () => 'behind' as const }, 'pending'],
])('deliveries that are handed over %s are counted as such', async (_how, given, way) => {
  const { db } = database;
  const { workspaceId, environmentId, endpointId } = await insertEndpoint(db);
  const metrics = metricsOf();
  const store = storeWith({ producer: producerWith(given), metrics });
  const event = eventWith({ workspaceId, environmentId, eventType: null });
  await store({ ...event, direct: { endpointId, deliveryId: deliveryIdFor(event.id, endpointId) } });
  const { values } = await metrics.handOffs.get();
  expect(values.filter(({ value }) => value > 0)).toMatchObject([{ labels: { way }, value: 1 }]);
});
