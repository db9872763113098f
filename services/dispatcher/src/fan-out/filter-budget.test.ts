import { expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createFilterBudget } from './filter-budget.ts';
import type { WaitingEvent } from './plan.ts';

/** Workspaces `a 1` and `a 2` belong to owner `a`. */
const ownerOf = (workspaceId: string) => workspaceId.split(' ')[0] ?? '';

function eventOf(workspaceId: string): WaitingEvent {
  const group = { workspaceId, environmentId: '', eventType: '', applicationId: null };
  return { eventId: newUuid(new Date()), group };
}

test('the filters of an owner take a quarter of a second in a batch; the other events of its workspaces go to a later one', () => {
  const budget = createFilterBudget(ownerOf);
  const [first, second, third, other] = [eventOf('a 1'), eventOf('a 1'), eventOf('a 2'), eventOf('b')];
  budget.spend(first, 200);
  expect(budget.isSkipped(second)).toBe(false);
  budget.spend(second, 100);
  budget.spend(other, 1);
  // A wide event asks again for its next page, and each event asks again after a change of its routing.
  expect([first, second, third, other].map((event) => budget.isSkipped(event))).toEqual([false, false, true, false]);
  expect([[...budget.later.keys()], budget.slow.size]).toEqual([[third.eventId], 0]);
});

test('the time of an isolated event has no limit, also where earlier events of its key are fanned out first', () => {
  const budget = createFilterBudget(ownerOf, async () => {});
  budget.spend(eventOf('a'), 10_000);
  expect(budget.isSkipped(eventOf('a'))).toBe(false);
});
