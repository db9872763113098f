import { expect, test } from '@jest/globals';
import { hrefOf, readFilter, readView, withFilter } from './view.ts';

test('an address is read as it is written', () => {
  expect(readView(hrefOf('endpoints', 'ep_1', 'testing'))).toEqual({ page: 'endpoints', id: 'ep_1', tab: 'testing' });
  expect(readView(hrefOf('activity'))).toEqual({ page: 'activity', id: null, tab: null });
});

test('a filter stands behind the view in the address, and changes neither the view nor another filter', () => {
  const view = hrefOf('endpoints', 'ep_1', 'messages');
  const filtered = withFilter(withFilter(view, 'status', 'failed'), 'type', 'a.b/c?d&token=e');
  expect(readView(filtered)).toEqual({ page: 'endpoints', id: 'ep_1', tab: 'messages' });
  expect(['status', 'type', 'token'].map((name) => readFilter(filtered, name))).toEqual([
    'failed',
    'a.b/c?d&token=e',
    null,
  ]);
  expect(withFilter(withFilter(filtered, 'type', null), 'status', null)).toBe(view);
});

test.each(['', '#', '#constructor', '#token=php_x', '#endpoints/../x', '#activity/ep_1'])(
  'an id of another kind and an unknown page are left out: %j',
  (fragment) => {
    expect(readView(fragment)).toMatchObject({ id: null, tab: null });
  },
);
