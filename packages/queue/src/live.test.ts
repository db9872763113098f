import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openProducerConnection } from './connection.ts';
import { createLiveSubscriber, type LiveBatch } from './live.ts';

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
