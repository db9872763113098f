import { expect, test } from '@jest/globals';
import type { EnvironmentDiff } from '../../../client/resources.ts';
import {
  countRemovals,
  removalWords,
  wantedChanges,
  wantedRemovals,
  withDestination,
  withoutServer,
} from './plan-words.ts';

const subscription = { eventTypeId: 'evt_1', eventType: 'a.b', eventTypeName: 'a.b', filter: null };
const none = { add: [], remove: [], change: [] };
const diff: EnvironmentDiff = {
  from: 'env_a',
  to: 'env_b',
  settings: { requireApplication: { from: false, to: true } },
  eventTypes: [
    { eventTypeId: 'evt_1', name: 'a.b', change: 'publish', from: false, to: true },
    { eventTypeId: 'evt_2', name: 'a.c', change: 'unpublish', from: true, to: false },
  ],
  endpoints: [
    { change: 'create', endpointId: 'ep_new', targetEndpointId: null, fields: {}, subscriptions: none },
    { change: 'create', endpointId: 'ep_playground', targetEndpointId: null, fields: {}, subscriptions: none },
    { change: 'create', endpointId: 'ep_later', targetEndpointId: null, fields: {}, subscriptions: none },
    {
      change: 'update',
      endpointId: 'ep_1',
      targetEndpointId: 'ep_2',
      fields: {},
      subscriptions: { ...none, remove: [subscription, subscription] },
    },
    { change: 'delete', endpointId: 'ep_3', targetEndpointId: 'ep_4', fields: {}, subscriptions: none },
  ],
  sources: [
    { change: 'create', sourceId: 'src_new', targetSourceId: null, fields: {} },
    { change: 'create', sourceId: 'src_later', targetSourceId: null, fields: {} },
    { change: 'update', sourceId: 'src_1', targetSourceId: 'src_2', fields: {} },
  ],
};

test('an application names what is added or changed, and creates only what has a URL, or brokers and topics', () => {
  const typed = {
    urls: { ep_new: ' https://example.com/ ', ep_later: ' ' },
    places: {
      src_new: { brokers: 'one.example.com:9093\n two.example.com:9093 \n', topics: 'orders' },
      src_later: { brokers: 'one.example.com:9093', topics: ' ' },
    },
  };
  expect(wantedChanges(diff, typed, new Set(['ep_playground', 'ep_3']), true)).toEqual({
    settings: true,
    eventTypes: ['evt_1'],
    endpoints: [
      { endpointId: 'ep_new', url: 'https://example.com/' },
      { endpointId: 'ep_playground' },
      { endpointId: 'ep_1' },
    ],
    sources: [
      {
        sourceId: 'src_new',
        place: { brokers: ['one.example.com:9093', 'two.example.com:9093'], topics: ['orders'] },
      },
      { sourceId: 'src_1' },
    ],
    prune: false,
  });
});

test('a pruning names what is removed, and counts it', () => {
  expect(wantedRemovals(diff)).toEqual({
    settings: false,
    eventTypes: ['evt_2'],
    endpoints: [{ endpointId: 'ep_1' }],
    sources: [],
    prune: true,
  });
  expect(removalWords(countRemovals(diff))).toBe(
    '1 event type is unpublished, 1 endpoint is deleted and 2 subscriptions are removed',
  );
  expect(removalWords({ types: 0, endpoints: 2, subscriptions: 0 })).toBe('2 endpoints are deleted');
});

test('a new endpoint of a broker is left out, because without a destination nothing at all would be applied', () => {
  const endpoints: Parameters<typeof withDestination>[0] = [
    { id: 'ep_new', url: 'https://kafka.invalid/ep_new', config: { destination: { topic: 'orders' } } },
    { id: 'ep_playground', url: 'https://playground.invalid/ep_playground', config: {} },
    { id: 'ep_later', url: 'https://example.com/', config: {} },
  ];
  expect([withDestination(endpoints), withoutServer(endpoints)]).toEqual([
    new Set(['ep_new']),
    new Set(['ep_playground']),
  ]);
  const nothing = { urls: {}, places: {} };
  expect(wantedChanges(diff, nothing, withoutServer(endpoints), false).endpoints).toEqual([
    { endpointId: 'ep_playground' },
    { endpointId: 'ep_1' },
  ]);
});
