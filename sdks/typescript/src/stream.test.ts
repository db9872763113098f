/** @isolated It replaces the timers. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { Posthorn } from './client.ts';
import { createDeadlines } from './deadline.ts';

const EVENT = 'event: gap\ndata: {"dropped":1}\n\n';

let open: ServerResponse | undefined;
const server = createServer((_request, response) => {
  open = response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(EVENT);
});

afterEach(() => {
  jest.useRealTimers();
  server.closeAllConnections();
  server.close();
});

test('a caller may take longer for a change than the server may stay silent', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const posthorn = new Posthorn({ baseUrl, token: 'phm_1', workspaceId: 'ws_1' });
  // The library's own timers are fake: it gives up a stream that is silent for 45 s.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  let seen = 0;
  for await (const { event } of posthorn.stats.streamChanges()) {
    expect(event).toBe('gap');
    seen += 1;
    if (seen === 2) break;
    jest.advanceTimersByTime(60_000);
    open?.write(EVENT);
  }
  expect(seen).toBe(2);
});

test('the time of a try that is paused does not run', () => {
  jest.useFakeTimers();
  const deadline = createDeadlines().start(1_000, undefined);
  deadline.pause();
  jest.advanceTimersByTime(60_000);
  expect(deadline.signal.aborted).toBe(false);
  deadline.restart(1_000);
  jest.advanceTimersByTime(1_000);
  expect(deadline.signal.aborted).toBe(true);
  deadline.end();
});
