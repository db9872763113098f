/** @isolated It replaces the timers. */

import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, listen, startApi } from '../../test/api-under-test.ts';
import { createBodyRoom } from './body-room.ts';
import type { ApiError } from './error.ts';

const MEBIBYTE = 1024 * 1024;

let api: ApiUnderTest;
let served: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  served = await listen(api.app);
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

/** Asks for room, and notes when there is. */
function createAsker() {
  const takeRoom = createBodyRoom();
  const began: string[] = [];
  const refused: string[] = [];
  const ask = (
    name: string,
    bytes: number,
    owner: { workspaceId: string; applicationId?: string },
    socket?: EventEmitter,
  ) => {
    const response = createResponse(socket);
    takeRoom(response as unknown as ServerResponse, owner, bytes).then(
      () => began.push(name),
      (error: ApiError) => refused.push(`${name} ${error.code} ${error.headers['Retry-After']}`),
    );
    return { end: () => response.emit('close') };
  };
  return { ask, began, refused, settled: () => new Promise(setImmediate) };
}

test('64 batches of the largest size at once are all taken, 12 at a time', async () => {
  const { ask, began, refused, settled } = createAsker();
  const batches = Array.from({ length: 64 }, (_, n) => ask(`${n}`, MEBIBYTE, { workspaceId: 'a' }));
  await settled();
  expect(began).toHaveLength(12);
  for (const [n, batch] of batches.entries()) {
    batch.end();
    await settled();
    expect(began).toHaveLength(Math.min(64, 13 + n));
  }
  expect(refused).toEqual([]);
  // 48 requests of the default largest payload have room at the same time.
  for (let n = 0; n < 48; n += 1) ask('payload', MEBIBYTE / 4, { workspaceId: 'b' });
  await settled();
  expect(began.filter((name) => name === 'payload')).toHaveLength(48);
});

test('the portal of one application has a quarter of its workspace, and that a quarter of the process', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const { ask, began, refused, settled } = createAsker();
    for (let n = 0; n < 4; n += 1) ask('portal', MEBIBYTE, { workspaceId: 'a', applicationId: 'p' });
    ask('other portal', 3 * MEBIBYTE, { workspaceId: 'a', applicationId: 'q' });
    ask('workspace', 6 * MEBIBYTE, { workspaceId: 'a' });
    ask('beyond it', MEBIBYTE, { workspaceId: 'a' });
    for (const workspaceId of ['b', 'c', 'd']) ask(workspaceId, 12 * MEBIBYTE, { workspaceId });
    ask('beyond the process', MEBIBYTE, { workspaceId: 'e' });
    await settled();
    expect(began).toEqual([...Array(3).fill('portal'), 'other portal', 'workspace', 'b', 'c', 'd']);
    jest.advanceTimersByTime(5_000);
    await settled();
    expect(refused.sort()).toEqual([
      'beyond it rate_limited 1',
      'beyond the process unavailable 1',
      'portal rate_limited 1',
    ]);
  } finally {
    jest.useRealTimers();
  }
});

test('bodies up to 16 KiB have room while large ones of all workspaces take all of theirs', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const { ask, began, settled } = createAsker();
    for (const workspaceId of ['a', 'b', 'c', 'd']) {
      for (let n = 0; n < 13; n += 1) ask('large', MEBIBYTE, { workspaceId });
    }
    ask('large of another', 20_000, { workspaceId: 'e' });
    for (const workspaceId of ['a', 'e']) ask(`small of ${workspaceId}`, 16 * 1024, { workspaceId });
    await settled();
    expect(began).toEqual([...Array(48).fill('large'), 'small of a', 'small of e']);
  } finally {
    jest.useRealTimers();
  }
});

test('room comes back with the connection, also for an answer that waits behind another one', async () => {
  const { ask, began, settled } = createAsker();
  const socket = new EventEmitter();
  for (const name of ['first', 'pipelined']) ask(name, 6 * MEBIBYTE, { workspaceId: 'a' }, socket);
  ask('next', 12 * MEBIBYTE, { workspaceId: 'a' });
  await settled();
  expect(began).toEqual(['first', 'pipelined']);
  socket.emit('close');
  await settled();
  expect(began).toEqual(['first', 'pipelined', 'next']);
});

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
  // 12 bodies have room, and 60 requests wait for some.
  await waitFor(() => replies.split('HTTP/1.1 429').length - 1 >= 28, { what: '28 refused requests' });
  expect(replies).toContain(
    'The large bodies of this portal that are being read or processed may have 3 MiB; try again',
  );
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
