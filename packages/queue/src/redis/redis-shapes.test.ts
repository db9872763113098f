/** @isolated It replaces console.warn. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { askRedis } from '@posthorn/testkit/redis-place';
import {
  hasRedisServer,
  type RedisCluster,
  startRedisCluster,
  startRedisServer,
} from '@posthorn/testkit/redis-servers';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { DeliverRequest } from '../jobs.ts';
import type { LiveBatch } from '../live.ts';
import type { Producer } from '../producer.ts';
import { shardOf, shareOfShard } from '../shards.ts';
import { openProducerConnection, type QueueOptions } from './connection.ts';
import { consumeDeliver, consumeFanOut, consumeProbes } from './consumer.ts';
import { forgetKeys } from './forget-keys.ts';
import { createLivePublisher, createLiveSubscriber } from './live.ts';
import { createProbeReplies } from './probe-replies.ts';
import { createProbes } from './probes.ts';
import { createProducer } from './producer.ts';
import { deliverQueue } from './queues.ts';
import { createThrottle } from './throttle.ts';

const describeWithServer = hasRedisServer ? describe : describe.skip;

let opened: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(opened.reverse().map((one) => one.close()));
  opened = [];
});
const kept = <One extends { close(): unknown }>(one: One): One => {
  opened.push(one);
  return one;
};

const quiet = { onError: () => {} };
const optionsOf = (redisUrl: string, given: Partial<QueueOptions> = {}): QueueOptions => ({
  redisUrl,
  prefix: `test_${randomUUID().slice(0, 8)}`,
  ...quiet,
  ...given,
});

const workspaceId = randomUUID();
const newDelivery = (endpointId: string = randomUUID()): DeliverRequest => ({
  deliveryId: randomUUID(),
  eventId: randomUUID(),
  endpointId,
  workspaceId,
  generation: 0,
  delayMs: 0,
});

async function openProducer(options: QueueOptions, shards = 1): Promise<Producer> {
  const producer = kept(createProducer({ ...options, shards, monotonicMs: () => performance.now() }));
  await waitFor(() => producer.ping().then(() => true), { what: 'the producer to be connected', timeoutMs: 30_000 });
  return producer;
}

/** Consumes every shard, and returns the delivery ids by shard. */
function consumeShards(options: QueueOptions, shards: number): Set<string>[] {
  return Array.from({ length: shards }, (_, shard) => {
    const seen = new Set<string>();
    const handle = async ({ deliveryId }: { deliveryId: string }) => void seen.add(deliveryId);
    kept(consumeDeliver({ ...options, shard, concurrency: 10, handle, onJobError: () => {} }));
    return seen;
  });
}

/** An endpoint whose jobs are in this shard. */
function endpointOf(shard: number, shards: number): string {
  for (;;) {
    const id = randomUUID();
    if (shardOf(id, shards) === shard) return id;
  }
}

const all = (seen: Set<string>[]) => new Set(seen.flatMap((one) => [...one]));

/** Uses each part that stores something in Redis once, and fails if one is refused. */
async function useEveryPart(options: QueueOptions): Promise<void> {
  const shards = 3;
  const producer = await openProducer(options, shards);
  const events: string[] = [];
  const handle = async ({ groups }: { groups: { eventIds: string[] }[] }) =>
    void events.push(...groups.flatMap(({ eventIds }) => eventIds));
  kept(consumeFanOut({ ...options, concurrency: 2, handle, onJobError: () => {} }));
  const seen = consumeShards(options, shards);
  const deliveries = Array.from({ length: 60 }, () => newDelivery());
  await producer.enqueueFanOut([
    { eventId: 'an-event', workspaceId, environmentId: 'n', eventType: 'order.created', applicationId: null },
  ]);
  await producer.enqueueDeliveries(deliveries.slice(0, 30));
  const overdue = deliveries.slice(30).map((delivery) => ({ ...delivery, round: 1 }));
  expect(await producer.enqueueOverdue(overdue)).toBe(30);
  await waitFor(() => all(seen).size === 60 && events.length === 1, { what: 'every job', timeoutMs: 20_000 });
  expect(await producer.takeReconcilerTurn(10_000)).toBe(true);
  await producer.shortenReconcilerTurn(100);
  expect([await producer.isPaused('deliver', 2), await producer.waiting('deliver', 2)]).toEqual([false, 0]);
  await useLimits(options);
  await useProbes(options);
  await useLive(options);
}

async function useLimits(options: QueueOptions): Promise<void> {
  const throttle = kept(createThrottle(options));
  const slot = { holder: 'h', max: 1, leaseMs: 5_000 };
  const reserved = () => throttle.takeTime('e', { limit: 10, periodSeconds: 1 }).catch(() => undefined);
  expect(await waitFor(reserved, { what: 'the throttle' })).toEqual({ kind: 'now' });
  expect([await throttle.takeSlot('e', slot), await throttle.takeSlot('e', slot)]).toEqual([true, false]);
  expect(await throttle.releaseSlot('e', 'h')).toBe(true);
  throttle.forgetLine('e');
  throttle.tellLate('e', { limit: 10, periodSeconds: 1 }, 50);
}

async function useProbes(options: QueueOptions): Promise<void> {
  const probes = kept(createProbes(options));
  const replies = kept(createProbeReplies(options));
  const handle = async (job: Parameters<typeof replies.begun>[0]) => {
    await replies.begun(job);
    await replies.ended(job, { answer: 42 });
  };
  kept(consumeProbes({ ...options, concurrency: 1, handle, onJobError: () => {} }));
  const limits = { mostOfEndpoint: 1, mostOfWorkspace: 2, mostOfOwner: 2, forgottenAfterMs: 60_000, pauseMs: 1_000 };
  const asked = { kind: 'doctor', endpointId: randomUUID(), workspaceId, ownerId: randomUUID(), ...limits } as const;
  const task = { kind: 'doctor', endpointId: asked.endpointId, workspaceId } as const;
  const admitted = await waitFor(() => probes.admit(asked).catch(() => undefined), { what: 'an admission' });
  expect(await probes.admit(asked)).toMatchObject({ kind: 'refused', by: 'endpoint' });
  if (admitted.kind !== 'admitted') throw new Error('the first probe was refused');
  const times = { beginsWithinMs: 10_000, endsWithinMs: 15_000, now: new Date() };
  const outcome = await waitFor(() => probes.ask(admitted, task, times).catch(() => undefined), { what: 'a reply' });
  expect(outcome).toEqual({ kind: 'replied', reply: { answer: 42 } });
  await admitted.release();
  expect(await probes.admit(asked)).toMatchObject({ kind: 'refused', by: 'pause' });
}

async function useLive(options: QueueOptions): Promise<void> {
  const batches: LiveBatch[] = [];
  const onBatch = (batch: LiveBatch) => void batches.push(batch);
  const subscriber = kept(createLiveSubscriber({ ...options, onBatch, onReconnected: () => {} }));
  const publisher = kept(createLivePublisher(options));
  const subscribed = () =>
    subscriber.subscribe(workspaceId).then(
      () => true,
      () => false,
    );
  await waitFor(subscribed, { what: 'the subscription' });
  const told = () => {
    publisher.eventAccepted({ workspaceId, eventId: 'an-event' });
    return batches.length > 0;
  };
  await waitFor(told, { what: 'a live change' });
  expect(batches[0]).toMatchObject({ workspaceId, eventIds: expect.arrayContaining(['an-event']) });
  expect([await subscriber.takeStream('w', 's1', 1), await subscriber.takeStream('w', 's2', 1)]).toEqual([true, false]);
}

// Every kind of connection keeps trying while its servers are away, and its commands fail at once.
test.each(['redis://127.0.0.1:9', 'redis+sentinel://127.0.0.1:9,127.0.0.1:10/main', 'redis+cluster://127.0.0.1:9'])(
  'a command to %s, where nothing listens, fails at once',
  async (redisUrl) => {
    const connection = openProducerConnection({ redisUrl, ...quiet });
    await expect(connection.get('a')).rejects.toThrow();
    connection.disconnect();
  },
);

describe('the shards of the deliver queue', () => {
  test('hold all jobs of an endpoint in one queue, and the first shard is the queue of an install without shards', async () => {
    const options = optionsOf(testRedis().redisUrl);
    const producer = await openProducer(options, 4);
    const endpointIds = [0, 1, 2, 3].flatMap((shard) => Array.from({ length: 10 }, () => endpointOf(shard, 4)));
    const deliveries = endpointIds.flatMap((id) => [newDelivery(id), newDelivery(id)]);
    await producer.enqueueDeliveries(deliveries);
    const seen = consumeShards(options, 4);
    await waitFor(() => all(seen).size === 80, { what: 'every job' });
    const shards = deliveries.map(({ deliveryId }) => seen.findIndex((one) => one.has(deliveryId)));
    expect(shards).toEqual(deliveries.map(({ endpointId }) => shardOf(endpointId, 4)));
    expect(new Set(shards).size).toBe(4);
    expect([shardOf(randomUUID(), 1), deliverQueue(0)]).toEqual([0, 'deliver']);
  });

  test('share what a process may hold: one shard holds all of it, many hold at least ten jobs each', () => {
    expect([1, 2, 4, 64].map((shards) => shareOfShard(200, shards))).toEqual([200, 200, 100, 10]);
    expect(shareOfShard(4, 8)).toBe(4);
  });

  test.each([
    ['fewer', 4, 2],
    ['more', 1, 3],
  ])(
    'can become %s: each delivery gets a job in its shard of now, and jobs left in other shards are found',
    async (_change, before, after) => {
      const options = optionsOf(testRedis().redisUrl);
      const deliveries = Array.from({ length: 60 }, () => newDelivery());
      await (await openProducer(options, before)).enqueueDeliveries(deliveries);
      const producer = await openProducer(options, after);
      expect(await producer.formerShards()).toEqual(before > after ? [2, 3] : []);
      const seen = consumeShards(options, after);
      // Ask as the reconciler does for overdue rows.
      const asked = deliveries.map((delivery) => ({ ...delivery, round: 1 }));
      await waitFor(
        async () => {
          await producer.enqueueOverdue(asked.filter(({ deliveryId }) => !all(seen).has(deliveryId)));
          return all(seen).size === 60;
        },
        { what: 'every delivery' },
      );
      const left = await producer.formerShards();
      const [third, fourth] = [2, 3].map((shard) => {
        const ofShard = new Set<string>();
        const handle = async ({ deliveryId }: { deliveryId: string }) => void ofShard.add(deliveryId);
        if (left.includes(shard)) {
          kept(consumeDeliver({ ...options, shard, concurrency: 10, handle, onJobError: () => {} }));
        }
        return ofShard;
      });
      const inOthers = deliveries.filter(({ endpointId }) => shardOf(endpointId, before) >= after).length;
      const found = () => (third?.size ?? 0) + (fourth?.size ?? 0);
      await waitFor(async () => found() === inOthers && (await producer.formerShards()).length === 0, {
        what: 'the jobs of former shards',
      });
    },
  );
});

describe('a Redis that refuses administration', () => {
  test('is enough for every part: no CONFIG, KEYS, INFO or other command of @admin or @dangerous', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {}); // ioredis logs each refused INFO.
    const { redisUrl, prefix } = testRedis();
    const [name, password] = [`user_${prefix}`, 'p@ss'];
    await askRedis(
      redisUrl,
      'ACL',
      'SETUSER',
      name,
      'on',
      `>${password}`,
      '~*',
      '&*',
      '+@all',
      '-@admin',
      '-@dangerous',
    );
    const limited = Object.assign(new URL(redisUrl), { username: name, password: encodeURIComponent(password) }).href;
    try {
      for (const refused of [['CONFIG', 'GET', '*'], ['KEYS', '*'], ['INFO']]) {
        const [command = '', ...args] = refused;
        await expect(askRedis(limited, command, ...args)).rejects.toThrow(/NOPERM/);
      }
      await useEveryPart(optionsOf(limited));
    } finally {
      await askRedis(redisUrl, 'ACL', 'DELUSER', name);
      warn.mockRestore();
    }
  }, 40_000);
});

describeWithServer('a Redis with TLS', () => {
  test('is reached with its own authority, and not without it', async () => {
    const { caPem, issue } = await makeOwnAuthority();
    const server = await startTlsServer(await issue({ names: ['127.0.0.1'] }));
    try {
      const url = `rediss://127.0.0.1:${server.tlsPort}`;
      await openProducer(optionsOf(url, { redisCa: caPem }));
      const errors: Error[] = [];
      kept(createThrottle(optionsOf(url, { onError: (error) => errors.push(error) })));
      await waitFor(() => errors.some(({ message }) => /certificate/.test(message)), { what: 'the refusal' });
    } finally {
      await server.stop();
    }
  }, 20_000);
});

describeWithServer('a Redis Cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 30_000);
  afterAll(() => cluster.stop());

  test('is enough for every part', () => useEveryPart(optionsOf(cluster.url)), 40_000);

  test('has each queue in a hash slot of its own, so that shards spread over the masters', async () => {
    const options = optionsOf(cluster.url);
    // The hash slots differ from run to run. The chance that a master gets none of this many is one in 10 billion.
    const shards = 60;
    const producer = await openProducer(options, shards);
    const deliveries = Array.from({ length: shards }, (_, shard) => newDelivery(endpointOf(shard, shards)));
    await producer.enqueueDeliveries(deliveries);
    const sizes = await Promise.all(
      cluster.masters.map(async ({ client }) => {
        const keys = (await client.keys(`{${options.prefix}:deliver*`)).map((key) => key.slice(0, key.indexOf('}')));
        return new Set(keys).size;
      }),
    );
    expect(sizes.reduce((total, size) => total + size, 0)).toBe(shards);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  test('is rid of every key of an installation that no longer uses it, on each master', async () => {
    const options = optionsOf(cluster.url);
    const producer = await openProducer(options, 20);
    await producer.enqueueDeliveries(Array.from({ length: 20 }, (_, shard) => newDelivery(endpointOf(shard, 20))));
    await producer.close();
    const left = async () => {
      const found = await Promise.all(cluster.masters.map(({ client }) => client.keys(`*${options.prefix}*`)));
      return found.map((keys) => keys.length);
    };
    const keys = (await left()).reduce((total, count) => total + count, 0);
    expect(keys).toBeGreaterThan(20);
    expect(await forgetKeys(options)).toEqual({ kind: 'forgotten', keys: expect.any(Number) });
    expect(await left()).toEqual(cluster.masters.map(() => 0));
  });
});

async function startTlsServer({ key, cert }: { key: string; cert: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-tls-'));
  writeFileSync(`${folder}/key.pem`, key);
  writeFileSync(`${folder}/cert.pem`, cert);
  const tlsPort = await freePort();
  const files = ['--tls-key-file', `${folder}/key.pem`, '--tls-cert-file', `${folder}/cert.pem`];
  const server = await startRedisServer({
    args: ['--tls-port', `${tlsPort}`, ...files, '--tls-auth-clients', 'no'],
  });
  return {
    tlsPort,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
