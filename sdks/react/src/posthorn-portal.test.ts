import { expect, test } from '@jest/globals';
import { openSession, type PosthornPortalSession } from './posthorn-portal.ts';

const answering = (answer: unknown) => async () => answer as PosthornPortalSession;

test('a session is opened at its url', async () => {
  const url = 'https://webhooks.example.com/portal/prt_1#token=php_1';
  expect(await openSession(answering({ url, token: 'php_1' }))).toBe(url);
});

test.each([{ error: 'not signed in' }, { url: null }, { url: '/portal/prt_1' }, null, undefined, 'no'])(
  'the answer %j is an error that the page can show, and no frame',
  async (answer) => {
    await expect(openSession(answering(answer))).rejects.toThrow('its `url`');
  },
);

test('so is a session that cannot be asked for', async () => {
  const failing = () => {
    throw new Error('offline');
  };
  await expect(openSession(failing)).rejects.toThrow('offline');
});
