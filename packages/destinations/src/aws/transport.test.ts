import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import type { Destination } from '../kind.ts';
import { s3 } from '../s3/describe.ts';
import { open } from '../s3/open.ts';
import { requestTo } from '../testing.ts';

const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';

let sender: Destination;
let server: Server;
let answer: (socket: Socket) => void = () => undefined;
beforeAll(async () => {
  sender = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  sender.close();
  server.close();
});

function put() {
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { bucket: 'events', region: 'eu-central-1', endpoint, key: '{{eventId}}' };
  return sender.send(requestTo(s3, { settings, timeoutMs: 5_000 }));
}

test('ten informational responses before the answer of a store are accepted', async () => {
  answer = (socket) => {
    const stored = 'HTTP/1.1 200 OK\r\netag: "a"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
    socket.end(EARLY_HINTS.repeat(10) + stored);
  };
  expect(await put()).toMatchObject({ kind: 'acknowledged', acknowledgement: { etag: '"a"' } });
});

test('a store that sends informational responses without end is disconnected', async () => {
  answer = (socket) => {
    const flood = () => {
      let hasRoom = true;
      while (hasRoom) hasRoom = socket.write(EARLY_HINTS);
    };
    socket.on('drain', flood);
    flood();
  };
  expect(await put()).toMatchObject({ kind: 'error', errorCode: 'protocol_error' });
});
