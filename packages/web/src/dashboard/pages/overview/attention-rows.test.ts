import { expect, test } from '@jest/globals';
import type { Endpoint } from '../../../client/resources.ts';
import type { EndpointTotals } from '../endpoints/endpoint-totals.ts';
import { attentionRows } from './attention-rows.ts';

const endpoint = (id: string, part: Partial<Endpoint> = {}) =>
  ({ id, isActive: true, health: 'healthy', disabledReason: null, ...part }) as Endpoint;

const deadLettered = (count: number) => ({ deadLettered: count }) as EndpointTotals;

test('the worst endpoints come first, and those that work or were deactivated by hand are left out', () => {
  const endpoints = [
    endpoint('healthy'),
    endpoint('degraded', { health: 'degraded' }),
    endpoint('gone', { isActive: false, disabledReason: 'gone' }),
    endpoint('by its answer', { isActive: false, disabledReason: 'receiver' }),
    endpoint('by hand', { isActive: false, disabledReason: 'manual', health: 'failing' }),
    endpoint('one letter'),
    endpoint('two letters'),
    endpoint('failing', { health: 'failing' }),
  ];
  const totals = new Map([
    ['one letter', deadLettered(1)],
    ['two letters', deadLettered(2)],
    ['healthy', deadLettered(0)],
  ]);
  const ids = attentionRows(endpoints, totals).map((row) => row.endpoint.id);
  expect(ids).toEqual(['failing', 'two letters', 'one letter', 'gone', 'by its answer', 'degraded']);
});

test('at most 8 are shown', () => {
  const endpoints = Array.from({ length: 20 }, (_, index) => endpoint(`${index}`, { health: 'failing' }));
  expect(attentionRows(endpoints, new Map())).toHaveLength(8);
});
