import { afterEach, expect, test } from '@jest/globals';
import { loadLanguage, speak } from '../../language/language.ts';
import { type AlertErrorCode, lastErrorWords } from './alert-words.ts';

const CODES: Record<AlertErrorCode, number | null> = {
  timeout: null,
  dns_failure: null,
  connection_refused: null,
  connection_reset: null,
  tls_error: null,
  blocked_address: null,
  http_status: 503,
  too_large: null,
  protocol_error: null,
  proxy_error: null,
  internal: null,
  sender_stopped: null,
  target_unreadable: null,
  not_a_member: null,
  too_many_mails: null,
};
const rules = Object.entries(CODES).map(([code, lastErrorStatus]) => ({
  lastError: 'The text of the service',
  lastErrorCode: code as AlertErrorCode,
  lastErrorStatus,
}));

afterEach(() => speak('en', {}));

test.each([
  ['de', /\b(Ziel|Ziels|Adresse)\b/, 'Das Ziel hat mit 503 geantwortet'],
  ['fr', /\b(cible|adresse)\b/, 'La cible a répondu 503'],
])('why an alert was not sent is told in the language of the page: %s', async (name, words, answered) => {
  await loadLanguage(name);
  const told = rules.map(lastErrorWords);
  expect(told.filter((text) => text === null || !words.test(text))).toEqual([]);
  expect(new Set(told).size).toBe(rules.length);
  expect(told).toContain(answered);
});

test('an error without a code, or with one that the page does not know, is told as the service says it', async () => {
  await loadLanguage('de');
  const lastError = 'The text of the service';
  const unknown = 'of_a_later_version' as AlertErrorCode;
  for (const lastErrorCode of [null, unknown])
    expect(lastErrorWords({ lastError, lastErrorCode, lastErrorStatus: null })).toBe(lastError);
  expect(lastErrorWords({ lastError: null, lastErrorCode: null, lastErrorStatus: null })).toBeNull();
});

test('in English an error is told as the service says it, because that says more', () => {
  expect(new Set(rules.map(lastErrorWords))).toEqual(new Set(['The text of the service']));
});
