import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { texts as german } from '../language/catalogues/de.ts';
import { speak } from '../language/language.ts';
import { apiErrorOf, fieldProblem, problemsBeyond } from './api-error.ts';
import { errorWords } from './refusal-words.ts';

const DOCUMENT = new URL('../../../../docs/openapi.json', import.meta.url);
const CODES: readonly string[] = JSON.parse(readFileSync(DOCUMENT, 'utf8')).components.schemas.ErrorCode.enum;

const refusal = (code: string, details?: readonly { field: string; message: string; rule?: string }[]) => ({
  error: { code, message: details?.[0]?.message ?? 'an English message', details },
});

const errorOf = (body: unknown) => apiErrorOf({ status: 400, headers: new Headers() }, body);

// The portal loads these modules before it knows the language.
beforeEach(() => speak('de', german));
afterEach(() => speak('en', {}));

test('the problems of a URL are told by their rules in the language of the page', () => {
  const https = { field: 'url', message: 'Webhook URL must use HTTPS', rule: 'https' };
  const own = { field: 'config.x', message: 'config.x must be odd' };
  const error = errorOf(refusal('validation_error', [https, own]));
  expect(fieldProblem(error, 'url')).toBe('Die Adresse muss mit https:// beginnen.');
  expect(problemsBeyond(error, ['url'])).toEqual(['Nicht angenommen: config.x must be odd']);
  const broken = errorOf(
    refusal('validation_error', [{ field: 'url', message: 'url must be a valid URL', rule: 'url' }]),
  );
  expect(fieldProblem(broken, 'url')).toMatch(/^Das ist keine vollständige Adresse/);
});

test('an error is told by its code in the language of the page, and by its own message in English', () => {
  expect(errorWords(errorOf(refusal('rate_limited')))).toMatch(/^Das war zu oft/);
  speak('en', {});
  expect(errorWords(errorOf(refusal('rate_limited')))).toBe('an English message');
});

/** Codes that only other callers can get: people of the workspace, producers, consumers. */
const NOT_IN_PORTALS: readonly string[] = [
  ...([
    'token_disabled',
    'second_factor_required',
    'slug_taken',
    'event_type_exists',
    'environment_limit_reached',
  ] as const),
  ...([
    'last_owner',
    'member_exists',
    'default_environment',
    'event_type_in_use',
    'agents_subscribed',
    'idempotency_conflict',
  ] as const),
  ...(['schema_violation', 'unsupported_media_type', 'method_not_allowed', 'invalid_cursor'] as const),
];

test('every code that a portal session can get has words', () => {
  const silent = CODES.filter((code) => errorWords(errorOf(refusal(code))) === 'an English message');
  expect(silent.sort()).toEqual([...NOT_IN_PORTALS, 'validation_error'].sort());
});
