import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { parseFilter } from '@posthorn/filter/parse-filter';
import { createFilterBudget } from './filter-budget.ts';
import { applyFilters } from './filters.ts';
import type { WaitingEvent } from './plan.ts';

function eventOf(workspaceId: string): WaitingEvent {
  const group = { workspaceId, environmentId: '', eventType: '', applicationId: null };
  return { eventId: newUuid(new Date()), group };
}

test('the filters of a workspace take a quarter of a second in a batch; its other events go to a later batch', () => {
  const budget = createFilterBudget();
  const [first, second, third, other] = [eventOf('a'), eventOf('a'), eventOf('a'), eventOf('b')];
  budget.spend(first, 200);
  expect(budget.isLeft(second)).toBe(false);
  budget.spend(second, 100);
  // A wide event asks again for its next page.
  expect([second, third, other].map((event) => budget.isLeft(event))).toEqual([false, true, false]);
  expect([[...budget.later.keys()], budget.slow.size]).toEqual([[third.eventId], 0]);
});

test('the time of an isolated event has no limit, also where earlier events of its key are fanned out first', () => {
  const budget = createFilterBudget(async () => {});
  budget.spend(eventOf('a'), 10_000);
  expect(budget.isLeft(eventOf('a'))).toBe(false);
});

test('the pauses of an isolated event do not grow with the time in which its payload is read', async () => {
  const READ_MS = 300;
  const parsed = parseFilter({ a: 1 });
  if (parsed.kind !== 'filter') throw new Error('not a filter');
  const event = eventOf('a');
  const endpointId = randomUUID();
  const candidate = { ...event, endpointIds: [endpointId], filters: new Map([[endpointId, parsed.filter]]) };
  const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
  const payload = seal(keys, Buffer.from('{"a":1}'), sealContext.payload(event.eventId));
  const read = async () => {
    await setTimeout(READ_MS);
    return [{ id: event.eventId, content_type: 'application/json', payload }];
  };
  const heldMs = [0];
  const budget = { ...createFilterBudget(async () => {}), pause: async (ms: number) => void heldMs.push(ms) };
  const matched = await applyFilters({ db: { $queryRaw: read } as unknown as Db, keys }, [candidate], budget);
  expect(matched).toMatchObject([{ endpointIds: [endpointId] }]);
  expect(Math.max(...heldMs)).toBeLessThan(READ_MS);
});
