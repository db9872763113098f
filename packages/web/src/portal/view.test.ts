import { expect, test } from '@jest/globals';
import { hrefOf, readView } from './view.ts';

test('an address is read as it is written', () => {
  expect(readView(hrefOf('endpoints', 'ep_1', 'testing'))).toEqual({ page: 'endpoints', id: 'ep_1', tab: 'testing' });
  expect(readView(hrefOf('activity'))).toEqual({ page: 'activity', id: null, tab: null });
});

test.each(['', '#', '#constructor', '#token=php_x', '#endpoints/../x', '#activity/ep_1'])(
  'an id of another kind and an unknown page are left out: %j',
  (fragment) => {
    expect(readView(fragment)).toMatchObject({ id: null, tab: null });
  },
);
