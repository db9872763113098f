import { expect, test } from '@jest/globals';
import type { Endpoint, EndpointConfig } from '../../../client/resources.ts';
import { configOf, draftOf, headersOf } from './config-draft.ts';

const CONFIG: EndpointConfig = {
  timeoutSeconds: 10,
  rateLimit: { limit: 5, periodSeconds: 60 },
  maxConcurrency: 3,
  payloadFormat: 'envelope',
  signature: 'standard-ed25519',
  ordering: 'fifo',
  retrySchedule: [5, 300],
  headers: { 'X-Team': 'billing: eu' },
  playground: { status: 200 },
};

const draft = (config: EndpointConfig) => draftOf({ url: 'https://a.test', description: '', config } as Endpoint);

test.each([[CONFIG], [{}], [{ retrySchedule: [] }]])(
  'a form that nothing was changed in keeps the config: %j',
  (config) => {
    expect(configOf(draft(config), config)).toEqual(config);
  },
);

test('an emptied field and a default are left out', () => {
  const changed = {
    ...draft(CONFIG),
    timeoutSeconds: '' as const,
    limit: '' as const,
    hasOwnSchedule: false,
    isFifo: false,
    headers: '',
  };
  expect(configOf({ ...changed, payloadFormat: 'raw', signature: 'standard', maxConcurrency: '' }, CONFIG)).toEqual({
    playground: { status: 200 },
  });
});

test('a header is a line, and its value may have a colon', () => {
  expect(headersOf('X-Team: billing: eu\n\n X-Empty')).toEqual({ 'X-Team': 'billing: eu', 'X-Empty': '' });
});
