import { expect, test } from '@jest/globals';
import { deliveryIdFor } from './delivery-id.ts';

const EVENT = '0193c5a1-7f00-7abc-8def-0123456789ab';
const LATER_EVENT = '0193c5a1-7f01-7000-8000-000000000000';
const endpointIds = Array.from({ length: 500 }, (_, n) => `0193c5a1-0000-7000-8000-${String(n).padStart(12, '0')}`);

test('the same event and endpoint always give the same id', () => {
  expect(deliveryIdFor(EVENT, endpointIds[0] ?? '')).toBe(deliveryIdFor(EVENT, endpointIds[0] ?? ''));
});

test('it is the same in every version: a repeated fan-out by a later release inserts no duplicate', () => {
  expect(deliveryIdFor(EVENT, '0193c5a1-0000-7000-8000-000000000001')).toBe('0193c5a1-7f00-7983-81cc-31f5d694d37e');
});

test('other endpoints and other events give other ids', () => {
  const ids = endpointIds.flatMap((id) => [deliveryIdFor(EVENT, id), deliveryIdFor(LATER_EVENT, id)]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every id is a UUIDv7 with its event’s time', () => {
  for (const id of endpointIds.map((endpointId) => deliveryIdFor(EVENT, endpointId))) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(id.slice(0, 13)).toBe(EVENT.slice(0, 13));
  }
});

test('deliveries sort with their events', () => {
  for (const endpointId of endpointIds) {
    expect(deliveryIdFor(EVENT, endpointId) < deliveryIdFor(LATER_EVENT, endpointId)).toBe(true);
  }
});
