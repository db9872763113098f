import { expect, test } from '@jest/globals';
import { moreAdvice } from './more-advice.ts';

test.each([
  [
    'http',
    'No usable answer: No complete answer within 15 s',
    'The timeout of an endpoint is at most 30 s.',
    /Advanced/,
  ],
  ['http', 'A signed request was answered with status 429', 'Give the endpoint a rate limit.', /Advanced/],
  ['dns', 'a.test resolves to 10.0.0.1 (forbidden)', 'Use public addresses.', /EGRESS_ALLOW_CIDRS/],
  [
    'certificate',
    'The certificate is of a private authority, which is not trusted',
    'Use a certificate of a public authority, or give the endpoint the certificate of the private one.',
    /NODE_EXTRA_CA_CERTS/,
  ],
] as const)('the check %s (%s) leads to the setting', (name, detail, advice, setting) => {
  expect(moreAdvice({ name, detail, advice })).toMatch(setting);
});

test('no setting is named where none helps, or where the check passed', () => {
  expect(
    moreAdvice({ name: 'dns', detail: 'a.test could not be resolved (ENOTFOUND)', advice: 'Check it.' }),
  ).toBeNull();
  expect(moreAdvice({ name: 'http', detail: 'The timeout was not reached', advice: null })).toBeNull();
});
