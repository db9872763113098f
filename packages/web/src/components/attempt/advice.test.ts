import { expect, test } from '@jest/globals';
import { verdictOf } from './advice.ts';

const failed = {
  outcome: 'failure',
  errorCode: 'http_status',
  errorMessage: 'The endpoint answered with status 503',
  responseStatus: 503,
  responseHeaders: {},
  durationMs: 12,
} as const;

test('a success needs no advice', () => {
  expect(verdictOf({ ...failed, outcome: 'success', errorCode: null, responseStatus: 204 })).toEqual({
    said: 'The endpoint answered 204. The event is delivered.',
    advice: '',
  });
});

test('a 503 that asks to wait is honoured', () => {
  expect(verdictOf({ ...failed, responseHeaders: { 'retry-after': '120' } })).toEqual({
    said: 'The endpoint answered 503 and asked to wait 120 s.',
    advice: 'The next attempt honours that, up to a day.',
  });
});

test.each([301, 302, 308])('a redirect (%d) leads to the advice to change the URL', (responseStatus) => {
  expect(verdictOf({ ...failed, responseStatus }).advice).toMatch(/follows no redirect/);
});

test('a transport error is told in the service’s own words, with advice', () => {
  const verdict = verdictOf({
    ...failed,
    errorCode: 'timeout',
    errorMessage: 'No answer within 15 s',
    responseStatus: null,
  });
  expect(verdict.said).toBe('No answer within 15 s');
  expect(verdict.advice).toMatch(/timeoutSeconds/);
});
