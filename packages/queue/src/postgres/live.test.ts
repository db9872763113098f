import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openProcess } from '../../contract/postgres-maker.ts';
import type { LiveBatch } from '../live.ts';
import { MOST_BODY } from './bus.ts';
import { createLiveSubscriber } from './live.ts';
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
    [4, first],
    [5, second],
    [7, fourth],
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
