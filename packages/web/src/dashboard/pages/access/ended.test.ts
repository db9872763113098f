import { expect, test } from '@jest/globals';
import { endedBy, endedLast, endOf } from './ended.ts';

const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const BEFORE = '2026-11-22T09:00:00.000Z';
const AFTER = '2026-11-22T11:00:00.000Z';

test('keys that expired or were rotated stand below those that work, each part in its order', () => {
  const forever = { name: 'forever', expiresAt: null, revokedAt: null };
  const expired = { name: 'expired', expiresAt: BEFORE, revokedAt: null };
  const rotated = { name: 'rotated', expiresAt: AFTER, revokedAt: BEFORE };
  const inGrace = { name: 'in its grace period', expiresAt: null, revokedAt: AFTER };
  const sorted = endedLast([expired, forever, rotated, inGrace], NOW);
  expect(sorted).toEqual([forever, inGrace, expired, rotated]);
  expect(sorted.map((key) => endedBy(key, NOW))).toEqual([null, null, 'expiry', 'rotation']);
});

test('a key ends when it expires or at the end of its grace period, whichever is earlier', () => {
  expect(endOf({ expiresAt: AFTER, revokedAt: BEFORE })).toBe(BEFORE);
  expect(endOf({ expiresAt: BEFORE, revokedAt: AFTER })).toBe(BEFORE);
  expect(endOf({ expiresAt: AFTER })).toBe(AFTER);
  expect(endOf({ expiresAt: null, revokedAt: null })).toBe(null);
});
