import { expect, test } from '@jest/globals';
import { type Behaviour, createReaction } from './behaviours.ts';
import { CUSTOMERS, ENDPOINTS, EVENT_TYPES, makeEvent } from './contents.ts';

const statuses = (behaviour: Behaviour, randoms: number[], everyMs = 0) => {
  const react = createReaction(behaviour);
  return randoms.map((random, index) => {
    const { answer } = react(index * everyMs, () => random);
    return answer === 'disconnect' ? answer : answer.status;
  });
};

test('each kind of health answers as it is described', () => {
  expect(statuses('fine', [0, 0.9])).toEqual([204, 204]);
  expect(statuses('flaky', [0.1, 0.3])).toEqual([503, 200]);
  expect(statuses('failing', [0.5])).toEqual([500]);
  expect(statuses('gone', [0.5])).toEqual([410]);
  expect(statuses('dead', [0.5])).toEqual(['disconnect']);
  expect(createReaction('slow')(0, () => 0).afterMs).toBeGreaterThan(1_000);
});

test('a limited endpoint takes one request in 4 s and names the time to the next', () => {
  expect(statuses('limited', [0, 0, 0, 0, 0], 1_500)).toEqual([200, 429, 429, 200, 429]);
  const react = createReaction('limited');
  react(0, () => 0);
  expect(react(1_000, () => 0).answer).toEqual({ status: 429, headers: { 'retry-after': '3' } });
});

test('the contents fit together: 3 customers, 6 event types, 8 endpoints of every health', () => {
  expect([CUSTOMERS.length, EVENT_TYPES.length, ENDPOINTS.length]).toEqual([3, 6, 8]);
  const behaviours: Behaviour[] = ['dead', 'failing', 'fine', 'flaky', 'gone', 'limited', 'slow'];
  expect([...new Set(ENDPOINTS.map(({ behaviour }) => behaviour))].sort()).toEqual(behaviours);
  const names = EVENT_TYPES.map(({ name }) => name);
  const customers = [undefined, ...CUSTOMERS.map(({ externalId }) => externalId)];
  for (const { eventTypes, customer } of ENDPOINTS) {
    expect(names).toEqual(expect.arrayContaining([...eventTypes]));
    expect(customers).toContain(customer);
  }
  expect(names).toContain(makeEvent(1, () => 0.999).eventType);
});
