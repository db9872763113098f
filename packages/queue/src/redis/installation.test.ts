import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openProducerConnection } from './connection.ts';
import { holdInstallation } from './installation.ts';

function hold(place: { redisUrl: string; prefix: string }, id: string) {
  const looks: boolean[] = [];
  const started = holdInstallation({
    ...place,
    onError: () => {},
    readId: async () => id,
    onLook: (isForeign) => void looks.push(isForeign),
    onAway: () => {},
  });
  return { looks, started };
}

test('of two installations with one Redis and prefix, the second does not start; with another prefix it does', async () => {
  const place = testRedis();
  const [ours, other] = [randomUUID(), randomUUID()];
  const first = await hold(place, ours).started;
  const second = await hold(place, ours).started;
  await expect(hold(place, other).started).rejects.toThrow(`the prefix ${place.prefix}: set QUEUE_PREFIX`);
  const elsewhere = await hold(testRedis(), other).started;
  // Nobody renews the claim any more, so it ends.
  await Promise.all([first.stop(), second.stop(), elsewhere.stop()]);
  const redis = openProducerConnection({ ...place, onError: () => {} });
  await waitFor(() => redis.status === 'ready', { what: 'Redis' });
  expect(await redis.pttl(`${place.prefix}:installation`)).toBeGreaterThan(0);
  await redis.del(`${place.prefix}:installation`);
  redis.disconnect();
  const later = await hold(place, other).started;
  await later.stop();
});

test('a process that cannot reach Redis starts, and tells later that another installation has the keys', async () => {
  const place = testRedis();
  const gate = await startTcpGate(place.redisUrl);
  await gate.shut();
  const { looks, started } = hold({ ...place, redisUrl: gate.url }, randomUUID());
  const held = await started;
  expect(looks).toEqual([]);
  const other = await hold(place, randomUUID()).started;
  await gate.open();
  await waitFor(() => looks.includes(true), { what: 'the look at the claim', timeoutMs: 60_000 });
  await Promise.all([held.stop(), other.stop()]);
  await gate.close();
}, 90_000);
