import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { flushRedis } from '@posthorn/testkit/redis-place';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { prepareLoad } from './load.ts';

/** 2,000 keep the suite quick; `FAULT_EVENTS=10000` is the full measure. */
const EVENTS = Number(process.env.FAULT_EVENTS ?? 2_000);
const DRAIN_WITHIN_MS = 45_000 + EVENTS * 20;
const TEST_MAY_TAKE_MS = DRAIN_WITHIN_MS + EVENTS * 20 + 60_000;
const CONCURRENCY = 50;

let receiver: Receiver;
let stack: Stack | undefined;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  await receiver.close();
}, 60_000);

async function start(settings: Record<string, string> = {}): Promise<Stack> {
  stack = await startStack({
    caPem: receiver.caPem,
    dispatchers: 2,
    settings: {
      RETRY_SCHEDULE: '1,1,1,1,1',
      SWEEP_INTERVAL_MS: '500',
      DELIVERY_CONCURRENCY: String(CONCURRENCY),
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  return stack;
}

// A short timeout keeps leases short: what was in flight comes again soon.
const QUICK = { timeoutSeconds: 2 };
const none = { lost: 0, unexpected: 0, corrupt: 0 };

test(
  'endpoints that fail at first get every delivery, none is lost, none is sent again after a 2xx',
  async () => {
    const load = await prepareLoad(await start(), receiver);
    await load.send(EVENTS);
    await load.drain(DRAIN_WITHIN_MS);
    expect(load.verdict()).toEqual({ ...none, accepted: EVENTS, again: 0 });
  },
  TEST_MAY_TAKE_MS,
);

test(
  'a dispatcher killed under load loses nothing; only what it had in flight is sent again',
  async () => {
    const started = await start();
    const load = await prepareLoad(started, receiver, QUICK);
    await load.send(EVENTS, async () => started.dispatchers[0]?.end('SIGKILL'));
    await load.drain(DRAIN_WITHIN_MS);
    const { again, ...verdict } = load.verdict();
    expect(verdict).toEqual({ ...none, accepted: EVENTS });
    expect(again).toBeLessThanOrEqual(CONCURRENCY);
  },
  TEST_MAY_TAKE_MS,
);

test(
  'Redis flushed under load loses nothing; only what was in flight may be sent again',
  async () => {
    // A database number of its own: what is flushed is nobody else's.
    const redisUrl = Object.assign(new URL(testRedis().redisUrl), { pathname: '/7' }).href;
    const load = await prepareLoad(await start({ REDIS_URL: redisUrl }), receiver);
    await load.send(EVENTS, async () => {
      for (let n = 0; n < 3; n += 1) await flushRedis(redisUrl);
    });
    await load.drain(DRAIN_WITHIN_MS);
    const { again, ...verdict } = load.verdict();
    expect(verdict).toEqual({ ...none, accepted: EVENTS });
    expect(again).toBeLessThanOrEqual(2 * CONCURRENCY);
  },
  TEST_MAY_TAKE_MS,
);

test(
  'Redis away for a while: every event is still accepted, and delivered',
  async () => {
    const gate = await startTcpGate(testRedis().redisUrl);
    const load = await prepareLoad(await start({ REDIS_URL: gate.url }), receiver);
    await load.send(EVENTS / 4);
    await gate.shut();
    await load.send(EVENTS / 4);
    await gate.open();
    await load.drain(DRAIN_WITHIN_MS);
    const { again, ...verdict } = load.verdict();
    expect(verdict).toEqual({ ...none, accepted: EVENTS / 2 });
    expect(again).toBeLessThanOrEqual(2 * CONCURRENCY);
    await gate.close();
  },
  TEST_MAY_TAKE_MS,
);
