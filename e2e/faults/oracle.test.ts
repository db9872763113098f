import { expect, test } from '@jest/globals';
import { type Evidence, judge, type Move, type Receipt, type SentEvent } from './oracle.ts';

// One event for one endpoint, delivered at its second attempt. Each test changes one thing.

const event: SentEvent = { hash: 'h1', endpoints: ['e1'], eventId: 'msg_1', acceptedAtMs: 1_000 };
const failed = receipt(1, 1_100);
const succeeded = receipt(2, 2_200);

function receipt(attempt: number, atMs: number): Receipt {
  return { endpoint: 'e1', eventId: 'msg_1', attempt, hash: 'h1', atMs };
}

function moves(...steps: [to: string, atMs: number, dueAtMs: number | null][]): Move[] {
  return steps.map(([to, atMs, dueAtMs], index) => ({
    eventId: 'msg_1',
    endpoint: 'e1',
    from: steps[index - 1]?.[0] ?? null,
    to,
    atMs,
    dueAtMs,
  }));
}

const begun: [string, number, number | null][] = [
  ['pending', 1_000, 1_000],
  ['delivering', 1_050, 1_000],
  ['scheduled_retry', 1_150, 2_150],
];
const whole = moves(...begun, ['delivering', 2_190, 2_150], ['delivered', 2_210, null]);

function verdict(changed: Partial<Evidence> = {}) {
  const evidence = {
    sent: [event],
    receipts: [failed, succeeded],
    moves: whole,
    outages: [],
    endsAs: () => 'delivered',
  };
  return judge({ ...evidence, ...changed });
}

const flawless = { lost: 0, unexpected: 0, corrupt: 0, duplicates: 0, illegal: 0, early: 0, examples: [] };

test('an accepted event that arrives in time, once for each attempt, has no fault', () => {
  expect(verdict()).toMatchObject({
    accepted: 1,
    expected: 1,
    delivered: 1,
    ...flawless,
    firstLateMs: 100,
    retryLateMs: 50,
  });
});

test('an accepted delivery without a receipt, without a row or with a wrong end is lost', () => {
  expect(verdict({ receipts: [] })).toMatchObject({ lost: 1, delivered: 0 });
  expect(verdict({ moves: [] })).toMatchObject({ lost: 1 });
  expect(verdict({ moves: moves(...begun) })).toMatchObject({ lost: 1 });
  expect(verdict({ sent: [{ ...event, endpoints: ['e1', 'e2'] }] })).toMatchObject({
    expected: 2,
    delivered: 1,
    lost: 1,
  });
});

test('another end may be expected for an endpoint: `failed` needs no receipt, `any` needs an end, `lapsed` no delivery', () => {
  const ended = moves(['pending', 1_000, 1_000], ['failed', 1_500, null]);
  expect(verdict({ receipts: [], moves: ended, endsAs: () => 'failed' })).toMatchObject({ lost: 0 });
  expect(verdict({ receipts: [], moves: ended, endsAs: () => 'any' })).toMatchObject({ lost: 0 });
  expect(verdict({ receipts: [], moves: ended, endsAs: () => 'dead_letter' })).toMatchObject({ lost: 1 });
  for (const end of ['any', 'lapsed'])
    expect(verdict({ moves: moves(...begun), endsAs: () => end })).toMatchObject({ lost: 1 });
  expect(verdict({ receipts: [], moves: [], endsAs: () => 'any' })).toMatchObject({ lost: 1 });
  expect(verdict({ receipts: [], moves: [], endsAs: () => 'lapsed' })).toMatchObject({ lost: 0 });
});

test('a receipt of an event that was not accepted, or at an endpoint that does not match, is unexpected', () => {
  expect(verdict({ sent: [] })).toMatchObject({ unexpected: 2 });
  expect(verdict({ sent: [{ ...event, endpoints: [] }] })).toMatchObject({ unexpected: 2 });
});

test('an event that was sent without an answer may arrive; an event that was ingested twice may not', () => {
  const { eventId: _none, ...unanswered } = event;
  expect(verdict({ sent: [unanswered] })).toMatchObject({ accepted: 0, unexpected: 0, lost: 0 });
  const again = { ...succeeded, eventId: 'msg_2' };
  expect(verdict({ receipts: [failed, succeeded, again] })).toMatchObject({ unexpected: 1 });
});

test('a receipt with other bytes is corrupt', () => {
  expect(verdict({ receipts: [failed, { ...succeeded, hash: 'h2' }] })).toMatchObject({ corrupt: 1, lost: 0 });
});

test('a second receipt of an attempt, or one after a recorded success, is a duplicate and counts once', () => {
  expect(verdict({ receipts: [failed, receipt(1, 1_300), succeeded] })).toMatchObject({ duplicates: 1 });
  expect(verdict({ receipts: [failed, succeeded, receipt(3, 3_000)] })).toMatchObject({ duplicates: 1 });
  expect(verdict({ receipts: [failed, succeeded, receipt(2, 3_000)] })).toMatchObject({ duplicates: 1 });
});

test('a step that is not in the table of transitions is illegal', () => {
  expect(
    verdict({ moves: [...whole, ...moves(['delivered', 3_000, null], ['pending', 3_100, null]).slice(1)] }),
  ).toMatchObject({
    illegal: 1,
  });
});

test('a delivery may be claimed at its creation, and has an expired lease if its process died', () => {
  const attempted = moves(
    ['delivering', 1_050, 1_000],
    ['scheduled_retry', 1_150, 2_150],
    ['delivering', 2_190, 2_150],
    ['delivered', 2_210, null],
  );
  expect(verdict({ moves: attempted })).toMatchObject({ ...flawless, retryLateMs: 50, expiredLeaseLateMs: 0 });
  const expired = moves(['delivering', 1_050, 1_000], ['delivering', 9_050, 1_000], ['delivered', 9_210, null]);
  expect(verdict({ receipts: [receipt(1, 9_100)], moves: expired })).toMatchObject({
    ...flawless,
    delivered: 1,
    expiredLeaseLateMs: 8_050,
  });
});

test('a retry that arrives before its time is early', () => {
  const late = moves(
    ...begun.slice(0, 2),
    ['scheduled_retry', 1_150, 3_000],
    ['delivering', 2_190, 3_000],
    ['delivered', 2_210, null],
  );
  expect(verdict({ moves: late })).toMatchObject({
    early: 1,
    examples: [expect.stringContaining('early: msg_1 e1: attempt 2')],
  });
});

test('lateness counts from the due time, or from the end of the outage over it', () => {
  const receipts = [failed, receipt(2, 9_200)];
  const late = moves(...begun, ['delivering', 9_190, 2_150], ['delivered', 9_210, null]);
  expect(verdict({ receipts, moves: late })).toMatchObject({ retryLateMs: 7_050 });
  expect(verdict({ receipts, moves: late, outages: [{ fromMs: 2_000, toMs: 9_000 }] })).toMatchObject({
    retryLateMs: 200,
  });
  expect(verdict({ receipts, moves: late, outages: [{ fromMs: 0, toMs: 500 }] })).toMatchObject({ retryLateMs: 7_050 });
});

test('a lease that expires twice, because the next process died before it sent anything, counts for each death', () => {
  const twice = moves(
    ...begun,
    ['delivering', 2_190, 2_150],
    ['delivering', 6_190, 2_150],
    ['delivering', 9_190, 2_150],
    ['delivered', 9_210, null],
  );
  expect(verdict({ receipts: [failed, receipt(2, 9_200)], moves: twice })).toMatchObject({ expiredLeaseLateMs: 4_000 });
});

test('a delivery whose process died has an expired lease, and its lateness counts from the lost claim', () => {
  const expired = moves(
    ...begun,
    ['delivering', 2_190, 2_150],
    ['delivering', 9_190, 2_150],
    ['delivered', 9_210, null],
  );
  expect(verdict({ receipts: [failed, receipt(2, 9_200)], moves: expired })).toMatchObject({
    retryLateMs: 0,
    expiredLeaseLateMs: 7_010,
  });
});
