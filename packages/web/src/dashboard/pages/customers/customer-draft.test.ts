import { expect, test } from '@jest/globals';
import { bodyOfCustomer, draftOfCustomer, metadataOf } from './customer-draft.ts';

test('a customer that is opened and saved stays the same', () => {
  const customer = {
    ...{ id: 'app_1', createdAt: '2026-11-21T09:30:00.000Z', updatedAt: '2026-11-21T09:30:00.000Z' },
    ...{ name: 'Globex', externalId: null, metadata: { plan: 'pro: yearly', empty: '' } },
  };
  expect(bodyOfCustomer(draftOfCustomer(customer))).toEqual({
    name: 'Globex',
    externalId: null,
    metadata: { plan: 'pro: yearly', empty: '' },
  });
});

test('metadata is read line by line', () => {
  expect(metadataOf(' plan :  pro \n\nvip')).toEqual({ plan: 'pro', vip: '' });
});
