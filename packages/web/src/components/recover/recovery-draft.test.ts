import { expect, test } from '@jest/globals';
import { FIRST_DRAFT, type RecoveryDraft, recoveryBody } from './recovery-draft.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');

test('a range that ends now has both ends, so that the recovery takes what the dry run counted', () => {
  expect(recoveryBody({ ...FIRST_DRAFT, range: '1h' }, NOW)).toEqual({
    since: '2026-11-21T08:30:00.000Z',
    until: '2026-11-21T09:30:00.000Z',
    mode: 'failed',
  });
});

test('a range of its own is read as UTC', () => {
  const draft = { ...FIRST_DRAFT, range: 'own', from: '2026-11-20T08:00', to: '2026-11-20T09:00' } as const;
  expect(recoveryBody(draft, NOW)).toMatchObject({
    since: '2026-11-20T08:00:00.000Z',
    until: '2026-11-20T09:00:00.000Z',
  });
});

test('a range of its own without a start, or with an end before its start, is no request', () => {
  expect(recoveryBody({ ...FIRST_DRAFT, range: 'own' }, NOW)).toBeUndefined();
  const draft = { ...FIRST_DRAFT, range: 'own', from: '2026-11-20T08:00', to: '2026-11-20T07:00' } as const;
  expect(recoveryBody(draft, NOW)).toBeUndefined();
});

test('the classes of answers are left out for missed events, which have none', () => {
  const draft: RecoveryDraft = { ...FIRST_DRAFT, statusClass: ['5xx'] };
  expect(recoveryBody(draft, NOW)).toMatchObject({ statusClass: ['5xx'] });
  expect(recoveryBody({ ...draft, mode: 'missed' }, NOW)).not.toHaveProperty('statusClass');
});
