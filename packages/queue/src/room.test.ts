import { expect, test } from '@jest/globals';
import { createRoomCheck, DELIVER_ROOM, type Depths, FAN_OUT_ROOM } from './room.ts';

const NEAR_MS = 15 * 60_000;
const FAR_MS = NEAR_MS + 1;

const check = (depths: Depths, limits = DELIVER_ROOM) =>
  createRoomCheck(
    async () => depths,
    limits,
    () => 0,
  )();

test.each([
  ['a job due now', {}, { waiting: 50_000, delayed: 0 }],
  ['a job of a flood', { priority: 1 }, { waiting: 40_000, delayed: 0 }],
  ['a retry of up to 15 minutes', { delay: NEAR_MS }, { waiting: 0, delayed: 20_000 }],
  ['a retry of over 15 minutes', { delay: FAR_MS }, { waiting: 0, delayed: 10_000 }],
])('%s finds room below its limit, and none from there on', async (_case, job, limit) => {
  const below = { waiting: Math.max(0, limit.waiting - 1), delayed: Math.max(0, limit.delayed - 1) };
  expect([(await check(below))(job), (await check(limit))(job)]).toEqual([true, false]);
});

test.each([
  ['a fan-out job', {}, 5_000],
  ['a fan-out job of a flood', { priority: 1 }, 4_000],
])('%s finds room while fewer than its limit wait', async (_case, job, waiting) => {
  const below = await check({ waiting: waiting - 1, delayed: 0 }, FAN_OUT_ROOM);
  const at = await check({ waiting, delayed: 0 }, FAN_OUT_ROOM);
  expect([below(job), at(job)]).toEqual([true, false]);
});

test('jobs delayed keep out none that is due now, and jobs that wait keep out none that is delayed', async () => {
  const hasRoom = await check({ waiting: 0, delayed: 1_000_000 });
  expect([hasRoom({}), hasRoom({ delay: 1 })]).toEqual([true, false]);
  expect((await check({ waiting: 1_000_000, delayed: 0 }))({ delay: FAR_MS })).toBe(true);
});

test('depths are read at most every half second, by all callers together, and again after a read that failed', async () => {
  let nowMs = 0;
  let reads = 0;
  const room = createRoomCheck(
    async () => {
      reads += 1;
      if (reads === 2) throw new Error('Redis is away');
      return { waiting: 0, delayed: 0 };
    },
    DELIVER_ROOM,
    () => nowMs,
  );
  await Promise.all([room(), room(), room()]);
  nowMs = 499;
  await room();
  expect(reads).toBe(1);
  nowMs = 500;
  await expect(room()).rejects.toThrow('Redis is away');
  await room();
  expect(reads).toBe(3);
});
