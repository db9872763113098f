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

const HARD = `q"u'o/t<e>&plus+ä \\(x)!`;

test.each<[string, string]>([
  ['JSON of Python', String.raw`q\"u'o/t<e>&plus+\u00e4 \\(x)!`],
  ['JSON of PHP', String.raw`q\"u'o\/t<e>&plus+\u00e4 \\(x)!`],
  ['JSON of PHP with letters', String.raw`q\"u'o\/t<e>&plus+ä \\(x)!`],
  ['JSON of Go', String.raw`q\"u'o/t\u003ce\u003e\u0026plus+ä \\(x)!`],
  ['JSON of .NET', String.raw`q\u0022u\u0027o/t\u003Ce\u003E\u0026plus\u002B\u00E4 \\(x)!`],
  ['a URL of Python', 'q%22u%27o/t%3Ce%3E%26plus%2B%C3%A4%20%5C%28x%29%21'],
  ['a URL of PHP', 'q%22u%27o%2Ft%3Ce%3E%26plus%2B%C3%A4%20%5C%28x%29%21'],
  ['a form with small digits', 'q%22u%27o%2ft%3ce%3e%26plus%2b%c3%a4+%5c%28x%29%21'],
  ['HTML of Go', String.raw`q&#34;u&#39;o/t&lt;e&gt;&amp;plus+ä \(x)!`],
  ['HTML of Python', String.raw`q&quot;u&#x27;o/t&lt;e&gt;&amp;plus+ä \(x)!`],
  ['HTML of PHP', String.raw`q&quot;u&#039;o/t&lt;e&gt;&amp;plus+ä \(x)!`],
])('a secret of any characters is replaced in %s', (_how, echoed) => {
  const sent = { ...request, headers: { ...request.headers, 'x-tenant': HARD } };
  const answer = { headers: {}, body: Buffer.from(`before ${echoed} after`), truncated: false };
  expect(redactResponse(sent, answer).body.toString()).toBe('before [redacted] after');
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
