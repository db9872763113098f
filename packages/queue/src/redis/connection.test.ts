import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import {
  openListener,
  openProducerConnection,
  openWorkerConnection,
  type RedisConnection,
  subscribe,
} from './connection.ts';

// Redis answers only the first call as a replica does. After a failover, the address leads to a server that accepts
// writes. A fault row tests a real failover.
const FIRST_REFUSED = `
if redis.call('INCR', KEYS[1]) == 1 then
  return redis.error_reply("READONLY You can't write against a read only replica.")
end
redis.call('PEXPIRE', KEYS[1], 60000)
return 'written'`;

let gate: TcpGate;
let opened: number;
let connection: RedisConnection;
beforeEach(async () => {
  opened = 0;
  const inspect = () => {
    opened += 1;
    return { toTarget: () => true, fromTarget: () => true };
  };
  gate = await startTcpGate(testRedis().redisUrl, { inspect });
});
afterEach(async () => {
  connection.disconnect();
  await gate.close();
});

const write = (key: string) => connection.eval(FIRST_REFUSED, 1, key);
const isReady = () => waitFor(() => connection.status === 'ready', { what: 'the connection' });

test('a producer whose Redis has become a replica reconnects: the command fails, and a later one is written', async () => {
  connection = openProducerConnection({ redisUrl: gate.url, onError: () => {} });
  await isReady();
  const key = `${testRedis().prefix}:${randomUUID()}`;
  await expect(write(key)).rejects.toThrow();
  await waitFor(() => opened === 2, { what: 'another connection' });
  await isReady();
  expect(await write(key)).toBe('written');
  expect(opened).toBe(2);
});

test('a worker whose Redis has become a replica reconnects, and its command is written there', async () => {
  connection = openWorkerConnection({ redisUrl: gate.url, onError: () => {} });
  await isReady();
  expect(await write(`${testRedis().prefix}:${randomUUID()}`)).toBe('written');
  expect(opened).toBe(2);
});

test('an error of another kind keeps the connection', async () => {
  connection = openWorkerConnection({ redisUrl: gate.url, onError: () => {} });
  await isReady();
  await expect(connection.call('NOSUCHCOMMAND')).rejects.toThrow(/unknown command/);
  await connection.ping();
  expect(opened).toBe(1);
});

test('a channel is subscribed once the connection is ready: its ready check would drop an earlier subscription', async () => {
  const listener = openListener({ redisUrl: gate.url, onError: () => {} });
  connection = listener;
  const channel = `${testRedis().prefix}:channel`;
  const outcome = () =>
    subscribe(listener, channel).then(
      () => 'subscribed',
      () => 'refused',
    );
  expect(await new Promise((resolve) => listener.once('connect', () => resolve(outcome())))).toBe('refused');
  await isReady();
  expect(await outcome()).toBe('subscribed');
  expect(opened).toBe(1);
});
