import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTcpGate, type TcpGate } from './tcp-gate.ts';

let servers: Server[];
let sockets: Socket[];
let gate: TcpGate;
beforeEach(async () => {
  [servers, sockets] = [[], []];
  gate = await startTcpGate(await startEcho('first'));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await gate.close();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A server that answers each chunk with the server's name and the chunk. */
async function startEcho(name: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('data', (chunk) => void socket.write(`${name} ${chunk}`));
    socket.on('error', () => undefined);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `tcp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(gate.url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function say(socket: Socket, word: string): Promise<string> {
  socket.write(word);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

test('a gate that moves sends new connections to the new target and keeps open ones on the old target', async () => {
  const before = await open();
  expect(await say(before, 'a')).toBe('first a');
  gate.moveTo(await startEcho('second'));
  expect(await say(await open(), 'b')).toBe('second b');
  expect(await say(before, 'c')).toBe('first c');
});

test('half open: an existing connection gets no answer until the thaw, and a new one is answered', async () => {
  const silent = await open();
  expect(await say(silent, 'a')).toBe('first a');
  gate.freeze('existing');
  const answers: string[] = [];
  silent.on('data', (chunk) => answers.push(String(chunk)));
  silent.write('b');
  expect(await say(await open(), 'c')).toBe('first c');
  expect(answers).toEqual([]);
  const thawed = once(silent, 'data');
  gate.thaw();
  expect(String((await thawed)[0])).toBe('first b');
});

test('an inspector replaces the bytes of an answer', async () => {
  const fromTarget = (chunk: Buffer) => Buffer.from(String(chunk).replace('third', 'another'));
  await gate.close();
  gate = await startTcpGate(await startEcho('third'), { inspect: () => ({ toTarget: () => true, fromTarget }) });
  expect(await say(await open(), 'a')).toBe('another a');
});
