import { expect, test } from '@jest/globals';
import type { Event } from '../../client/resources.ts';
import { eventFindings, offersLast } from './event-findings.ts';

const event = { id: 'msg_1', eventTypeName: 'order.paid', idempotencyKey: 'order-17' } as Event;

test('events with the key are found by their type', () => {
  const [finding, ...others] = eventFindings({ events: [event], nextCursor: 'more' }, 'order-17');
  expect([finding?.name, finding?.note, finding?.to, others]).toEqual([
    'order.paid',
    'order-17',
    { kind: 'id', id: 'msg_1' },
    [],
  ]);
});

test('where a request could not look through all events, the list of events is offered with the key', () => {
  expect(eventFindings({ events: [], nextCursor: 'more' }, 'order-17').map(({ to }) => to)).toEqual([
    { kind: 'key', key: 'order-17' },
  ]);
  expect(eventFindings({ events: [], nextCursor: null }, 'order-17')).toEqual([]);
});

test('an event that was found by a value comes before the offer to look for the value as a key', () => {
  const [found] = eventFindings({ events: [event], nextCursor: null }, 'order-17');
  const [offer] = eventFindings({ events: [], nextCursor: 'more' }, 'order-17');
  if (found === undefined || offer === undefined) throw new Error('two findings');
  expect(offersLast([offer, found])).toEqual([found, offer]);
});
