import { describe, expect, test } from '@jest/globals';
import { createPriority, priorityOf } from './priority.ts';

const shares = { ofPart: 100, ofWorkspace: 200 };

test.each([
  [1, 1, 0],
  [100, 200, 0],
  [101, 1, 1],
  [200, 1, 1],
  [201, 1, 2],
  [1, 201, 1],
  [100_000, 200, 999],
  [101, 401, 3],
  [1e12, 1e12, 2_097_151],
])(
  'of shares of 100 and 200, job %i of a part, %i of a workspace, has priority %i',
  (ofPart, ofWorkspace, expected) => {
    expect(priorityOf({ ofPart, ofWorkspace }, shares)).toBe(expected);
  },
);

describe('job priorities of one process:', () => {
  let now = 0;
  const enqueuer = () => {
    now = 0;
    const priority = createPriority(() => now);
    let events = 0;
    const newEvent = () => {
      events += 1;
      return `event-${events}`;
    };
    return {
      enqueue: (endpointId: string, workspaceId = 'a', eventId = newEvent()) =>
        priority.ofDelivery({ endpointId, workspaceId, eventId }),
      event: (eventType: string, workspaceId = 'a') => priority.ofEvent({ eventType, workspaceId }),
    };
  };
  const times = <T>(count: number, work: () => T) => Array.from({ length: count }, work);

  test('a flood for one endpoint delays no other endpoint, of another workspace or of its own', () => {
    const { enqueue } = enqueuer();
    const flood = times(5_000, () => enqueue('flooded'));
    expect(flood.slice(0, 10)).toEqual(times(10, () => 0));
    expect([flood[10], flood.at(-1)]).toEqual([1, 499]);
    expect([enqueue('other', 'b'), enqueue('sibling', 'a')]).toEqual([0, 0]);
  });

  test('jobs that a workspace spreads over many endpoints count against all of its endpoints', () => {
    const { enqueue } = enqueuer();
    const spread = Array.from({ length: 1_000 }, (_, n) => enqueue(`endpoint-${n}`));
    expect([spread[19], spread[20], spread.at(-1)]).toEqual([0, 1, 49]);
    expect(enqueue('one', 'b')).toBe(0);
  });

  test('an event to many endpoints delays no other event of its workspace', () => {
    const { enqueue } = enqueuer();
    const wide = Array.from({ length: 1_000 }, (_, n) => enqueue(`endpoint-${n}`, 'a', 'wide'));
    expect([wide[9], wide[10], wide.at(-1)]).toEqual([0, 1, 99]);
    expect(enqueue('endpoint-1')).toBe(0);
  });

  test('two floods alternate', () => {
    const { enqueue } = enqueuer();
    times(1_000, () => enqueue('first', 'a'));
    const second = times(1_000, () => enqueue('second', 'b'));
    expect(second.at(-1)).toBe(99);
  });

  test('a flood of events of one type delays no other type', () => {
    const { event } = enqueuer();
    expect(times(201, () => event('flooded')).at(-1)).toBe(2);
    expect([event('other'), event('flooded', 'b')]).toEqual([0, 0]);
  });

  test('events that a workspace spreads over many types count against all of its types', () => {
    const { event } = enqueuer();
    const spread = Array.from({ length: 401 }, (_, n) => event(`type-${n}`));
    expect([spread[199], spread[200], spread.at(-1)]).toEqual([0, 1, 2]);
  });

  test('counts start again after a second', () => {
    const { enqueue } = enqueuer();
    times(1_000, () => enqueue('flooded'));
    now = 1_000;
    expect(enqueue('flooded')).toBe(0);
  });

  test('at most 20,000 keys of each kind are counted in a second', () => {
    const { enqueue } = enqueuer();
    for (let n = 0; n < 30_000; n += 1) enqueue(`endpoint-${n}`, `workspace-${n}`);
    expect(times(500, () => enqueue('late', 'late')).at(-1)).toBe(0);
    expect(times(500, () => enqueue('endpoint-1', 'workspace-1')).at(-1)).toBe(50);
  });
});
