/** @isolated It replaces the timers. */

import { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, listen, startApi } from '../../test/api-under-test.ts';
import { createLimits } from '../limits.ts';
import { createBodyRoom } from './body-room.ts';
import type { ApiError } from './error.ts';

const MEBIBYTE = 1024 * 1024;

let api: ApiUnderTest;
let served: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  served = await listen(api.express);
});
afterAll(async () => {
  served.server.closeAllConnections();
  await served.close();
  await api.stop();
});

/** The answer to a request, on a connection of its own or on a shared one. */
function createResponse(socket = new EventEmitter()) {
  return Object.assign(new EventEmitter(), { closed: false, req: { socket } });
}

type Asked = { ownerId?: string; workspaceId: string; applicationId?: string; socket?: EventEmitter };

/** Asks for room for whole bodies, and notes when there is. Bodies of `arrive` get nothing more by themselves. */
function createAsker() {
  const limits = createLimits();
  let nowMs = 0;
  const takeRoom = createBodyRoom(limits.smallEvents, limits.largeEvents, () => nowMs);
  const began: string[] = [];
  const refused: string[] = [];
  const ask = (name: string, bytes: number, { socket, ownerId, ...who }: Asked, received = bytes) => {
    const response = createResponse(socket);
    const refuse = (error: ApiError) => refused.push(`${name} ${error.code} ${error.headers['Retry-After']}`);
    const claimant = { ownerId: ownerId ?? who.workspaceId, ...who };
    const arriving = {
      received: () => received,
      cut(error: ApiError) {
        refuse(error);
        response.emit('close');
      },
    };
    const room = takeRoom(response as unknown as ServerResponse, claimant, arriving);
    const turn = room.grow(bytes);
    if (turn === undefined) began.push(name);
    else turn.then(() => began.push(name), refuse);
    return { end: () => response.emit('close') };
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ask, began, refused, pass, settled: () => new Promise(setImmediate) };
}

test('64 batches of the largest size at once are all taken, 8 at a time', async () => {
  const { ask, began, refused, settled } = createAsker();
  const batches = Array.from({ length: 64 }, (_, n) => ask(`${n}`, MEBIBYTE, { workspaceId: 'a' }));
  await settled();
  expect(began).toHaveLength(8);
  for (const [n, batch] of batches.entries()) {
    batch.end();
    await settled();
    expect(began).toHaveLength(Math.min(64, 9 + n));
  }
  expect(refused).toEqual([]);
});

test('the workspaces of one owner have half of the room, and another owner finds the rest', async () => {
  const { ask, began, settled } = createAsker();
  for (let n = 0; n < 40; n += 1) ask('ann', MEBIBYTE, { ownerId: 'ann', workspaceId: `w${n % 4}` });
  for (let n = 0; n < 8; n += 1) ask('bob', MEBIBYTE, { ownerId: 'bob', workspaceId: 'b' });
  await settled();
  expect(began).toEqual([...Array(16).fill('ann'), ...Array(8).fill('bob')]);
});

test('a body that waits is rate_limited where its workspace has the room, and unavailable where others have it', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const { ask, began, refused, settled } = createAsker();
    for (const workspaceId of ['a', 'b', 'c', 'd']) ask(workspaceId, 8 * MEBIBYTE, { workspaceId });
    ask('more of a', MEBIBYTE, { workspaceId: 'a' });
    ask('of another', MEBIBYTE, { workspaceId: 'e' });
    await settled();
    expect(began).toEqual(['a', 'b', 'c', 'd']);
    jest.advanceTimersByTime(5_000);
    await settled();
    expect(refused.sort()).toEqual(['more of a rate_limited 1', 'of another unavailable 1']);
  } finally {
    jest.useRealTimers();
  }
});

test('while others wait, a body that arrives too slowly is cut: the slowest of the owner with the most', async () => {
  const { ask, began, refused, pass, settled } = createAsker();
  const MiB8 = 8 * MEBIBYTE;
  for (const n of [1, 2]) ask(`slow ${n}`, MiB8, { ownerId: 'ann', workspaceId: `a${n}` }, 1_000 * n);
  ask('slow, alone', MiB8, { ownerId: 'bob', workspaceId: 'b' }, 10);
  ask('quick', MiB8, { ownerId: 'cat', workspaceId: 'c' });
  ask('too early', MEBIBYTE, { ownerId: 'dan', workspaceId: 'd' });
  await settled();
  expect([began.length, refused]).toEqual([4, []]);
  pass(1_000);
  ask('next', MEBIBYTE, { ownerId: 'eve', workspaceId: 'e' });
  await settled();
  expect(refused).toEqual(['slow 1 rate_limited 1']);
  expect(began.slice(4)).toEqual(['too early', 'next']);
});

test('bodies up to 16 KiB have room while large ones of all workspaces take all of theirs', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const { ask, began, settled } = createAsker();
    for (const workspaceId of ['a', 'b', 'c', 'd']) {
      for (let n = 0; n < 9; n += 1) ask('large', MEBIBYTE, { workspaceId });
    }
    ask('large of another', 20_000, { workspaceId: 'e' });
    for (const workspaceId of ['a', 'e']) ask(`small of ${workspaceId}`, 16 * 1024, { workspaceId });
    await settled();
    expect(began).toEqual([...Array(32).fill('large'), 'small of a', 'small of e']);
  } finally {
    jest.useRealTimers();
  }
});

test('room comes back with the connection, also for an answer that waits behind another one', async () => {
  const { ask, began, settled } = createAsker();
  const socket = new EventEmitter();
  for (const name of ['first', 'pipelined']) ask(name, 4 * MEBIBYTE, { workspaceId: 'a', socket });
  ask('next', 8 * MEBIBYTE, { workspaceId: 'a' });
  await settled();
  expect(began).toEqual(['first', 'pipelined']);
  socket.emit('close');
  await settled();
  expect(began).toEqual(['first', 'pipelined', 'next']);
});

test('1,000 connections that declare 16 KiB and send a byte do not delay the event of another tenant', async () => {
  const other = await api.seedAnother();
  const sockets: Socket[] = [];
  const { port } = new URL(served.url);
  for (let n = 0; n < 1_000; n += 1) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    const head = `POST /api/ingest/event/order.placed HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${api.apiKey}\r\n`;
    socket.write(`${head}content-type: application/json\r\ncontent-length: 16384\r\n\r\n{`);
    sockets.push(socket);
  }
  await waitFor(async () => (await connectionsOf(served.server)) >= 1_000, { what: '1,000 connections' });
  const answers = await Promise.all(
    Array.from({ length: 3 }, () =>
      request(served.url)
        .post('/api/ingest/event/unknown.type')
        .set('authorization', `Bearer ${other.apiKey}`)
        .set('content-type', 'application/json')
        .send(JSON.stringify({ text: 'x'.repeat(12_000) })),
    ),
  );
  for (const socket of sockets) socket.destroy();
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

test('a portal session that begins a hundred bodies and stops delays neither its workspace nor another portal', async () => {
  const [greedy, other] = [await portalToken(), await portalToken()];
  const sockets: Socket[] = [];
  let replies = '';
  for (let n = 0; n < 100; n += 1) {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.on('data', (bytes) => (replies += bytes)).on('error', () => {});
    const length = 255 * 1024;
    socket.write(
      `${headOf('/api/portal/filters/test', greedy)}Content-Length: ${length}\r\n\r\n{"a":"${'x'.repeat(200_000)}`,
    );
    sockets.push(socket);
  }
  // Two bodies have room, and 62 requests wait for some.
  await waitFor(() => replies.split('HTTP/1.1 429').length - 1 >= 28, { what: '28 refused requests' });
  expect(replies.toLowerCase()).toContain('retry-after: 1');
  const body = { filter: { a: 1 }, payload: { a: 1 } };
  const test = (path: string, token: string) =>
    request(served.url).post(`${path}/filters/test`).set('authorization', `Bearer ${token}`).send(body);
  expect((await test('/api/portal', other)).status).toBe(200);
  expect((await test(api.base, api.managementToken)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  expect((await test('/api/portal', greedy)).status).toBe(200);
});

async function portalToken(): Promise<string> {
  const call = (path: string, body: object) =>
    request(api.app).post(`${api.base}${path}`).set('authorization', `Bearer ${api.managementToken}`).send(body);
  const application = await call('/applications', { name: 'A' });
  return (await call(`/applications/${application.body.id}/portal-sessions`, {})).body.token;
}

function headOf(path: string, token: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
}
