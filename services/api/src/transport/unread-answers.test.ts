import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import express, { type Express } from 'express';
import { messageClasses } from './message-classes.ts';
import { createUnreadAnswers } from './unread-answers.ts';

/** More than the kernel holds for a connection. */
const ANSWER_BYTES = 8 * 1_048_576;
const BODY = Buffer.alloc(ANSWER_BYTES, 'x');

let server: Server;
let clients: Socket[];
/** The server's side of each connection, by the path of its request. */
let connections: Map<string, Socket>;
let cut: string[];
beforeEach(async () => {
  [clients, connections, cut] = [[], new Map(), []];
  const app = express();
  app.get('/:workspace/:number', (request, response) => {
    connections.set(request.path, request.socket);
    const { workspace } = request.params;
    response.locals.claimant = { ownerId: workspace, workspaceId: workspace };
    response.end(BODY);
  });
  app.get('/:ownerId/:workspaceId/:applicationId/:number', (request, response) => {
    connections.set(request.path, request.socket);
    const { applicationId, ...claimant } = request.params;
    response.locals.claimant = { ...claimant, applicationId: applicationId === 'own' ? undefined : applicationId };
    response.end(BODY);
  });
  await serve(app, 5 * ANSWER_BYTES + 100_000);
});
afterEach(() => {
  for (const client of clients) client.destroy();
  server.close();
});

async function serve(app: Express, mostBytes: number): Promise<void> {
  const onWrite = createUnreadAnswers({ mostBytes, onCut: (owner) => cut.push(owner) });
  server = createServer(messageClasses(app, onWrite), app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** Asks for these paths on one connection, and reads nothing. */
async function ask(...paths: string[]): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await waitFor(() => paths.every((path) => connections.has(path)), { what: 'the requests' });
  return client;
}

const isCut = (path: string) => connections.get(path)?.destroyed;

test('beyond the bound, the oldest unread answers of the workspace with the most are cut, and no others', async () => {
  const quiet = await ask('/quiet/1');
  for (let n = 1; n <= 7; n += 1) await ask(`/greedy/${n}`);
  expect(cut).toEqual(['greedy', 'greedy', 'greedy']);
  expect([1, 2, 3, 4, 5, 6, 7].map((n) => isCut(`/greedy/${n}`))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(isCut('/quiet/1')).toBe(false);
  quiet.resume();
  await waitFor(() => quiet.bytesRead > ANSWER_BYTES, { what: 'the whole answer' });
});

test('the workspaces of one owner count together: none of another owner is cut for them', async () => {
  for (let n = 1; n <= 2; n += 1) await ask(`/b/only/own/${n}`);
  for (let n = 1; n <= 4; n += 1) await ask(`/a/workspace-${n}/own/${n}`);
  expect(cut).toEqual(['workspace-1']);
  expect([1, 2].map((n) => isCut(`/b/only/own/${n}`))).toEqual([false, false]);
});

test('of a workspace, answers to its portals are cut while they have more than its own, those of the portal with the most', async () => {
  for (let n = 1; n <= 2; n += 1) await ask(`/a/shop/own/${n}`);
  await ask('/a/shop/quiet/1');
  for (let n = 1; n <= 3; n += 1) await ask(`/a/shop/greedy/${n}`);
  expect([isCut('/a/shop/greedy/1'), isCut('/a/shop/quiet/1'), isCut('/a/shop/own/1')]).toEqual([true, false, false]);
});

test('answers that were read, or whose connection has ended, count no more', async () => {
  const gone = await ask('/a/1', '/a/2', '/a/3');
  const left = connections.get('/a/1');
  gone.destroy();
  await waitFor(() => left?.destroyed === true, { what: 'the end of the connection' });
  const reader = await ask('/a/4');
  reader.resume();
  await waitFor(() => reader.bytesRead > ANSWER_BYTES && connections.get('/a/4')?.writableLength === 0, {
    what: 'the answer to be read',
  });
  for (let n = 5; n <= 9; n += 1) await ask(`/a/${n}`);
  expect(cut).toEqual([]);
});

test('answers that wait behind another one of their connection count too', async () => {
  await ask('/pipelined/1', '/pipelined/2', '/pipelined/3', '/pipelined/4', '/pipelined/5', '/pipelined/6');
  expect(cut).toEqual(['pipelined']);
  expect(isCut('/pipelined/1')).toBe(true);
});

test('bytes of a stream that its client has read count no more, even where Node tells nothing of it', async () => {
  server.close();
  const app = express();
  // Node emits no `drain` for a write below 64 KiB (from version 22), and a stream does not finish.
  app.get('/stream/:number', (request, response) => {
    connections.set(request.path, request.socket);
    response.write(BODY.subarray(0, 40_000));
  });
  await serve(app, 100_000);
  for (let n = 1; n <= 5; n += 1) {
    const client = await ask(`/stream/${n}`);
    client.resume();
    await waitFor(() => client.bytesRead > 40_000, { what: 'the client to read' });
  }
  expect(cut).toEqual([]);
});
