import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '@posthorn/testkit/free-port';
import { localUrl, pagesUrl } from './local-url.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(host: string): Promise<number> {
  const port = await freePort();
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, host, resolve));
  servers.push(server);
  return port;
}

test.each([
  [undefined, 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['192.168.1.5', 'http://192.168.1.5:3000'],
])('services that listen on %s are reached at %s', (address, url) => {
  expect(localUrl(address === undefined ? {} : { LISTEN_ADDRESS: address }, 3_000)).toBe(url);
});

test('the pages of an instance on loopback are reached at localhost', async () => {
  const port = await listen('127.0.0.1');
  expect(await pagesUrl({ environment: {}, port })).toBe(`http://localhost:${port}`);
  expect(await pagesUrl({ environment: { LISTEN_ADDRESS: '0.0.0.0' }, port })).toBe(`http://localhost:${port}`);
});

test('where localhost reaches another program than the instance, or nothing, the pages are named by their address', async () => {
  // This program listens on the address of localhost. The instance has another loopback address.
  const port = await listen('127.0.0.1');
  const environment = { LISTEN_ADDRESS: '127.0.0.2' };
  expect(await pagesUrl({ environment, port })).toBe(`http://127.0.0.2:${port}`);
  const unused = await freePort();
  expect(await pagesUrl({ environment: {}, port: unused })).toBe(`http://127.0.0.1:${unused}`);
});

test('the pages of an instance with BASE_URL are there', async () => {
  const port = await listen('127.0.0.1');
  const environment = { BASE_URL: 'https://hooks.example.com' };
  expect(await pagesUrl({ environment, port })).toBe('https://hooks.example.com');
});
