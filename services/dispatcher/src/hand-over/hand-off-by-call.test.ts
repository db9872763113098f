import { beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { HandOverJob, HandOverRequest } from '@posthorn/queue/jobs';
import type { Takers } from '@posthorn/queue/takers';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createHandOff, watchPause } from './hand-off-by-call.ts';

const leaseToken = newUuid(new Date());
let room: number;
let isPaused = false;
let others: Takers;
let taken: HandOverJob[];
let jobs: (readonly HandOverRequest[])[];
let warnings: string[];
let nowMs: number;
/** What happens while a slot is waited for. */
let meanwhile: () => void;
beforeEach(() => {
  [room, others, taken, jobs, warnings, nowMs, meanwhile] = [32, 'none', [], [], [], 0, () => {}];
});

const handOff = createHandOff({
  producer: {
    takers: () => others,
    slowMs: () => undefined,
    handOver: async (events) => void jobs.push(events),
  },
  take: async (job) => {
    taken.push(job);
    if (room < 0) throw new Error('Postgres is away');
  },
  isPaused: () => isPaused,
  room: () => room,
  freed: async (withinMs) => {
    nowMs += Math.min(withinMs, 20);
    meanwhile();
  },
  slotCount: 64,
  clock: { now: () => new Date(), monotonicMs: () => nowMs },
  slowEndpoints: () => new Map([['slow', 250]]),
  quiet: { warn: (message) => void warnings.push(message) },
});

const events: HandOverRequest[] = ['a', 'b'].map((deliveryId) => ({
  workspaceId: 'w',
  eventType: 'order.paid',
  deliveries: [{ deliveryId, eventId: 'e', endpointId: 'p', workspaceId: 'w' }],
}));

test('deliveries are offered to this process while it has room, whether or not Redis is there; then they are due for any', () => {
  expect(handOff.takers()).toBe('ready');
  room = 3;
  expect(handOff.takers()).toBe('none');
  others = 'ready';
  expect(handOff.takers()).toBe('behind');
  [room, isPaused] = [32, true];
  expect(handOff.takers()).toBe('behind');
  isPaused = false;
});

test('without room an event waits until enough slots are released, or a moment; not while deliveries are paused, nor soon after a wait in vain', async () => {
  await handOff.awaitRoom?.();
  expect(nowMs).toBe(0);
  room = 2;
  meanwhile = () => {
    room += 1;
  };
  await handOff.awaitRoom?.();
  expect([room, nowMs]).toEqual([4, 40]);
  [room, meanwhile] = [0, () => {}];
  await handOff.awaitRoom?.();
  expect(nowMs).toBe(90);
  await handOff.awaitRoom?.();
  expect(nowMs).toBe(90);
  nowMs = 2_000;
  isPaused = true;
  await handOff.awaitRoom?.();
  expect(nowMs).toBe(2_000);
  isPaused = false;
  await handOff.awaitRoom?.();
  expect(nowMs).toBe(2_050);
});

test('offered deliveries are taken together by a call, after the present turn; those that are due become jobs', async () => {
  await handOff.handOver(events, leaseToken);
  expect([taken, jobs]).toEqual([[], []]);
  await waitFor(() => taken.length > 0, { what: 'the call' });
  expect(taken).toEqual([{ deliveries: events.flatMap(({ deliveries }) => deliveries), leaseToken }]);
  await handOff.handOver(events, undefined);
  await handOff.handOver([], leaseToken);
  expect([taken.length, jobs]).toEqual([1, [events]]);
});

test('a fault of the call is logged: the offers end, and the reconciler finds the deliveries', async () => {
  room = -1;
  await handOff.handOver(events, leaseToken);
  await waitFor(() => warnings.length > 0, { what: 'the warning' });
  expect(warnings).toEqual(['offered deliveries wait for the reconciler']);
});

test('a pause that is kept in Redis is heard while it lasts; until it is known deliveries become jobs, and a Redis that is away is no pause', async () => {
  const stops: (() => Promise<void> | void)[] = [];
  const lifecycle = { onStop: (_part: string, stop: () => Promise<void> | void) => void stops.push(stop) };
  let answer: () => Promise<boolean> = async () => false;
  const paused = watchPause({ read: () => answer(), lifecycle, quiet: { warn: () => {} } });
  expect(paused()).toBe(true);
  await waitFor(() => !paused(), { what: 'the first answer' });
  answer = async () => true;
  await waitFor(() => paused(), { what: 'the pause' });
  answer = async () => false;
  await waitFor(() => !paused(), { what: 'its end' });
  const away = watchPause({
    read: () => Promise.reject(new Error('Redis is away')),
    lifecycle,
    quiet: { warn: () => {} },
  });
  await waitFor(() => !away(), { what: 'the failed look' });
  for (const stop of stops) await stop();
});

test('an endpoint that is slow in this process is slow for its API', () => {
  expect([handOff.slowMs('slow'), handOff.slowMs('other')]).toEqual([250, undefined]);
});
