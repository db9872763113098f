import { expect, test } from '@jest/globals';
import { parseCursorKeys } from '@posthorn/crypto/cursor';
import { createDb, type Db } from '@posthorn/db/client';
import { ApiError } from '../transport/error.ts';
import { openPageCursor, sealPageCursor } from './page-cursor.ts';
import { AWAY_FOR_MS, createReadLists, type ReadFrom } from './read-lists.ts';

// Nothing connects: the reads only say which database they got.

function start() {
  const open = () =>
    createDb({ databaseUrl: 'postgresql://127.0.0.1:1/none', maxConnections: 1, onIdleError: () => {} });
  const [replica, primary] = [open(), open()];
  const seen: string[] = [];
  let nowMs = 0;
  const readLists = createReadLists({
    replica,
    primary,
    monotonicMs: () => nowMs,
    onAway: (error) => seen.push(`away: ${error}`),
    onRead: (from) => seen.push(from),
  });
  const failing = (error: unknown) => async (db: Db) => {
    if (db === replica) throw error;
    return 'read';
  };
  return { readLists, failing, seen, pass: (ms: number) => (nowMs += ms) };
}

test('a read that fails on the replica is repeated on the primary, and the replica is left alone for ten seconds', async () => {
  const { readLists, failing, seen, pass } = start();
  expect(await readLists(failing('gone'))).toEqual({ from: 'primary', result: 'read' });
  expect(seen).toEqual(['away: gone', 'primary']);
  pass(AWAY_FOR_MS - 1);
  expect((await readLists(async () => 'read')).from).toBe('primary');
  pass(1);
  expect((await readLists(async () => 'read')).from).toBe('replica');
});

test('a refused request and a statement at its time limit are not repeated, and the replica stays in use', async () => {
  const { readLists, failing, seen } = start();
  const timedOut = Object.assign(new Error(), { cause: { kind: 'postgres', originalCode: '57014' } });
  for (const error of [new ApiError('not_found', 'Endpoint not found'), timedOut]) {
    await expect(readLists(failing(error))).rejects.toBe(error);
  }
  expect(seen).toEqual([]);
  expect((await readLists(async () => 'read')).from).toBe('replica');
});

test('the pages behind one of the primary are read from the primary: a replica that lags would leave out what lies between', async () => {
  const { readLists, failing, seen, pass } = start();
  const cursorKeys = parseCursorKeys(`k:${Buffer.alloc(32).toString('base64')}`);
  const page = (cursor?: string) =>
    readLists(async (_db, readsFrom: ReadFrom) => {
      const ctx = { cursorKeys, bounds: {}, workspace: { id: 'w' }, readsFrom };
      const before = cursor === undefined ? '9' : openPageCursor(ctx, cursor, ['deliveries']);
      return sealPageCursor(ctx, `${Number(before) - 1}`, ['deliveries']) ?? '';
    });
  await readLists(failing('gone'));
  const first = await page();
  pass(AWAY_FOR_MS);
  const second = await page(first.result);
  const third = await page(second.result);
  expect([first.from, second.from, third.from]).toEqual(['primary', 'primary', 'primary']);
  const anew = await page();
  expect([anew.from, (await page(anew.result)).from]).toEqual(['replica', 'replica']);
  expect(seen.filter((one) => one.startsWith('away'))).toHaveLength(1);
});
