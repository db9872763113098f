import { expect, test } from '@jest/globals';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import fc from 'fast-check';
import { groupOf, planFanOut, splitByEvent, type WaitingEvent } from './match-endpoints.ts';

const uuid = (n: number) => `0193c5a1-7f00-7000-8000-${n.toString(16).padStart(12, '0')}`;
const waiting = (n: number): WaitingEvent => ({
  eventId: uuid(n),
  workspaceId: uuid(9_001),
  environmentId: uuid(9_002),
  applicationId: null,
  eventType: 'order.created',
});

/** The whole plan for events that go to so many endpoints each. */
function plan(widths: readonly number[], maxRows: number) {
  const endpoints = widths.map((width) => Array.from({ length: width }, (_, n) => uuid(1_000 + n)));
  const events = widths.map((_, n) => waiting(n));
  const endpointsOf = ({ eventId }: WaitingEvent) => endpoints[Number.parseInt(eventId.slice(-12), 16)] ?? [];
  return [...planFanOut(events, endpointsOf, maxRows)];
}

const sizes = (chunks: ReturnType<typeof plan>) =>
  chunks.map(({ deliveries, doneEventIds }) => [deliveries.length, doneEventIds]);

test('an event without endpoints is done in the first chunk', () => {
  expect(plan([0], 10)).toEqual([{ deliveries: [], doneEventIds: [uuid(0)] }]);
  expect(sizes(plan([5, 0], 2))).toEqual([
    [2, [uuid(1)]],
    [2, []],
    [1, [uuid(0)]],
  ]);
});

test('no events make no chunk', () => {
  expect(plan([], 10)).toEqual([]);
});

test('an event cut over chunks is done only in the chunk with its last delivery', () => {
  expect(sizes(plan([5], 2))).toEqual([
    [2, []],
    [2, []],
    [1, [uuid(0)]],
  ]);
});

test('events to few endpoints are inserted before those to many', () => {
  expect(plan([3, 1, 2], 100).map(({ doneEventIds }) => doneEventIds)).toEqual([[uuid(1), uuid(2), uuid(0)]]);
});

test('a delivery has what its event has, and an id made of its event and endpoint', () => {
  const [chunk] = plan([1], 10);
  const { workspaceId, environmentId, eventType } = waiting(0);
  const [eventId, endpointId] = [uuid(0), uuid(1_000)];
  const deliveryId = deliveryIdFor(eventId, endpointId);
  expect(chunk?.deliveries).toEqual([{ deliveryId, eventId, endpointId, workspaceId, environmentId, eventType }]);
});

test('chunks are made as they are asked for', () => {
  let asked = 0;
  const many = Array.from({ length: 1_000 }, (_, n) => uuid(1_000 + n));
  const endpoints = new Proxy(many, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) asked += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  const chunks = planFanOut([waiting(0)], () => endpoints, 10);
  expect(chunks.next().value).toMatchObject({ doneEventIds: [] });
  expect(asked).toBeLessThanOrEqual(11);
});

test('events go to the same endpoints only if environment, type and application are the same', () => {
  const groups = [
    waiting(1),
    waiting(2),
    { ...waiting(3), environmentId: uuid(9_003) },
    { ...waiting(4), eventType: 'order.deleted' },
    { ...waiting(5), applicationId: uuid(9_004) },
  ].map(groupOf);
  expect(groups[0]).toBe(groups[1]);
  expect(new Set(groups).size).toBe(4);
});

const widthsOfEvents = fc.array(fc.nat({ max: 30 }), { maxLength: 12 });
const rows = fc.integer({ min: 1, max: 20 });

test('whatever matches: each pair once, chunks within bounds and sorted, each event done with its last delivery', () => {
  fc.assert(
    fc.property(widthsOfEvents, rows, (widths, maxRows) => {
      const chunks = plan(widths, maxRows);
      const pairs = chunks.flatMap(({ deliveries }) => deliveries.map((one) => `${one.eventId} ${one.endpointId}`));
      const expected = widths.flatMap((width, event) =>
        Array.from({ length: width }, (_, n) => `${uuid(event)} ${uuid(1_000 + n)}`),
      );
      expect(pairs.sort()).toEqual(expected.sort());
      expect(chunks.every(({ deliveries }) => deliveries.length <= maxRows)).toBe(true);
      for (const { deliveries } of chunks) {
        const keys = deliveries.map(({ deliveryId }) => deliveryId);
        expect(keys).toEqual([...keys].sort());
      }
      expect(chunks.flatMap((chunk) => chunk.doneEventIds).sort()).toEqual(widths.map((_, n) => uuid(n)).sort());
      for (const [event, width] of widths.entries()) {
        const last = chunks.findLastIndex(({ deliveries }) =>
          deliveries.some(({ eventId }) => eventId === uuid(event)),
        );
        const done = chunks.findIndex(({ doneEventIds }) => doneEventIds.includes(uuid(event)));
        expect(done).toBe(width === 0 ? 0 : last);
      }
    }),
  );
});

test('the parts of a chunk have one event each, and all that is in the chunk', () => {
  fc.assert(
    fc.property(widthsOfEvents, rows, (widths, maxRows) => {
      for (const chunk of plan(widths, maxRows)) {
        const parts = splitByEvent(chunk);
        for (const { deliveries, doneEventIds } of parts) {
          expect(new Set([...deliveries.map(({ eventId }) => eventId), ...doneEventIds]).size).toBe(1);
        }
        expect(parts.flatMap(({ doneEventIds }) => doneEventIds).sort()).toEqual([...chunk.doneEventIds].sort());
        const ids = (deliveries: { deliveryId: string }[]) => deliveries.map(({ deliveryId }) => deliveryId).sort();
        expect(ids(parts.flatMap(({ deliveries }) => deliveries))).toEqual(ids(chunk.deliveries));
      }
    }),
  );
});
