import { expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createFilterBudget } from './filter-budget.ts';
import type { WaitingEvent } from './plan.ts';

function eventOf(workspaceId: string): WaitingEvent {
  const group = { workspaceId, environmentId: '', eventType: '', applicationId: null };
  return { eventId: newUuid(new Date()), group };
}

test('the filters of a workspace take a quarter of a second in a batch; its other events go to a later batch', () => {
  const budget = createFilterBudget();
  const [first, second, third, other] = [eventOf('a'), eventOf('a'), eventOf('a'), eventOf('b')];
  budget.spend(first, 200);
  expect(budget.isSkipped(second)).toBe(false);
  budget.spend(second, 100);
  budget.spend(other, 1);
  // A wide event asks again for its next page, and each event after a change of its routing.
  expect([first, second, third, other].map((event) => budget.isSkipped(event))).toEqual([false, false, true, false]);
  expect([[...budget.later.keys()], budget.slow.size]).toEqual([[third.eventId], 0]);
});

test('the time of an isolated event has no limit, also where earlier events of its key are fanned out first', () => {
  const budget = createFilterBudget(async () => {});
  budget.spend(eventOf('a'), 10_000);
  expect(budget.isSkipped(eventOf('a'))).toBe(false);
});
