import { expect, test } from '@jest/globals';
import { PORTAL_TEXTS } from './reader-texts.ts';

const { errors, statuses, reasons, testReasons, payloads } = PORTAL_TEXTS;

test('what is advised is done in the portal, or by the sender', () => {
  const words = [errors, statuses, reasons, testReasons, payloads].flatMap((texts) => Object.values(texts));
  const others = /operator|producer|dispatcher|workspace|username|Advanced|Security|role|plan\b/i;
  expect(words.filter((text) => others.test(text))).toEqual([]);
});

test('each reason has a next step', () => {
  const step = /\bretry\b|\brecover\b|\bask\b|nothing more is sent/i;
  expect(Object.entries(reasons).filter(([, words]) => !step.test(words))).toEqual([]);
});

test('what only the sender can fix is for the sender', () => {
  for (const words of [
    reasons.invalid_request,
    testReasons.invalid_request,
    reasons.payload_unreadable,
    reasons.quarantined,
    errors.internal,
    errors.proxy_error,
  ]) {
    expect(words).toMatch(/tell the sender/i);
  }
});

test('advice to change the endpoint also names the sender, because a session may have no right to change it', () => {
  const words = [errors, statuses, reasons, testReasons].flatMap((texts) => Object.values(texts));
  const changes = words.filter((text) => /\bactivate\b|under Settings/i.test(text));
  expect(changes).toHaveLength(5);
  expect(changes.filter((text) => !/ask the sender to/.test(text))).toEqual([]);
});

test('a refused address or port is told with both', () => {
  for (const words of [errors.blocked_address, reasons.blocked_address]) {
    expect(words).toMatch(/public address and an allowed port/);
  }
});

test('a test has a next step other than a retry', () => {
  for (const words of Object.values(testReasons)) {
    expect(words).toMatch(/send another test/i);
    expect(words).not.toMatch(/\bretry\b/i);
  }
});
