import { expect, test } from '@jest/globals';
import pc from 'picocolors';
import { describePlan } from './show-plan.ts';

const BEFORE = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, note: { type: 'string' } } };

function planOf(to: object): string {
  const fields = [{ field: 'schema', from: BEFORE, to }];
  const change = { action: 'update', kind: 'eventType', key: 'order.placed', environment: null, fields };
  const counts = { create: 0, update: 1, remove: 0, none: 0 };
  return describePlan({ changes: [change], counts, applied: false }, pc.createColors(false));
}

test('a plan shows where a schema differs, and calls it breaking where receivers may stumble', () => {
  const to = { ...BEFORE, properties: { id: { type: 'number' }, note: { type: 'string' }, more: {} } };
  expect(planOf(to)).toContain(`~ event type order.placed
    schema: breaking
      ! order.placed /id: may now be a number; was a string
      ~ /properties/id/type: "string" → "number"
      + /properties/more: {}
`);
});

test('a plan says so where a changed schema breaks no receiver', () => {
  const to = { ...BEFORE, properties: { ...BEFORE.properties, more: { type: 'string' } } };
  expect(planOf(to)).toContain(`    schema: no change that breaks receivers
      + /properties/more: {"type":"string"}
`);
});
