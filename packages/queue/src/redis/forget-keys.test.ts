import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openProducerConnection } from './connection.ts';
import { forgetKeys } from './forget-keys.ts';
import { holdInstallation, installationKey } from './installation.ts';
import { createProducer } from './producer.ts';

const place = testRedis();
const options = { ...place, onError: () => {} };
const redis = openProducerConnection(options);
beforeAll(() => waitFor(() => redis.status === 'ready', { what: 'Redis' }));
afterAll(() => redis.disconnect());

const keysOf = (prefix: string) => redis.keys(`*${prefix}*`);

test('deletes every key of the prefix, also of jobs, and none of another installation', async () => {
  const other = `${place.prefix}2`;
  await redis.set(`${other}:ping`, 1);
  const producer = createProducer({ ...options, shards: 1, monotonicMs: () => 0 });
  await new Promise<void>((resolve) => producer.onReachable(resolve));
  const ids = { deliveryId: randomUUID(), eventId: randomUUID(), endpointId: randomUUID(), workspaceId: randomUUID() };
  await producer.enqueueDeliveries([{ ...ids, generation: 0, delayMs: 60_000 }]);
  await producer.close();
  // More keys than one scan finds.
  const pipeline = redis.pipeline();
  for (let n = 0; n < 2_500; n += 1) pipeline.set(`${place.prefix}:rate:{${n}}`, 1);
  await pipeline.exec();
  const forgotten = await forgetKeys(options);
  expect(forgotten).toEqual({ kind: 'forgotten', keys: expect.any(Number) });
  expect(forgotten.kind === 'forgotten' && forgotten.keys).toBeGreaterThan(2_500);
  expect(await keysOf(place.prefix)).toEqual([`${other}:ping`]);
  await redis.del(`${other}:ping`);
});

test('deletes nothing while a process uses the keys, or has used them within the last minute', async () => {
  const held = await holdInstallation({ ...options, readId: async () => 'ours', onLook: () => {}, onAway: () => {} });
  await held.stop();
  expect(await forgetKeys(options)).toEqual({ kind: 'in_use' });
  expect(await keysOf(place.prefix)).toEqual([installationKey(place.prefix)]);
  await redis.del(installationKey(place.prefix));
  expect(await forgetKeys(options)).toEqual({ kind: 'forgotten', keys: 0 });
});
