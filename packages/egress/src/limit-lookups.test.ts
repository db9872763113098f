import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { limitLookups } from './limit-lookups.ts';
import type { ResolvedAddress } from './resolve-name.ts';

const ADDRESS: ResolvedAddress = { address: '8.8.8.8', family: 4, ttlSeconds: 60 };

/** A name server that answers when the test says so. */
function setUp(options: { most: number; waitMs: number }) {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const resolve = limitLookups((hostname) => {
    asked.push(hostname);
    return new Promise((answer, fail) => {
      const isBroken = hostname.startsWith('broken');
      answers.set(hostname, () => (isBroken ? fail(new Error('SERVFAIL')) : answer([ADDRESS])));
    });
  }, options);
  return { asked, resolve, answer: (hostname: string) => answers.get(hostname)?.() };
}

test('only so many names are looked up at once, the others in their order, also behind one that fails', async () => {
  const { asked, resolve, answer } = setUp({ most: 2, waitMs: 60_000 });
  const found = ['broken.test', 'b.test', 'c.test', 'd.test'].map((hostname) => resolve(hostname));
  await turnOfLoop();
  expect(asked).toEqual(['broken.test', 'b.test']);
  answer('broken.test');
  await expect(found[0]).rejects.toThrow('SERVFAIL');
  await turnOfLoop();
  expect(asked).toEqual(['broken.test', 'b.test', 'c.test']);
  for (const hostname of ['b.test', 'c.test']) answer(hostname);
  await turnOfLoop();
  answer('d.test');
  expect(await Promise.all(found.slice(1))).toEqual([[ADDRESS], [ADDRESS], [ADDRESS]]);
});

test('one that waits for too long is not made, and takes no turn from others', async () => {
  const { asked, resolve, answer } = setUp({ most: 1, waitMs: 20 });
  const first = resolve('first.test');
  await expect(resolve('late.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  answer('first.test');
  expect(await first).toEqual([ADDRESS]);
  const next = resolve('next.test');
  await turnOfLoop();
  answer('next.test');
  expect(await next).toEqual([ADDRESS]);
  expect(asked).toEqual(['first.test', 'next.test']);
});
