import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createFetch } from './proxied-fetch.ts';

let receiver: Server;
let proxy: Server;
const asked: string[] = [];
const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  receiver = createServer((_request, response) => response.end('received'));
  proxy = createServer();
  // The proxy leads every name to the receiver.
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const through = connect(portOf(receiver), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const one of [socket, through]) one.on('error', () => undefined);
  });
  await Promise.all([receiver, proxy].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
});
afterAll(() => {
  for (const server of [receiver, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});

test('requests go through the proxy of the environment, except to the hosts of NO_PROXY and to this machine', async () => {
  const HTTP_PROXY = `http://127.0.0.1:${portOf(proxy)}`;
  const proxied = await createFetch({ HTTP_PROXY, NO_PROXY: 'direct.invalid' });
  const read = async (url: string) => (await proxied?.(url))?.text();
  expect(await read('http://posthorn.invalid/')).toBe('received');
  expect(asked).toEqual(['posthorn.invalid:80']);
  expect(await read(`http://127.0.0.1:${portOf(receiver)}/`)).toBe('received');
  await expect(read('http://direct.invalid/')).rejects.toThrow('fetch failed');
  expect(asked).toEqual(['posthorn.invalid:80']);
});

test('without a proxy the fetch of Node is used', async () => {
  expect(await createFetch({ NO_PROXY: 'a.example' })).toBeUndefined();
});
