import { expect, test } from '@jest/globals';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import type { EventGroup } from '@posthorn/queue/jobs';
import fc from 'fast-check';
import { planFanOut } from './plan.ts';

const uuid = (n: number) => `0193c5a1-7f00-7000-8000-${n.toString(16).padStart(12, '0')}`;
const group: EventGroup = {
  workspaceId: uuid(9_001),
  environmentId: uuid(9_002),
  eventType: 'order.created',
  applicationId: null,
};
const endpointIds = Array.from({ length: 1_000 }, (_, n) => uuid(10_000 + n));

/** Events with these numbers of endpoints. */
const eventsTo = (widths: readonly number[]) =>
  widths.map((width, n) => ({ eventId: uuid(n), group, endpointIds: endpointIds.slice(0, width) }));

const plan = (widths: readonly number[], maxRows: number) => [...planFanOut(eventsTo(widths), () => maxRows)];

/** For each chunk, its events and the number of its deliveries. */
const contents = (chunks: ReturnType<typeof plan>) =>
  chunks.map(({ events, deliveries }) => [events.map(({ eventId }) => eventId), deliveries.length]);

test('no events make no chunk; events without endpoints make one', () => {
  expect(plan([], 10)).toEqual([]);
  expect(contents(plan([0, 0], 10))).toEqual([[[uuid(0), uuid(1)], 0]]);
});

test('events to few endpoints come before those to many', () => {
  expect(contents(plan([3, 0, 1], 3))).toEqual([
    [[uuid(1), uuid(2)], 1],
    [[uuid(0)], 3],
  ]);
});

test('an event is never split: an event with more deliveries than a chunk may have is a chunk of its own', () => {
  expect(contents(plan([5, 1, 2], 3))).toEqual([
    [[uuid(1), uuid(2)], 3],
    [[uuid(0)], 5],
  ]);
});

test('a delivery has the ids of its event’s group, and an id made of its event and endpoint', () => {
  const [eventId, endpointId = ''] = [uuid(0), endpointIds[0]];
  const { workspaceId, environmentId, eventType } = group;
  const deliveryId = deliveryIdFor(eventId, endpointId);
  const delivery = { deliveryId, eventId, endpointId, workspaceId, environmentId, eventType };
  expect(plan([1], 10)[0]?.deliveries).toEqual([delivery]);
});

test('chunks are made lazily', () => {
  const read: string[] = [];
  const events = eventsTo([1, 2, 3]).map(({ endpointIds: ids, ...event }) => ({
    ...event,
    endpointIds: Object.assign([...ids], {
      *[Symbol.iterator]() {
        read.push(event.eventId);
        yield* ids.values();
      },
    }),
  }));
  planFanOut(events, () => 2).next();
  expect(read).toEqual([uuid(0)]);
});

test('for any matches, each pair is in the one chunk of its event, and chunks are within bounds and sorted by key', () => {
  const widths = fc.array(fc.nat({ max: 30 }), { maxLength: 12 });
  fc.assert(
    fc.property(widths, fc.integer({ min: 1, max: 20 }), (given, maxRows) => {
      const chunks = plan(given, maxRows);
      expect(chunks.flatMap(({ events }) => events.map(({ eventId }) => eventId)).sort()).toEqual(
        given.map((_, n) => uuid(n)).sort(),
      );
      for (const { events, deliveries } of chunks) {
        if (events.length > 1) expect(deliveries.length).toBeLessThanOrEqual(maxRows);
        const pairs = deliveries.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`);
        const expected = events.flatMap((event) => event.endpointIds.map((id) => `${event.eventId} ${id}`));
        expect(pairs.sort()).toEqual(expected.sort());
        const keys = deliveries.map(({ deliveryId }) => deliveryId);
        expect(keys).toEqual([...keys].sort());
      }
    }),
  );
});
