import { expect, test } from '@jest/globals';
import { createOutage } from './outage.ts';

function outageAt() {
  let nowMs = 0;
  const outage = createOutage({ now: () => new Date(nowMs), monotonicMs: () => nowMs });
  const answerAt = (ms: number) => {
    nowMs = ms;
    outage.answered();
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { outage, answerAt, pass };
}

const NONE = { endedBy: null };

test('for a second after Postgres answered again, no lease is taken over', () => {
  const { outage, answerAt, pass } = outageAt();
  answerAt(0);
  answerAt(5_000);
  expect(outage.takeOver()).toEqual({ ...NONE, againInMs: 1_000 });
  pass(400);
  answerAt(5_400);
  expect(outage.takeOver()).toEqual({ ...NONE, againInMs: 600 });
  answerAt(6_000);
  expect(outage.takeOver()).toEqual({ endedBy: new Date(6_500), againInMs: 0 });
});

test('the first answer and answers within a second are no outage', () => {
  const { outage, answerAt } = outageAt();
  answerAt(60_000);
  answerAt(61_000);
  expect(outage.takeOver()).toMatchObject({ endedBy: expect.any(Date) });
});

test('while results of this process are kept, no lease is taken over', () => {
  const { outage } = outageAt();
  const [first, second] = [outage.keepResults(), outage.keepResults()];
  first();
  expect(outage.takeOver()).toMatchObject(NONE);
  second();
  expect(outage.takeOver()).toMatchObject({ endedBy: expect.any(Date) });
});

test('an absence of 10 s or longer is counted', () => {
  const { outage, answerAt } = outageAt();
  answerAt(60_000);
  answerAt(69_000);
  expect(outage.absences()).toBe(0);
  answerAt(79_000);
  answerAt(120_000);
  expect(outage.absences()).toBe(2);
});
