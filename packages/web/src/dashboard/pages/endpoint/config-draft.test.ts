import { expect, test } from '@jest/globals';
import type { Endpoint, EndpointConfig } from '../../../client/resources.ts';
import { configOf, draftOf, headersOf, rebased } from './config-draft.ts';

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

test('what was not typed stays as somebody else has set it in the meantime', () => {
  const [start, now] = [draft(CONFIG), draft({ ...CONFIG, timeoutSeconds: 20, headers: {} })];
  expect(rebased({ ...start, maxConcurrency: 9 }, start, now)).toEqual({ ...now, maxConcurrency: 9 });
  expect(rebased({ ...start, timeoutSeconds: 5 }, start, now)).toEqual({ ...now, timeoutSeconds: 5 });
});

test('fields that say something only together are taken together', () => {
  const [start, now] = [draft(CONFIG), draft({})];
  expect(rebased({ ...start, schedule: '1 min', periodSeconds: 10 }, start, now)).toEqual({
    ...now,
    ...{ hasOwnSchedule: true, schedule: '1 min', limit: 5, periodSeconds: 10 },
  });
});

test('a header is a line, and its value may have a colon', () => {
  expect(headersOf('X-Team: billing: eu\n\n X-Empty')).toEqual({ 'X-Team': 'billing: eu', 'X-Empty': '' });
});
