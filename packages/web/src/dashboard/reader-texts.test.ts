import { expect, test } from '@jest/globals';
import { DASHBOARD_TEXTS } from './reader-texts.ts';

const { errors, statuses, reasons, testReasons, payloads } = DASHBOARD_TEXTS;

test('each reason has a next step', () => {
  const step = /\bretry\b|\brecover\b|\bask\b|nothing more is sent/i;
  expect(Object.entries(reasons).filter(([, words]) => !step.test(words))).toEqual([]);
});

test('what a lost key makes unreadable names the setting that brings it back', () => {
  for (const words of [
    reasons.invalid_request,
    testReasons.invalid_request,
    reasons.payload_unreadable,
    payloads.unavailable,
  ]) {
    expect(words).toMatch(/SEALING_KEYS/);
  }
});

test('a limit is named by its place in the dashboard', () => {
  for (const words of [errors.timeout, statuses[429]]) expect(words).toMatch(/under Advanced → Limits/);
  expect(statuses[401]).toMatch(/Compare the secret first.*under Security/);
});

test('a refused address or port is told with both', () => {
  for (const words of [errors.blocked_address, reasons.blocked_address]) {
    expect(words).toMatch(/public address and an allowed port/);
  }
});

test('a test has a next step other than a retry, and names all that may be unreadable', () => {
  for (const words of Object.values(testReasons)) {
    expect(words).toMatch(/send another test/i);
    expect(words).not.toMatch(/\bretry\b/i);
  }
  expect(testReasons.invalid_request).toMatch(/the secret, the password or a secret header/i);
});
