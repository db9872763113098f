import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Depths } from '../producer.ts';
import { createRoomCheck, DELIVER_ROOM, FAN_OUT_ROOM } from './room.ts';

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
])('%s finds room below its limit, and none at the limit', async (_case, job, limit) => {
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

test('delayed jobs take no room from jobs that are due now, nor waiting jobs from delayed ones', async () => {
  const hasRoom = await check({ waiting: 0, delayed: 1_000_000 });
  expect([hasRoom({}), hasRoom({ delay: 1 })]).toEqual([true, false]);
  expect((await check({ waiting: 1_000_000, delayed: 0 }))({ delay: FAR_MS })).toBe(true);
});

describe('depths', () => {
  let nowMs: number;
  let reads: (() => void)[];
  let fails: boolean;
  let depths: Depths;
  let room: ReturnType<typeof createRoomCheck>;
  beforeEach(() => {
    [nowMs, reads, fails, depths] = [0, [], false, { waiting: 0, delayed: 0 }];
    const read = async () => {
      await new Promise<void>((resolve) => reads.push(resolve));
      if (fails) throw new Error('Redis is away');
      return depths;
    };
    room = createRoomCheck(read, DELIVER_ROOM, () => nowMs);
  });

  /** Ends the pending reads. */
  const answer = async () => {
    for (const end of reads.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  };

  test('are awaited at first, by all callers together, and read again after half a second', async () => {
    const first = Promise.all([room(), room(), room()]);
    expect(reads).toHaveLength(1);
    await answer();
    await first;
    nowMs = 499;
    await room();
    expect(reads).toHaveLength(0);
    nowMs = 500;
    await Promise.all([room(), room()]);
    expect(reads).toHaveLength(1);
  });

  test('are used for five seconds while they are read again; then a caller waits for the read', async () => {
    const first = room();
    await answer();
    await first;
    depths = { waiting: 50_000, delayed: 0 };
    nowMs = 4_999;
    expect((await room())({})).toBe(true);
    await answer();
    expect((await room())({})).toBe(false);
    nowMs += 5_000;
    depths = { waiting: 0, delayed: 0 };
    const later = room();
    await answer();
    expect((await later)({})).toBe(true);
  });

  test('that cannot be read reject when none are known, and are read again by the next caller', async () => {
    fails = true;
    const first = room();
    const rejected = expect(first).rejects.toThrow('Redis is away');
    await answer();
    await rejected;
    fails = false;
    const second = room();
    await answer();
    await second;
    fails = true;
    nowMs = 500;
    expect((await room())({})).toBe(true);
    await answer();
    await room();
    expect(reads).toHaveLength(1);
  });
});
