import { expect, test } from '@jest/globals';
import { callbackFailure } from './callback-state.ts';

test.each([
  ['connection_reset', 200, 'connection_refused'],
  ['protocol_error', 202, 'connection_refused'],
  ['timeout', 200, 'timeout'],
  ['dns_failure', null, 'connection_refused'],
  ['http_status', 302, 'http_4xx'],
  ['http_status', 410, 'http_4xx'],
  ['http_status', 503, 'http_5xx'],
] as const)('an attempt that failed with %s and the status %s is %s', (errorCode, status, category) => {
  expect(callbackFailure(errorCode, status)).toBe(category);
});
