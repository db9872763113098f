import { expect, test } from '@jest/globals';
import { redactResponse } from './redact-response.ts';

const PASSWORD = 'pässwort "7"/?';
const request = {
  headers: {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`,
    'x-tenant': 'hidden-tenant',
  },
  secretHeaders: new Set(['x-tenant']),
  signatureHeaders: new Set<string>(),
};

function redacted(body: string | Buffer, { headers = {}, truncated = false } = {}) {
  return redactResponse(request, { headers, body: Buffer.from(body), truncated });
}

test.each<[string, string]>([
  ['as it was sent', PASSWORD],
  ['in JSON', JSON.stringify({ password: PASSWORD })],
  ['in a URL', encodeURIComponent(PASSWORD)],
  ['as the header', JSON.stringify(request.headers)],
  ['in base64', Buffer.from(PASSWORD).toString('base64')],
  ...[1, 2, 3].map((n): [string, string] => [
    `within a base64 text, ${n} bytes in`,
    Buffer.from(`${'-'.repeat(n)}hidden-tenant${'+'.repeat(n)}`).toString('base64'),
  ]),
  ['in base64 for URLs', Buffer.from(`??${PASSWORD}`).toString('base64url')],
])('a secret that the receiver repeats %s is replaced', (_how, echoed) => {
  const { body } = redacted(`before ${echoed} after`);
  const text = body.toString();
  expect(text).toContain('[redacted]');
  for (const form of [
    PASSWORD,
    JSON.stringify(PASSWORD).slice(1, -1),
    'hidden-tenant',
    'pässwort',
    request.headers.authorization.slice(6),
  ]) {
    expect(text).not.toContain(form);
    expect(text).not.toContain(Buffer.from(form).toString('base64').slice(4, -4));
  }
  expect(text).toMatch(/^before .* after$/);
});

test('secrets in headers are replaced, and headers that were sent openly are not', () => {
  const headers = { 'x-echo': 'hidden-tenant', 'set-cookie': ['a=hidden-tenant', 'b'], 'x-type': 'application/json' };
  expect(redacted('', { headers }).headers).toEqual({
    'x-echo': '[redacted]',
    'set-cookie': ['a=[redacted]', 'b'],
    'x-type': 'application/json',
  });
});

test('a secret that is cut at the end of what is kept leaves nothing', () => {
  expect(redacted('you sent hidden-ten', { truncated: true }).body.toString()).toBe('you sent ');
  expect(redacted('you sent hidden-ten').body.toString()).toBe('you sent hidden-ten');
});

test('bytes that are not text stay as they are', () => {
  const bytes = Buffer.from([0, 255, 128, 10, 195]);
  expect(redacted(bytes).body).toEqual(bytes);
  const plain = {
    headers: { 'x-plain': 'value' },
    secretHeaders: new Set<string>(),
    signatureHeaders: new Set<string>(),
  };
  expect(redactResponse(plain, { headers: {}, body: bytes, truncated: true }).body).toEqual(bytes);
});
