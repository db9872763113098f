import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openProcess } from '../../contract/postgres-maker.ts';
import type { LiveBatch } from '../live.ts';
import { MOST_BODY } from './bus.ts';
import { createLivePublisher, createLiveSubscriber } from './live.ts';
import { batchesOf, messagesOf, type NumberedBatch, partsOf } from './live-messages.ts';

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
const batchOf = (deliveries: number, events: number): LiveBatch => ({
  workspaceId: randomUUID(),
  deliveries: ids(deliveries).map((deliveryId) => ({ deliveryId, endpointId: randomUUID() })),
  eventIds: ids(events),
  dropped: null,
});

test.each([
  [0, 0, 1],
  [1, 1, 1],
  [500, 0, 3],
  [0, 500, 2],
  [250, 250, 3],
])('a batch of %i deliveries and %i events is in %i parts, which have all of it', (deliveries, events, count) => {
  const batch = batchOf(deliveries, events);
  const parts = partsOf(batch);
  expect(parts).toHaveLength(count);
  expect(parts.flatMap((part) => part.deliveries)).toEqual(batch.deliveries);
  expect(parts.flatMap((part) => part.eventIds)).toEqual(batch.eventIds);
  expect(parts.map(({ dropped }) => dropped)).toEqual([...Array.from({ length: count - 1 }, () => 0), null]);
  for (const part of parts) expect(messagesOf(randomUUID(), [{ ...part, number: 1, isLast: false }])).toHaveLength(1);
});

test('batches of many workspaces share messages that fit on the bus, and are read as they were written', () => {
  const publisherId = randomUUID();
  const batches: NumberedBatch[] = Array.from({ length: 300 }, (_, n) => ({
    ...batchOf(n % 3, n % 2),
    dropped: n % 5 === 0 ? null : n,
    number: n * 10_000_000,
    isLast: n % 7 === 0,
  }));
  const messages = messagesOf(publisherId, batches);
  expect(messages.length).toBeLessThan(8);
  for (const message of messages) expect(message.length).toBeLessThanOrEqual(MOST_BODY);
  const read = messages.map(batchesOf);
  expect(new Set(read.map((one) => one.publisherId))).toEqual(new Set([publisherId]));
  expect(read.flatMap((one) => one.batches)).toEqual(batches);
});

test('of a message that is cut or not one of ours nothing is made up', () => {
  const [message = Buffer.alloc(0)] = messagesOf(randomUUID(), [{ ...batchOf(3, 3), number: 1, isLast: false }]);
  for (let length = 0; length < message.length; length += 1)
    expect(batchesOf(message.subarray(0, length)).batches).toEqual([]);
});

test('a batch that is missing between two of a publisher is told as a gap with the next one', async () => {
  const database = await createTestDatabase();
  const { shared, close } = openProcess(database.databaseUrl);
  const [workspaceId, publisherId] = [randomUUID(), randomUUID()];
  const batches: LiveBatch[] = [];
  const onBatch = (batch: LiveBatch) => void batches.push(batch);
  const subscriber = createLiveSubscriber({ ...shared, onBatch, onReconnected: () => {} });
  await waitFor(() => subscriber.subscribe(workspaceId).then(() => true), { what: 'the subscription' });
  const [first = '', second = '', fourth = ''] = ids(3);
  for (const [number, eventId] of [
    [1, first],
    [2, second],
    [4, fourth],
  ] as const) {
    const batch = { workspaceId, deliveries: [], eventIds: [eventId], dropped: 0, number, isLast: false };
    for (const message of messagesOf(publisherId, [batch])) shared.bus.send(shared.processId, 'live', message);
  }
  await waitFor(() => batches.length === 3, { what: 'the batches' });
  expect(batches.map(({ eventIds, dropped }) => [eventIds[0], dropped])).toEqual([
    [first, 0],
    [second, 0],
    [fourth, null],
  ]);
  subscriber.close();
  await close();
  await database.drop();
});

test('changes that a publisher did not tell, because it has seen its listener late, are told as a gap', async () => {
  const database = await createTestDatabase();
  const { shared, close } = openProcess(database.databaseUrl);
  const { bus, presence } = shared;
  // The publisher looks, but does not see the new listener.
  let rounds = 0;
  let looks = () => new Map<string, string[]>() as ReturnType<typeof presence.listened>;
  const listened = () => {
    rounds += 1;
    return looks();
  };
  const publisher = createLivePublisher({ bus, presence: { ...presence, listened } });
  const batches: LiveBatch[] = [];
  const onBatch = (batch: LiveBatch) => void batches.push(batch);
  const subscriber = createLiveSubscriber({ ...shared, onBatch, onReconnected: () => {} });
  await waitFor(() => rounds > 0, { what: 'the first round of the publisher' });
  const workspaceId = randomUUID();
  await waitFor(() => subscriber.subscribe(workspaceId).then(() => true), { what: 'the subscription' });
  publisher.eventAccepted({ workspaceId, eventId: randomUUID() });
  looks = presence.listened;
  await waitFor(() => batches.length > 0, { what: 'what the publisher tells' });
  expect(batches[0]).toMatchObject({ workspaceId, eventIds: [], dropped: null });
  subscriber.close();
  await publisher.close();
  await close();
  await database.drop();
});

test('changes that a publisher did not tell, because its listener was out of sight for a while, are told as a gap', async () => {
  const database = await createTestDatabase();
  const { shared, close } = openProcess(database.databaseUrl);
  const { bus, presence } = shared;
  let rounds = 0;
  const seesNone = () => new Map<string, string[]>() as ReturnType<typeof presence.listened>;
  let looks = seesNone;
  const listened = () => {
    rounds += 1;
    return looks();
  };
  const publisher = createLivePublisher({ bus, presence: { ...presence, listened } });
  const batches: LiveBatch[] = [];
  const onBatch = (batch: LiveBatch) => {
    batches.push(batch);
    if (batch.eventIds.length > 0) looks = seesNone;
  };
  const subscriber = createLiveSubscriber({ ...shared, onBatch, onReconnected: () => {} });
  const workspaceId = randomUUID();
  await waitFor(() => subscriber.subscribe(workspaceId).then(() => true), { what: 'the subscription' });
  await waitFor(() => rounds > 0 && presence.listened().has(workspaceId), { what: 'the listener to be known' });
  looks = presence.listened;
  const eventId = randomUUID();
  publisher.eventAccepted({ workspaceId, eventId });
  await waitFor(() => batches.length > 0, { what: 'the first batch' });
  expect(batches).toMatchObject([{ eventIds: [eventId] }]);
  publisher.eventAccepted({ workspaceId, eventId: randomUUID() });
  const before = rounds;
  await waitFor(() => rounds > before + 1, { what: 'a round without the listener' });
  looks = presence.listened;
  await waitFor(() => batches.length > 1, { what: 'what the publisher tells' });
  expect(batches[1]).toMatchObject({ workspaceId, eventIds: [], dropped: null });
  subscriber.close();
  await publisher.close();
  await close();
  await database.drop();
});

test.each([
  ['one that begins after the listener', { number: 1, isEarly: false }, 0],
  ['one that has told others before, and is heard of in time', { number: 4, isEarly: true }, 0],
  ['one that has told others before, and is heard of late', { number: 4, isEarly: false }, null],
])('whether changes are missing before the first batch of a publisher: %s', async (_, { number, isEarly }, dropped) => {
  const database = await createTestDatabase();
  const { shared, close } = openProcess(database.databaseUrl);
  const batches: LiveBatch[] = [];
  const onBatch = (batch: LiveBatch) => void batches.push(batch);
  const subscriber = createLiveSubscriber({ ...shared, onBatch, onReconnected: () => {} });
  await waitFor(() => shared.bus.isUp(), { what: 'the bus' });
  const workspaceId = randomUUID();
  const subscribed = subscriber.subscribe(workspaceId);
  if (!isEarly) await subscribed;
  const batch = { workspaceId, deliveries: [], eventIds: ids(1), dropped: 0, number, isLast: false };
  for (const message of messagesOf(randomUUID(), [batch])) shared.bus.send(shared.processId, 'live', message);
  await waitFor(() => batches.length > 0, { what: 'the batch' });
  expect(batches).toEqual([{ workspaceId, deliveries: [], eventIds: batch.eventIds, dropped }]);
  await subscribed;
  subscriber.close();
  await close();
  await database.drop();
});
