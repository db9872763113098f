/** @isolated It replaces the timers. */

import { afterEach, expect, jest, test } from '@jest/globals';
import { Posthorn } from '../client.ts';
import { relayPage } from './relay.ts';
import type { Database } from './sql.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('a page ends before the transaction of Prisma does, so that what it has sent is not sent again', async () => {
  // A database cannot work with replaced timers, so this one is a stub. e2e/sdks/outbox.test.ts has real databases.
  const row = { event_type: 'order.paid', payload: '', content_type: 'text/plain', options: '{}' };
  const deleted: unknown[] = [];
  const database: Database = {
    transaction: (work) =>
      work(async ([text = ''], ...values) => {
        if (text.includes('pg_try_advisory_xact_lock')) return [{ held: true }];
        if (text.includes('DELETE')) deleted.push(values[0]);
        return text.includes('SELECT') ? ['first', 'second', 'third'].map((id) => ({ ...row, id })) : [];
      }),
  };
  const fetch: typeof globalThis.fetch = (_input, init) =>
    new Promise((resolve, reject) => {
      setTimeout(() => resolve(Response.json({ id: 'msg_1' }, { status: 202 })), 100_000);
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const posthorn = new Posthorn({ baseUrl: 'http://127.0.0.1:9', apiKey: 'phk_1', timeoutMs: 150_000, fetch });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  const failures: unknown[] = [];
  void relayPage(database, posthorn).catch((error) => failures.push(error));
  for (let second = 0; second < 290; second += 1) {
    await new Promise(setImmediate);
    jest.advanceTimersByTime(1_000);
  }
  await new Promise(setImmediate);
  expect(failures).toMatchObject([{ name: 'TimeoutError' }]);
  expect(deleted).toEqual(['first', 'second']);
});
