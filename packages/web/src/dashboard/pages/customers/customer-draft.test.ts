import { expect, test } from '@jest/globals';
import { draftOf } from '../../../components/draft.ts';
import { CUSTOMER, changedCustomer, customerBody } from './customer-draft.ts';

test('a customer that is opened and saved stays the same', () => {
  const customer = {
    ...{ id: 'app_1', createdAt: '2026-11-21T09:30:00.000Z', updatedAt: '2026-11-21T09:30:00.000Z' },
    ...{ name: 'Globex', externalId: null, metadata: { plan: 'pro: yearly', empty: '' } },
  };
  expect(customerBody(draftOf(CUSTOMER, customer))).toEqual({
    name: 'Globex',
    externalId: null,
    metadata: { plan: 'pro: yearly', empty: '' },
  });
});

test('a rename sends the name alone, so metadata that lines cannot hold stays as it is', () => {
  const before = draftOf(CUSTOMER, {
    ...{ id: 'app_1', createdAt: '2026-11-21T09:30:00.000Z', updatedAt: '2026-11-21T09:30:00.000Z' },
    ...{ name: 'Globex', externalId: 'customer_1', metadata: { 'crm:id': '7', note: 'two\nlines' } },
  });
  expect(changedCustomer(before, { ...before, name: 'Globex AG' })).toEqual({ name: 'Globex AG' });
  expect(changedCustomer(before, { ...before, externalId: '' })).toEqual({ externalId: null });
  expect(changedCustomer(before, { ...before, metadata: 'plan: pro' })).toEqual({ metadata: { plan: 'pro' } });
});
