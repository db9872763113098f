import { expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { type DeliveryRequest, playgroundAnswer, withPlayground } from './playground.ts';
import type { Sender } from './send.ts';

const calls: string[] = [];
const network: Sender = {
  send: async ({ url }) => {
    calls.push(url);
    return { kind: 'aborted' };
  },
  abortAll: () => void calls.push('abortAll'),
  close: () => void calls.push('close'),
};
const request = (playground?: DeliveryRequest['playground']): DeliveryRequest => ({
  url: 'https://playground.invalid/ep_1',
  headers: {},
  body: Buffer.from('{}'),
  timeoutMs: 1_000,
  playground,
});
const noPhases = { timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null }, remoteAddress: null };

test.each([
  [{}, 1, { status: 200, delayMs: 0, body: '' }],
  [{ status: 204, body: 'thanks' }, 1, { status: 204, delayMs: 0, body: 'thanks' }],
  [{ failFirst: 2 }, 2, { status: 500, delayMs: 0, body: '' }],
  [{ failFirst: 2, status: 201 }, 3, { status: 201, delayMs: 0, body: '' }],
])('with the config %j attempt %i is answered with %j', (config, attemptNumber, answer) => {
  expect(playgroundAnswer(config, attemptNumber)).toEqual(answer);
});

test('a playground answers without the network, and has no address and no phases', async () => {
  calls.length = 0;
  const sender = withPlayground(network, systemClock);
  const result = await sender.send(request({ status: 503, delayMs: 0, body: 'busy' }));
  expect(result).toMatchObject({ kind: 'response', status: 503, body: Buffer.from('busy'), ...noPhases });
  expect(calls).toEqual([]);
});

test('an answer later than the timeout is a timeout', async () => {
  const sender = withPlayground(network, systemClock);
  const result = await sender.send({ ...request({ status: 200, delayMs: 10_000, body: '' }), timeoutMs: 20 });
  expect(result).toMatchObject({ kind: 'error', errorCode: 'timeout', response: null, ...noPhases });
});

test('an abort ends a waiting playground, and every later request', async () => {
  const sender = withPlayground(network, systemClock);
  const waiting = sender.send({ ...request({ status: 200, delayMs: 10_000, body: '' }), timeoutMs: 30_000 });
  sender.abortAll();
  expect(await waiting).toEqual({ kind: 'aborted' });
  expect(await sender.send(request({ status: 200, delayMs: 0, body: '' }))).toEqual({ kind: 'aborted' });
});

test('an endpoint that is no playground is sent to over the network, whatever its URL', async () => {
  calls.length = 0;
  await withPlayground(network, systemClock).send(request());
  expect(calls).toEqual(['https://playground.invalid/ep_1']);
});
