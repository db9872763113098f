import { expect, test } from '@jest/globals';
import { placeOfId } from './place-of-id.ts';

test.each([
  [' dlv_01jczhk8m3fd8tqv5x0w2b9n4e\n', { kind: 'delivery', deliveryId: 'dlv_01jczhk8m3fd8tqv5x0w2b9n4e' }],
  ['msg_01jczhk8m3fd8tqv5x0w2b9n4e', { kind: 'event', eventId: 'msg_01jczhk8m3fd8tqv5x0w2b9n4e' }],
  ['ep_01jczhk8m3fd8tqv5x0w2b9n4e', { kind: 'endpoint', endpointId: 'ep_01jczhk8m3fd8tqv5x0w2b9n4e' }],
  ['order.created', { kind: 'event type', name: 'order.created' }],
  ['dlv_short', { kind: 'nothing' }],
  ['', { kind: 'nothing' }],
])('the search for %j leads to %j', (text, found) => {
  expect(placeOfId(text)).toEqual(found);
});
