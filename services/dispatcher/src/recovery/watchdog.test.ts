import { beforeEach, expect, test } from '@jest/globals';
import { createWatchdog } from './watchdog.ts';

let now: number;
let state: { looks: number; isFull: boolean; storesAnswer: boolean; hasDueWork: boolean; isPaused: boolean };
let acts: string[];
let round: () => Promise<void>;
beforeEach(() => {
  now = 0;
  acts = [];
  state = { looks: 0, isFull: false, storesAnswer: true, hasDueWork: true, isPaused: false };
  round = createWatchdog({
    clock: { monotonicMs: () => now },
    looks: () => state.looks,
    isFull: () => state.isFull,
    storesAnswer: async () => state.storesAnswer,
    hasDueWork: async () => state.hasDueWork,
    isPaused: async () => state.isPaused,
    rebuild: async () => void acts.push(`rebuild at ${now / 1_000}`),
    giveUp: () => void acts.push(`give up at ${now / 1_000}`),
  });
});

async function pass(seconds: number, each: () => void = () => {}) {
  for (const until = now + seconds * 1_000; now < until; ) {
    each();
    await round();
    now += 5_000;
  }
}

test('due work that nobody looks at: connections are made anew after 30 s, the process ends after 60 s', async () => {
  await pass(65);
  expect(acts).toEqual(['rebuild at 30', 'give up at 60']);
});

test.each([
  ['tickets are looked at', () => ({ looks: state.looks + 1 })],
  ['every place is taken', () => ({ isFull: true })],
  ['a store does not answer', () => ({ storesAnswer: false })],
  ['nothing is due', () => ({ hasDueWork: false })],
  ['an operator has paused the queue', () => ({ isPaused: true })],
])('nothing is done while %s', async (_case, change) => {
  await pass(300, () => Object.assign(state, change()));
  expect(acts).toEqual([]);
});

test.each([
  ['a look', () => ({ looks: state.looks + 1 })],
  ['a store away', () => ({ storesAnswer: false })],
])('the time starts again after %s', async (_case, change) => {
  await pass(30);
  await pass(5, () => Object.assign(state, change()));
  state.storesAnswer = true;
  await pass(30);
  expect(acts).toEqual([]);
});

test('a rebuild that helped counts for nothing later', async () => {
  await pass(35);
  state.looks += 1;
  await pass(40);
  expect(acts).toEqual(['rebuild at 30', 'rebuild at 70']);
});
