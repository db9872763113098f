import { expect, test } from '@jest/globals';
import type { ResolvedAddress } from '@posthorn/egress/resolve-name';
import { limitLookups } from './limit-lookups.ts';

const ADDRESS: ResolvedAddress = { address: '8.8.8.8', family: 4, ttlSeconds: 60 };

test('a look-up that waits for too long behind others is not made, and fails as a look-up does', async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const resolve = limitLookups(
    (hostname) => {
      asked.push(hostname);
      return new Promise((answer) => answers.push(() => answer([ADDRESS])));
    },
    { atOnce: 1, longestWaitMs: 20 },
  );
  const first = resolve('first.test');
  await expect(resolve('late.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  answers[0]?.();
  expect([await first, asked]).toEqual([[ADDRESS], ['first.test']]);
});
