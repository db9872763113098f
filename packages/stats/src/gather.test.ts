import { expect, test } from '@jest/globals';
import { createGatherer, type GathererOptions } from './gather.ts';

const MINUTE_MS = 60_000;
let nowMs = 0;
const gathererWith = (given: Partial<GathererOptions> = {}) =>
  createGatherer({ nowMs: () => nowMs, onFull: () => {}, onDropped: () => {}, ...given });
const delivery = (n: number, workspaceId = 'one') => ({ workspaceId, endpointId: `endpoint ${n}`, eventType: 'a.b' });

test('counts of one minute, endpoint and event type are one cell; each other minute, endpoint or type has its own', () => {
  const gatherer = gathererWith();
  const attempt = { succeeded: true, durationMs: 5, delayMs: null };
  gatherer.countAttempt(delivery(1), attempt);
  gatherer.countAttempt(delivery(1), { ...attempt, succeeded: false, delayMs: 7 });
  gatherer.countAttempt(delivery(2), attempt);
  gatherer.countAttempt({ ...delivery(1), eventType: null }, attempt);
  nowMs += MINUTE_MS;
  gatherer.countAttempt(delivery(1), attempt);
  const cells = gatherer.take();
  expect(cells.map(({ minuteMs, of, eventType, counts }) => [minuteMs, of, eventType, counts.attempts])).toEqual([
    [nowMs - MINUTE_MS, { endpointId: 'endpoint 1' }, 'a.b', 2],
    [nowMs - MINUTE_MS, { endpointId: 'endpoint 1' }, null, 1],
    [nowMs - MINUTE_MS, { endpointId: 'endpoint 2' }, 'a.b', 1],
    [nowMs, { endpointId: 'endpoint 1' }, 'a.b', 1],
  ]);
  expect(gatherer.take()).toEqual([]);
});

test('cells that could not be written count on with those gathered meanwhile', () => {
  const gatherer = gathererWith();
  gatherer.countEnded(delivery(1), 'delivered');
  const unwritten = gatherer.take();
  gatherer.countEnded(delivery(1), 'delivered', 2);
  gatherer.countEnded(delivery(2), 'failed');
  gatherer.putBack(unwritten);
  expect(gatherer.take().map(({ counts }) => [counts.delivered, counts.endedFailed])).toEqual([
    [3, 0],
    [0, 1],
  ]);
});

test('a workspace with more endpoints than its share leaves room for others; what finds no room is dropped and told', () => {
  let dropped = 0;
  let full = 0;
  const gatherer = gathererWith({ onDropped: (counts) => (dropped += counts), onFull: () => (full += 1) });
  for (let n = 0; n < 30_000; n += 1) gatherer.countEnded(delivery(n, 'flooding'), 'delivered');
  gatherer.countEnded(delivery(1, 'flooding'), 'delivered');
  gatherer.countEnded(delivery(-1, 'other'), 'delivered');
  expect([dropped, full]).toEqual([25_000, 1]);
  const cells = gatherer.take();
  expect(cells.length).toBe(5_001);
  expect(cells.at(-1)).toMatchObject({ workspaceId: 'other', counts: { delivered: 1 } });
});
