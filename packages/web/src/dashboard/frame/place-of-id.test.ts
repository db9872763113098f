import { expect, test } from '@jest/globals';
import { placeOfId } from './place-of-id.ts';

test.each([
  [' dlv_01jczhk8m3fd8tqv5x0w2b9n4e\n', { kind: 'delivery', id: 'dlv_01jczhk8m3fd8tqv5x0w2b9n4e' }],
  ['msg_01jczhk8m3fd8tqv5x0w2b9n4e', { kind: 'event', id: 'msg_01jczhk8m3fd8tqv5x0w2b9n4e' }],
  ['ep_01jczhk8m3fd8tqv5x0w2b9n4e', { kind: 'endpoint', id: 'ep_01jczhk8m3fd8tqv5x0w2b9n4e' }],
  ['app_01jczhk8m3fd8tqv5x0w2b9n4e', { kind: 'customer', id: 'app_01jczhk8m3fd8tqv5x0w2b9n4e' }],
  [' order.created ', { kind: 'text', text: 'order.created' }],
  ['dlv_short', { kind: 'text', text: 'dlv_short' }],
  [' ', { kind: 'nothing' }],
])('the search for %j leads to %j', (text, found) => {
  expect(placeOfId(text)).toEqual(found);
});
