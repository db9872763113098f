import { expect, test } from '@jest/globals';
import { PORTAL_TEXTS } from './reader-texts.ts';

const { errors, statuses, reasons, payloads } = PORTAL_TEXTS;

test('what is advised is done in the portal, or by the sender', () => {
  const words = [errors, statuses, reasons, payloads].flatMap((texts) => Object.values(texts));
  const others = /operator|producer|dispatcher|workspace|username|Advanced|Security|role|plan\b/i;
  expect(words.filter((text) => others.test(text))).toEqual([]);
});

test('each reason has a next step', () => {
  const step = /\bretry\b|\brecover\b|\bask\b|nothing more is sent/i;
  expect(Object.entries(reasons).filter(([, words]) => !step.test(words))).toEqual([]);
});

test('what only the sender can mend is for the sender', () => {
  for (const words of [reasons.invalid_request, reasons.payload_unreadable, reasons.quarantined, errors.internal]) {
    expect(words).toMatch(/tell the sender/i);
  }
});
