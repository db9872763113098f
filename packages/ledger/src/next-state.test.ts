import { expect, test } from '@jest/globals';
import { type EndReason, type NextState, nextState, type Outcome } from './next-state.ts';

const WEEK = 604_800;

test.each<[string, Outcome, number | undefined, number, NextState]>([
  ['2xx is delivered', { kind: 'delivered' }, 5, WEEK, { status: 'delivered' }],
  ['2xx is delivered with no step left', { kind: 'delivered' }, undefined, WEEK, { status: 'delivered' }],
  ['2xx is delivered past the retention', { kind: 'delivered' }, 5, -1, { status: 'delivered' }],
  [
    'a failure with a step left is retried after that step',
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
    'a retry just within the retention is scheduled',
    { kind: 'failed' },
    99,
    100,
    { status: 'scheduled_retry', delaySeconds: 99 },
  ],
  [
    'no retry is scheduled at the end of the retention',
    { kind: 'failed' },
    100,
    100,
    { status: 'dead_letter', failureReason: 'retries_exhausted' },
  ],
  [
    'no retry is scheduled past the retention',
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
])('%s ends the delivery as failed, whatever steps the schedule has left', (reason) => {
  const state = nextState({ outcome: { kind: 'ended', reason }, retryDelaySeconds: 5, secondsLeft: WEEK });
  expect(state).toEqual({ status: 'failed', failureReason: reason });
});
