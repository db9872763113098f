import { expect, test } from '@jest/globals';
import { type EndReason, type NextState, nextState, type Outcome } from './next-state.ts';

const WEEK = 604_800;

test.each<[string, Outcome, number | undefined, number, NextState]>([
  ['2xx is delivered', { kind: 'delivered' }, 5, WEEK, { status: 'delivered' }],
  ['2xx is delivered with no step left', { kind: 'delivered' }, undefined, WEEK, { status: 'delivered' }],
  ['2xx is delivered past the retention', { kind: 'delivered' }, 5, -1, { status: 'delivered' }],
  [
    'a failure with a step left is tried again after it',
    { kind: 'failed' },
    4.2,
    WEEK,
    { status: 'scheduled_retry', delaySeconds: 4.2 },
  ],
  [
    'a failure with no step left is dead',
    { kind: 'failed' },
    undefined,
    WEEK,
    { status: 'dead_letter', failureReason: 'retries_exhausted' },
  ],
  [
    'a try just within the retention is set',
    { kind: 'failed' },
    99,
    100,
    { status: 'scheduled_retry', delaySeconds: 99 },
  ],
  [
    'no try is set at the retention',
    { kind: 'failed' },
    100,
    100,
    { status: 'dead_letter', failureReason: 'retries_exhausted' },
  ],
  [
    'no try is set past the retention',
    { kind: 'failed' },
    86_400,
    100,
    { status: 'dead_letter', failureReason: 'retries_exhausted' },
  ],
])('%s', (_guarantee, outcome, retryDelaySeconds, secondsLeft, expected) => {
  expect(nextState({ outcome, retryDelaySeconds, secondsLeft })).toEqual(expected);
});

test.each<EndReason>([
  'gone',
  'aborted_by_receiver',
  'blocked_address',
  'payload_expired',
  'payload_unreadable',
  'invalid_request',
])('%s ends the delivery as failed, whatever the schedule has left', (reason) => {
  const state = nextState({ outcome: { kind: 'ended', reason }, retryDelaySeconds: 5, secondsLeft: WEEK });
  expect(state).toEqual({ status: 'failed', failureReason: reason });
});
