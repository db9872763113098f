import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { askRedis } from '@posthorn/testkit/redis-place';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { LiveBatch } from '../live.ts';
import { openProducerConnection } from './connection.ts';
import { createLiveSubscriber } from './live.ts';

// Tests for Redis only. packages/queue/contract tests the promises of all live changes.

test('a message of another program on the channel of a workspace is left out, and batches after it arrive', async () => {
  const place = { ...testRedis(), onError: () => {} };
  const workspaceId = randomUUID();
  const batches: LiveBatch[] = [];
  const subscriber = createLiveSubscriber({
    ...place,
    onBatch: (batch) => void batches.push(batch),
    onReconnected: () => {},
  });
  const other = openProducerConnection(place);
  await waitFor(() => subscriber.subscribe(workspaceId).then(() => true), { what: 'the subscription' });
  await waitFor(() => other.status === 'ready', { what: 'the other program' });
  const own = JSON.stringify({ d: [['a-delivery', 'an-endpoint']], e: ['an-event'], x: 1 });
  for (const text of ['nonsense', 'null', '{}', '{"d":[null],"e":[],"x":0}', own]) {
    await other.publish(`${place.prefix}:live:${workspaceId}`, text);
  }
  await waitFor(() => batches.length > 0, { what: 'the batch' });
  expect(batches).toEqual([
    {
      workspaceId,
      deliveries: [{ deliveryId: 'a-delivery', endpointId: 'an-endpoint' }],
      eventIds: ['an-event'],
      dropped: 1,
    },
  ]);
  other.disconnect();
  subscriber.close();
});

test('streams whose leases end further ahead than any lease are no longer held: the clock was set back', async () => {
  const place = { ...testRedis(), onError: () => {} };
  const subscriber = createLiveSubscriber({ ...place, onBatch: () => {}, onReconnected: () => {} });
  const take = (streamId: string) => subscriber.takeStream('workspace', streamId, 1);
  await askRedis(place.redisUrl, 'ZADD', `${place.prefix}:streams:workspace`, Date.now() + 86_400_000, 'held');
  expect(await waitFor(() => take('next').catch(() => undefined), { what: 'Redis' })).toBe(true);
  expect([await take('next'), await take('another')]).toEqual([true, false]);
  subscriber.close();
});

test('a batch that is missing between two of a publisher is told as a gap with the next one', async () => {
  const place = { ...testRedis(), onError: () => {} };
  const workspaceId = randomUUID();
  const batches: LiveBatch[] = [];
  const onBatch = (batch: LiveBatch) => void batches.push(batch);
  const subscriber = createLiveSubscriber({ ...place, onBatch, onReconnected: () => {} });
  const publisher = openProducerConnection(place);
  await waitFor(() => subscriber.subscribe(workspaceId).then(() => true), { what: 'the subscription' });
  await waitFor(() => publisher.status === 'ready', { what: 'the publisher' });
  for (const n of [4, 5, 7]) {
    const message = JSON.stringify({ d: [], e: [`event ${n}`], x: 0, p: 'publisher', n, z: false });
    await publisher.publish(`${place.prefix}:live:${workspaceId}`, message);
  }
  await waitFor(() => batches.length === 3, { what: 'the batches' });
  expect(batches.map(({ eventIds, dropped }) => [eventIds[0], dropped])).toEqual([
    ['event 4', 0],
    ['event 5', 0],
    ['event 7', null],
  ]);
  publisher.disconnect();
  subscriber.close();
});
