import { expect, test } from '@jest/globals';
import { FAILURE_REASONS } from '@posthorn/contract/deliveries';
import { ATTEMPT_ERROR_CODES } from '@posthorn/destinations/failure';
import { FAILURE_WORDS } from './failure-words.ts';
import { alertWords, type Described } from './words.ts';

const now = new Date('2026-11-26T12:00:00.000Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const subject = (given: Partial<Described>): Described => ({
  facts: {},
  count: 1,
  endpoint: { url: 'https://acme.example/hooks', customer: 'Acme' },
  waiting: 0,
  reason: null,
  ...given,
});

test.each<[string, Partial<Described>, string]>([
  [
    'posthorn.endpoint.failing',
    { facts: { failingSince: ago(12) }, reason: 'connection refused', waiting: 214 },
    'Endpoint https://acme.example/hooks of Acme stopped answering 12 minutes ago: connection refused. 214 events wait.',
  ],
  [
    'posthorn.endpoint.failing',
    {
      facts: { failingSince: ago(60 * 24 * 3) },
      waiting: 10_000,
      endpoint: { url: 'https://a.example/', customer: null },
    },
    'Endpoint https://a.example/ stopped answering 3 days ago. At least 10,000 events wait.',
  ],
  [
    'posthorn.endpoint.recovered',
    { waiting: 1 },
    'Endpoint https://acme.example/hooks of Acme answers again. One event is being delivered.',
  ],
  [
    'posthorn.endpoint.disabled',
    { facts: { disabledReason: 'failing' } },
    'Endpoint https://acme.example/hooks of Acme was deactivated: every attempt had failed for five days. It gets no more events.',
  ],
  [
    'posthorn.delivery.dead_letter',
    { count: 1_200, reason: 'it answered 503' },
    '1,200 deliveries to endpoint https://acme.example/hooks of Acme were given up: it answered 503.',
  ],
  [
    'posthorn.delivery.failed',
    { facts: { failureReason: 'gone' } },
    'A delivery to endpoint https://acme.example/hooks of Acme ended early: the endpoint answered 410 Gone.',
  ],
  [
    'posthorn.operation.completed',
    { facts: { operationType: 'recovery', matched: 120, delivered: 118, failed: 2 } },
    'The recovery of https://acme.example/hooks is finished. 118 of 120 were delivered, 2 failed.',
  ],
  [
    'posthorn.operation.completed',
    { facts: { operationType: 'cancel', matched: 7, delivered: 0, failed: 0 }, endpoint: null },
    'The cancel of many deliveries is finished. 7 matched.',
  ],
  [
    'posthorn.api_key.expiring',
    {
      facts: { name: 'Order service', expiresAt: new Date(now.getTime() + 3 * 86_400_000).toISOString() },
      endpoint: null,
    },
    'The API key “Order service” stops working in 3 days.',
  ],
  [
    'posthorn.source.failing',
    {
      facts: { name: 'Orders', status: 'failing', error: 'no answer', lagRecords: 1_204, failingSince: ago(12) },
      endpoint: null,
    },
    'The source “Orders” has been failing for 12 minutes: no answer. 1,204 records wait.',
  ],
  [
    'posthorn.source.failing',
    { facts: { name: 'Orders', status: 'stopped', error: 'offset_lost', lagRecords: 0 }, endpoint: null },
    'The source “Orders” has stopped: offset_lost.',
  ],
  [
    'posthorn.source.failing',
    {
      facts: { name: 'Orders', status: 'running', error: null, lagRecords: 1, failingSince: ago(6) },
      endpoint: null,
    },
    'The source “Orders” has been behind for 6 minutes. 1 record waits.',
  ],
  [
    'posthorn.source.recovered',
    { facts: { name: 'Orders', lagRecords: 0 }, endpoint: null },
    'The source “Orders” reads its topics again.',
  ],
])('%s: %j', (eventType, given, expected) => {
  expect(alertWords({ eventType, subjects: [subject(given)], more: null, now }).lines).toEqual([expected]);
});

test('what is not named one by one is counted, with the customers that it belongs to', () => {
  const customers = [
    { name: 'Acme', count: 700 },
    { name: 'Beta', count: 200 },
  ];
  const more = { count: 990, isLeast: true, customers, otherCustomers: 1 };
  const { lines } = alertWords({ eventType: 'posthorn.endpoint.failing', subjects: [subject({})], more, now });
  expect(lines.at(-1)).toBe('And at least 990 more: 700 of Acme, 200 of Beta, others of 1 other customer.');
});

test('every reason of a failed attempt, and of a delivery that ended, has words', () => {
  // A status is reported by its number.
  const codes = ATTEMPT_ERROR_CODES.filter((code) => code !== 'http_status');
  expect([...codes, ...FAILURE_REASONS].filter((code) => FAILURE_WORDS[code] === undefined)).toEqual([]);
});

test('the title names the customer of one endpoint, and is in the plural for several', () => {
  const one = alertWords({ eventType: 'posthorn.endpoint.failing', subjects: [subject({})], more: null, now });
  expect(one.title).toBe('An endpoint stopped answering: Acme');
  const two = [subject({}), subject({})];
  const more = { count: 3, isLeast: false, customers: [], otherCustomers: 0 };
  const several = alertWords({ eventType: 'posthorn.endpoint.failing', subjects: two, more, now });
  expect([several.title, several.lines.at(-1)]).toEqual(['Endpoints stopped answering', 'And 3 more.']);
});
