import { expect, test } from '@jest/globals';
import type { EndpointConfig } from '../../../client/resources.ts';
import { draftOf, rebased } from '../../../components/draft.ts';
import { configOf } from '../../../components/request/signatures.ts';
import { ENDPOINT } from './config-draft.ts';

const CONFIG: EndpointConfig = {
  timeoutSeconds: 10,
  rateLimit: { limit: 5, periodSeconds: 60 },
  maxConcurrency: 3,
  catchUp: 'at-once',
  payloadFormat: 'envelope',
  signature: 'standard-ed25519',
  ordering: 'fifo',
  retrySchedule: [5, 300],
  headers: { 'X-Team': 'billing: eu' },
  playground: { status: 200 },
};

const draft = (config: EndpointConfig) => draftOf(ENDPOINT.config, config);
const saved = (typed: ReturnType<typeof draft>, before: EndpointConfig) => configOf(ENDPOINT.config, typed, before);

test.each([[CONFIG], [{}], [{ retrySchedule: [] }]])(
  'a form that nothing was changed in keeps the config: %j',
  (config) => {
    expect(saved(draft(config), config)).toEqual(config);
  },
);

test('an emptied field and a default are left out', () => {
  expect(saved(draft({}), CONFIG)).toEqual({ playground: { status: 200 } });
});

test('a limit without a period is one in a second, and a period without a limit is none', () => {
  expect(saved({ ...draft({}), rateLimit: { limit: 7, periodSeconds: '' } }, {})).toEqual({
    rateLimit: { limit: 7, periodSeconds: 1 },
  });
  expect(saved({ ...draft({}), rateLimit: { limit: '', periodSeconds: 60 } }, {})).toEqual({});
});

test('what says something only together is taken together', () => {
  const [start, now] = [draft(CONFIG), draft({})];
  const typed = {
    ...start,
    retrySchedule: { isOwn: true, text: '1 min' },
    rateLimit: { limit: 5, periodSeconds: 10 },
  };
  expect(rebased(ENDPOINT.config, typed, start, now)).toEqual({
    ...now,
    ...{ retrySchedule: typed.retrySchedule, rateLimit: typed.rateLimit },
  });
});

test('the standard headers are left out with a signature of another service alone', () => {
  const config = { standardHeaders: false };
  expect(saved({ ...draft({}), signature: 'github' }, config)).toEqual({ signature: 'github', standardHeaders: false });
  expect(saved(draft({}), config)).toEqual({});
});

test('an unchanged body is sent without its format, which types of a fixed format refuse', () => {
  const config = { destination: { streamName: 'orders' }, payloadFormat: 'envelope' } as const;
  expect(saved({ ...draft(config), payloadFormat: 'raw' }, config)).toEqual({ destination: config.destination });
});
