import { Agent, get, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { serve } from './serve.ts';

/** Serves the handler on a free port, with a lifecycle that the test stops. */
async function served(handler: RequestListener, more: { address?: string; stalledAfterMs?: number } = {}) {
  const stops: (() => Promise<void> | void)[] = [];
  const ports: unknown[] = [];
  const addresses: unknown[] = [];
  await serve(
    {
      lifecycle: { onStop: (_name, stop) => stops.push(stop) },
      logger: {
        info: (_line, fields) => {
          ports.push(fields?.port);
          addresses.push(fields?.address);
        },
      },
    },
    { part: 'test', handler, port: 0, ...more },
  );
  return { url: `http://127.0.0.1:${ports[0]}/`, address: addresses[0], stop: async () => stops[0]?.() };
}

function fetchWith(agent: Agent, url: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.headers.connection));
    }).on('error', reject);
  });
}

test('stopping answers running requests, ends their connections, and does not wait for idle ones', async () => {
  let release = () => {};
  let waiting = 0;
  const { url, stop } = await served((request, response) => {
    if (request.url !== '/slow') return void response.end('ok');
    waiting += 1;
    release = () => response.end('late');
  });
  const agent = new Agent({ keepAlive: true });
  expect(await fetchWith(agent, url)).toBe('keep-alive');
  const slow = fetchWith(agent, `${url}slow`);
  await waitFor(() => waiting === 1, { what: 'the slow request to arrive' });
  const stopped = stop();
  release();
  await expect(slow).resolves.toBeDefined();
  await stopped;
  await expect(fetchWith(agent, url)).rejects.toThrow();
  agent.destroy();
});

test('of megabytes of pipelined requests 16 are handled and answered in order, and the connection ends', async () => {
  let handled = 0;
  const answers: (() => void)[] = [];
  let bytesRead = () => 0;
  const { url, stop } = await served((request, response) => {
    const number = ++handled;
    bytesRead = () => request.socket.bytesRead;
    answers.push(() => response.end(`<${number}>`));
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const received = text(socket);
  // The remaining requests are reset when the connection ends.
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(300_000));
  await waitFor(() => handled === 16, { what: 'as many as may be under way' });
  for (const answer of answers.reverse()) answer();
  const bodies = (await received.catch(() => '')).match(/<\d+>/g) ?? [];
  expect([handled, bytesRead() < 1_048_576]).toEqual([16, true]);
  // A reset may lose the last part of what was sent to the client.
  expect(bodies).toEqual(Array.from(bodies, (_body, index) => `<${index + 1}>`));
  await stop();
});

test('a connection that waits for each answer before it pipelines more may send any number of requests', async () => {
  let handled = 0;
  const { url, stop } = await served((_request, response) => {
    handled += 1;
    response.end('ok');
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  for (let round = 1; round <= 5; round += 1) {
    socket.write(request.repeat(15));
    await waitFor(() => received.split('ok').length - 1 === round * 15, { what: 'the answers of the round' });
  }
  expect(handled).toBe(75);
  socket.destroy();
  await stop();
});

test('only the given address is listened on; without one, all are', async () => {
  const loopback = await served((_request, response) => void response.end('ok'), { address: '127.0.0.1' });
  const everywhere = await served((_request, response) => void response.end('ok'));
  expect([loopback.address, everywhere.address]).toEqual(['127.0.0.1', expect.stringMatching(/^(::|0\.0\.0\.0)$/)]);
  const elsewhere = loopback.url.replace('127.0.0.1', '127.0.0.2');
  await expect(fetch(elsewhere)).rejects.toThrow();
  expect((await fetch(loopback.url)).status).toBe(200);
  await loopback.stop();
  await everywhere.stop();
});

test('a client that reads no more of its answer is cut', async () => {
  let isCut = false;
  const { url, stop } = await served(
    (_request, response) => {
      response.once('close', () => {
        isCut = true;
      });
      // More data than the kernel's buffers hold.
      response.end(Buffer.alloc(64 * 1_048_576));
    },
    { stalledAfterMs: 200 },
  );
  // Without a listener for data, a socket reads only as much as its buffer holds.
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor(() => isCut, { what: 'the stalled connection to be cut' });
  socket.destroy();
  await stop();
});
