import { expect, test } from '@jest/globals';
import { nearestName } from '@posthorn/runtime/nearest-name';
import { withKind } from './kinds.ts';

test.each([
  ['order.palced', 'order.placed'],
  ['Order.Placed', 'order.placed'],
  ['orders.placed', 'order.placed'],
  ['invoice.paid', undefined],
])('the name that is most like %s is %s', (wanted, name) => {
  expect(nearestName(wanted, ['order.shipped', 'order.placed', 'order'])).toBe(name);
});

test('an id of another kind is told, with the command that shows it', () => {
  const failure = { exitCode: 4, code: 'not_found', message: 'Endpoint not found', next: 'check the id' };
  const next = 'dlv_1 is a delivery: posthorn deliveries get dlv_1';
  expect(withKind(failure, ['endpoints', 'get', 'dlv_1'])).toEqual({ ...failure, next });
  expect(withKind(failure, ['endpoints', 'get', 'ep_1'])).toEqual(failure);
  expect(withKind({ ...failure, exitCode: 6 }, ['endpoints', 'get', 'dlv_1']).next).toBe('check the id');
});
