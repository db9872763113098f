import { expect, test } from '@jest/globals';
import {
  COMMON_ERRORS,
  COMMON_REASONS,
  COMMON_STATUSES,
  COMMON_TEST_REASONS,
  type ReaderTexts,
  reasonWords,
} from '../reader-texts.ts';
import { verdictOf } from './advice.ts';

const failed = {
  trigger: 'schedule',
  outcome: 'failure',
  errorCode: 'http_status',
  errorMessage: 'The endpoint answered with status 503',
  responseStatus: 503,
  responseHeaders: {},
  url: 'https://receiver.test/',
  timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
  remoteAddress: '192.0.2.1',
} as const;

const timedOut = { ...failed, errorCode: 'timeout', responseStatus: null } as const;

const none = {
  available: '',
  plan_required: '',
  forbidden: '',
  expired: '',
  erased: '',
  not_stored: '',
  unavailable: '',
};
const texts: ReaderTexts = {
  noun: 'event',
  log: 'audit log',
  errors: { ...COMMON_ERRORS, timeout: 'Answer earlier.', blocked_address: '', proxy_error: '', internal: '' },
  statuses: COMMON_STATUSES,
  reasons: { ...COMMON_REASONS, quarantined: '', payload_expired: '', payload_unreadable: '', invalid_request: '' },
  testReasons: COMMON_TEST_REASONS,
  payloads: none,
};

test('a success needs no advice', () => {
  expect(verdictOf({ ...failed, outcome: 'success', errorCode: null, responseStatus: 204 }, texts)).toEqual({
    said: 'The endpoint answered 204. The event is delivered.',
    advice: '',
  });
});

test('a message that a broker has acknowledged, which has no status, is told as such', () => {
  expect(verdictOf({ ...failed, outcome: 'success', errorCode: null, responseStatus: null }, texts)).toEqual({
    said: 'The other side has the message.',
    advice: '',
  });
});

test('a 503 that asks to wait is honoured, but no next attempt is promised', () => {
  expect(verdictOf({ ...failed, responseHeaders: { 'retry-after': '120' } }, texts)).toEqual({
    said: 'The endpoint answered 503 and asked to wait 120 s.',
    advice: 'If there is a next attempt, it waits that long, at most a day.',
  });
});

test('a test has no next attempt: its advice speaks neither of one nor of a retry', () => {
  const asked = { ...failed, trigger: 'test', responseHeaders: { 'retry-after': '120' } } as const;
  expect(verdictOf(asked, texts).advice).toMatch(/The receiver failed/);
  const ended = { failureReason: 'retries_exhausted' } as const;
  expect(reasonWords({ ...ended, isTest: true }, texts)).toMatch(/a test is sent once.*send another test/);
  expect(reasonWords({ ...ended, isTest: false }, texts)).toMatch(/then retry/);
});

test.each([301, 302, 308])('a redirect (%d) leads to the advice to change the URL', (responseStatus) => {
  expect(verdictOf({ ...failed, responseStatus }, texts).advice).toMatch(/Redirects are not followed/);
});

test('a 400 is most often a refused signature', () => {
  expect(verdictOf({ ...failed, responseStatus: 400 }, texts).advice).toMatch(/signature.*verify the raw bytes/);
});

test('a status without its own advice leads to the answer’s body', () => {
  expect(verdictOf({ ...failed, responseStatus: 418 }, texts).advice).toMatch(/Look at the answer’s body/);
});

test('a 410 says that the endpoint was deactivated, except after a test, which changes nothing', () => {
  const gone = { ...failed, responseStatus: 410 };
  expect(verdictOf(gone, texts).advice).toMatch(/was deactivated/);
  expect(verdictOf({ ...gone, trigger: 'test' }, texts).advice).toMatch(/A test changes nothing/);
});

test('a transport error is told in the service’s own words, with the reader’s advice', () => {
  expect(verdictOf({ ...timedOut, errorMessage: 'No complete answer within 15 s' }, texts)).toEqual({
    said: 'No complete answer within 15 s',
    advice: 'Answer earlier.',
  });
});

const timings = { dnsMs: 1, connectMs: 2, tlsMs: null, ttfbMs: null };

test.each([
  ['no address was reached', { remoteAddress: null }, /firewall/],
  ['the TLS handshake did not end', { timings }, /firewall/],
  ['HTTP without TLS', { timings, url: 'http://receiver.test/' }, /Answer earlier/],
  ['a kept connection', {}, /Answer earlier/],
  ['a new connection', { timings: { ...timings, tlsMs: 3 } }, /Answer earlier/],
])('only a receiver that was reached is told to answer earlier: %s', (_case, fields, advice) => {
  expect(verdictOf({ ...timedOut, ...fields }, texts).advice).toMatch(advice);
});
