import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { askRedis } from '@posthorn/testkit/redis-place';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { LiveBatch } from '../live.ts';
import { openProducerConnection } from './connection.ts';
import { createLivePublisher, createLiveSubscriber } from './live.ts';

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

/** A listener of one workspace, and a publisher that reaches Redis through a gate. */
async function listen() {
  const place = { ...testRedis(), onError: () => {} };
  const gate = await startTcpGate(place.redisUrl);
  const workspaceId = randomUUID();
  const batches: LiveBatch[] = [];
  const onBatch = (batch: LiveBatch) => void batches.push(batch);
  const subscriber = createLiveSubscriber({ ...place, onBatch, onReconnected: () => {} });
  const errors: Error[] = [];
  const publisher = createLivePublisher({ ...place, redisUrl: gate.url, onError: (error) => void errors.push(error) });
  await waitFor(() => subscriber.subscribe(workspaceId).then(() => true), { what: 'the subscription' });
  const tell = (eventId: string) => publisher.eventAccepted({ workspaceId, eventId });
  const arrives = async (eventId: string) =>
    waitFor(
      () => {
        tell(eventId);
        return batches.some(({ eventIds }) => eventIds.includes(eventId));
      },
      { what: `the change ${eventId}` },
    );
  const close = async () => {
    subscriber.close();
    await gate.close();
  };
  return { gate, publisher, batches, errors, tell, arrives, close };
}

test('a publisher whose connection failed tells afterwards that changes were dropped', async () => {
  const { gate, publisher, batches, errors, arrives, close } = await listen();
  await arrives('before');
  // On a busy machine, the first connection may take longer than the first round.
  batches.length = 0;
  await gate.shut();
  // Its attempts to connect again are further and further apart: between the first and the fifth is a round.
  await waitFor(() => errors.length >= 5, { what: 'the loss of the connection' });
  await gate.open();
  await waitFor(() => batches.some(({ dropped }) => dropped === null), { what: 'the gap' });
  await publisher.close();
  await close();
});

test('a publisher that ends without its last batch is told as a gap, and one that is closed is not', async () => {
  const [killed, closed] = await Promise.all([listen(), listen()]);
  await Promise.all([killed.arrives('before'), closed.arrives('before')]);
  // On a busy machine, the first connection may take longer than the first round.
  for (const { batches } of [killed, closed]) batches.length = 0;
  await closed.publisher.close();
  // As for a process that was killed, its connection ends.
  await killed.gate.shut();
  await waitFor(() => killed.batches.some(({ dropped }) => dropped === null), { what: 'the gap' });
  expect(closed.batches.filter(({ dropped }) => dropped !== 0)).toEqual([]);
  await killed.publisher.close();
  await Promise.all([killed.close(), closed.close()]);
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

test('a publisher that is closed sends its last changes', async () => {
  const { publisher, batches, tell, arrives, close } = await listen();
  await arrives('before');
  tell('last');
  await publisher.close();
  await waitFor(() => batches.some(({ eventIds }) => eventIds.includes('last')), { what: 'the last change' });
  await close();
});
