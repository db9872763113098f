import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, jest, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { createReadBytes } from './body.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('a body that arrives in single bytes is read whole, and takes little more memory than its bytes', async () => {
  const count = 500_000;
  const source = Buffer.from('0123456789');
  const request = Object.assign(new PassThrough(), { get: () => undefined });
  const reading = createReadBytes(count)(request as unknown as Request, {} as Response);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < count; n += 1) request.emit('data', source.subarray(n % 10, (n % 10) + 1));
  collectGarbage();
  const held = process.memoryUsage().heapUsed - before;
  request.end();
  request.resume();
  expect((await reading).equals(Buffer.from('0123456789'.repeat(count / 10)))).toBe(true);
  // Each byte by itself would take some 100 bytes: 50 MB.
  expect(held).toBeLessThan(10 * 1_048_576);
});

test('a body of which nothing arrives for ten seconds is refused; one that goes on arriving is read', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  try {
    const request = Object.assign(new PassThrough(), { get: () => undefined });
    const reading = createReadBytes(100)(request as unknown as Request, {} as Response);
    for (let n = 0; n < 5; n += 1) {
      request.emit('data', Buffer.from('a'));
      jest.advanceTimersByTime(9_000);
    }
    jest.advanceTimersByTime(1_000);
    await expect(reading).rejects.toThrow('The body did not arrive in time');
  } finally {
    jest.useRealTimers();
  }
});
