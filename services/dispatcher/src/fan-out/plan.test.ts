import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Match, planFanOut } from './match-endpoints.ts';

const uuid = (n: number) => `0193c5a1-7f00-7000-8000-${n.toString(16).padStart(12, '0')}`;
const match = (event: number, endpoint: number): Match => ({
  eventId: uuid(event),
  endpointId: uuid(1_000 + endpoint),
  workspaceId: uuid(9_001),
  environmentId: uuid(9_002),
  eventType: 'order.created',
});

test('an event that matches nobody is done at once', () => {
  expect(planFanOut([uuid(1)], [], { mostRows: 10, wide: 5 })).toEqual([{ deliveries: [], doneEventIds: [uuid(1)] }]);
});

test('an event cut over chunks is done only with its last delivery', () => {
  const plan = planFanOut(
    [uuid(1)],
    [1, 2, 3, 4, 5].map((endpoint) => match(1, endpoint)),
    { mostRows: 2, wide: 100 },
  );
  expect(plan.map(({ deliveries, doneEventIds }) => [deliveries.length, doneEventIds])).toEqual([
    [2, []],
    [2, []],
    [1, [uuid(1)]],
  ]);
});

test('what goes to few endpoints is inserted before, and apart from, what goes to many', () => {
  const plan = planFanOut([1, 2, 3].map(uuid), [match(1, 1), match(1, 2), match(1, 3), match(2, 1), match(3, 2)], {
    mostRows: 10,
    wide: 3,
  });
  expect(plan.map(({ doneEventIds }) => doneEventIds)).toEqual([[uuid(2), uuid(3)], [uuid(1)]]);
});

test('whatever matches: each delivery once, in one order, chunks within bounds, each event done after its last', () => {
  const matches = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 30 })), {
    selector: ([event, endpoint]) => `${event}/${endpoint}`,
    maxLength: 120,
  });
  fc.assert(
    fc.property(matches, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (pairs, mostRows, wide) => {
      const eventIds = Array.from({ length: 13 }, (_, n) => uuid(n));
      const plan = planFanOut(
        eventIds,
        pairs.map(([event, endpoint]) => match(event, endpoint)),
        { mostRows, wide },
      );
      const planned = plan.flatMap((chunk) => chunk.deliveries);
      expect(new Set(planned.map((delivery) => delivery.deliveryId)).size).toBe(pairs.length);
      expect(planned).toHaveLength(pairs.length);
      expect(plan.every((chunk) => chunk.deliveries.length <= mostRows)).toBe(true);
      expect(plan.flatMap((chunk) => chunk.doneEventIds).sort()).toEqual(eventIds);
      for (const [index, chunk] of plan.entries()) {
        const later = plan.slice(index + 1).flatMap(({ deliveries }) => deliveries.map(({ eventId }) => eventId));
        for (const eventId of chunk.doneEventIds) expect(later).not.toContain(eventId);
      }
      const widthOf = (eventId: string) => planned.filter((delivery) => delivery.eventId === eventId).length;
      const keys = planned.map(({ eventId, deliveryId }) => `${widthOf(eventId) >= wide} ${eventId} ${deliveryId}`);
      expect(keys).toEqual([...keys].sort());
    }),
  );
});
