import { expect, test } from '@jest/globals';
import { accessOf } from './hooks.ts';

test('requests that are refused one after the other wait for one new session', async () => {
  let asked = 0;
  const answers: (() => void)[] = [];
  const access = accessOf('https://webhooks.example.com', async () => {
    asked += 1;
    const token = `php_${asked}`;
    if (asked > 1) await new Promise<void>((resolve) => answers.push(resolve));
    return { token };
  });
  const ended = await access.client();
  access.renew(ended);
  const first = access.client();
  // The second is refused while the new session is being asked for.
  access.renew(ended);
  const second = access.client();
  for (const answer of answers) answer();
  expect([(await first) === ended, (await second) === (await first), asked]).toEqual([false, true, 2]);
  // A third request is refused late, when there is already a new session.
  access.renew(ended);
  expect([(await access.client()) === (await first), asked]).toEqual([true, 2]);
});

test('after a failure the session is asked for again', async () => {
  const tokens = [undefined, 'php_1'];
  const access = accessOf('https://webhooks.example.com', async () => ({ token: tokens.shift() as string }));
  await expect(access.client()).rejects.toThrow('token');
  expect(await access.client()).toBeDefined();
});
