import { expect, test } from '@jest/globals';
import { DASHBOARD_TEXTS } from './reader-texts.ts';

const { errors, statuses, reasons, payloads } = DASHBOARD_TEXTS;

test('each reason has a next step', () => {
  const step = /\bretry\b|\brecover\b|\bask\b|nothing more is sent/i;
  expect(Object.entries(reasons).filter(([, words]) => !step.test(words))).toEqual([]);
});

test('what a lost key makes unreadable names the setting that brings it back', () => {
  for (const words of [reasons.invalid_request, reasons.payload_unreadable, payloads.unavailable]) {
    expect(words).toMatch(/SEALING_KEYS/);
  }
});

test('a limit is named by its place in the dashboard', () => {
  for (const words of [errors.timeout, statuses[429]]) expect(words).toMatch(/under Advanced → Limits/);
  expect(statuses[401]).toMatch(/Compare the secret first.*under Security/);
});
