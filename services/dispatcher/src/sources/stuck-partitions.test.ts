import { expect, test } from '@jest/globals';
import type { ReadPart } from '@posthorn/destinations/source-kind';
import { createStuckPartitions, type Places } from './stuck-partitions.ts';

const fault = { message: 'orders/0/5: too large' } as ReadPart['fault'];
const partOf = (partition: number, next: bigint, given: Partial<ReadPart> = {}): ReadPart => ({
  ...{ topic: 'orders', partition, from: next, next, records: [], end: 9n, fault: undefined, ...given },
});
const placesAt = (...offsets: bigint[]): Places =>
  new Map(offsets.map((offset, partition) => [`orders/${partition}`, { topic: 'orders', partition, offset }]));
const RUNNING = { status: 'running', error: null } as const;

test('a partition that cannot be read is left out during a pause, and each failed try makes the pause longer', () => {
  const stuck = createStuckPartitions((faults) => 10 ** faults);
  const places = placesAt(5n, 0n);
  const left = (nowMs: number) => stuck.leaveOut(places, nowMs).map(({ partition }) => partition);
  expect([left(0), stuck.stateOr(RUNNING)]).toEqual([[0, 1], RUNNING]);
  stuck.note([partOf(0, 5n, { fault }), partOf(1, 0n)], places, 0);
  expect([left(9), stuck.untilMs(), left(10)]).toEqual([[1], 10, [0, 1]]);
  stuck.note([partOf(0, 5n, { fault })], places, 10);
  expect([left(109), left(110)]).toEqual([[1], [0, 1]]);
  // A fetch that brings nothing of it has not tried it.
  stuck.note([partOf(0, 5n), partOf(1, 0n)], places, 110);
  expect(stuck.stateOr(RUNNING)).toEqual({ status: 'failing', error: 'orders/0/5: too large' });
});

test('one that has moved is not stuck any more, and the next fault there counts as its first', () => {
  const stuck = createStuckPartitions((faults) => 10 ** faults);
  for (const nowMs of [0, 10]) stuck.note([partOf(0, 5n, { fault })], placesAt(5n), nowMs);
  stuck.note([partOf(0, 7n, { from: 5n, fault })], placesAt(7n), 200);
  expect(stuck.untilMs()).toBe(210);
  stuck.compare(placesAt(8n));
  expect(stuck.stateOr(RUNNING)).toEqual(RUNNING);
});

test('a batch behind records that are not stored yet is not stuck', () => {
  const stuck = createStuckPartitions(() => 1);
  stuck.note([partOf(0, 5n, { from: 2n, fault })], placesAt(3n), 0);
  expect(stuck.stateOr(RUNNING)).toEqual(RUNNING);
});
