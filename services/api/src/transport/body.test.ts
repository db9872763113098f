/** @isolated It replaces the timers. */

import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, jest, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Request, Response } from 'express';
import { createReadBytes } from './body.ts';
import type { BodyRoom } from './body-room.ts';

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

test('a body is refused when nothing of it arrives for ten seconds; one that goes on arriving is read', async () => {
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

/** A chunked request, and the room that reading it asks for. It gets the first two at once. */
function readChunked() {
  const request = Object.assign(new PassThrough(), {
    get: (name: string) => (name === 'transfer-encoding' ? 'chunked' : undefined),
  });
  const asked: number[] = [];
  let answer: { resolve: () => void; reject: (error: Error) => void } | undefined;
  let held = 0;
  const takeRoom = (): BodyRoom => ({
    bytes: () => held,
    grow(bytes) {
      asked.push(bytes);
      held = bytes;
      if (asked.length < 3) return undefined;
      return new Promise<void>((resolve, reject) => {
        answer = { resolve, reject };
      });
    },
    arrived: () => {},
  });
  const reading = createReadBytes(100_000)(request as unknown as Request, {} as Response, takeRoom);
  return { request, asked, reading, answer: () => answer };
}

test('a body of unknown length takes the room of a small one, and waits for the room of the largest when it is larger', async () => {
  const small = readChunked();
  small.request.end('a'.repeat(16_384));
  expect([(await small.reading).length, small.asked]).toEqual([16_384, [1_024, 16_384]]);

  const large = readChunked();
  large.request.write('a'.repeat(5_000));
  await waitFor(() => large.asked.length === 2, { what: 'the room of a small body' });
  large.request.write('a'.repeat(15_000));
  await waitFor(() => large.asked.length === 3, { what: 'the second room' });
  large.request.end('b'.repeat(20_000));
  expect(large.request.isPaused()).toBe(true);
  large.answer()?.resolve();
  expect([(await large.reading).length, large.asked]).toEqual([40_000, [1_024, 16_384, 100_000]]);

  const refused = readChunked();
  refused.request.write('a'.repeat(5_000));
  await waitFor(() => refused.asked.length === 2, { what: 'the room of a small body' });
  refused.request.write('a'.repeat(15_000));
  await waitFor(() => refused.asked.length === 3, { what: 'the second room' });
  refused.answer()?.reject(new Error('no room'));
  await expect(refused.reading).rejects.toThrow('no room');
});

test('a body that waits for room is not refused like one that has stopped arriving', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  try {
    const { request, asked, reading, answer } = readChunked();
    request.write('a'.repeat(5_000));
    while (asked.length < 2) await new Promise(setImmediate);
    request.write('a'.repeat(15_000));
    while (asked.length < 3) await new Promise(setImmediate);
    jest.advanceTimersByTime(15_000);
    answer()?.resolve();
    request.end();
    expect(await reading).toHaveLength(20_000);
  } finally {
    jest.useRealTimers();
  }
});
