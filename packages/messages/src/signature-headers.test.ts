import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { endpointConfig } from '@posthorn/contract/endpoint-config';
import type { Signature } from '@posthorn/contract/signature';
import { type LiveSecret, signatureHeaders } from './signature-headers.ts';

// e2e/clients/signatures.test.ts verifies real requests with the providers' own libraries. These tests use the vectors
// in the providers' documents, and cover the time in which two secrets are live.

const liveSecret = (text: string): LiveSecret => ({
  key: Buffer.from(text),
  text: Buffer.from(text),
  privateKey: null,
});

function sign(signature: Signature, given: { body?: string; secrets?: string[]; t?: number; contentType?: null } = {}) {
  const { body = 'the body', secrets = ['a plain secret'], t = 1_700_000_000 } = given;
  const contentType = given.contentType === null ? null : 'application/json';
  return signatureHeaders(
    {
      ...{ id: 'msg_1', timestampSeconds: t, contentType, body: Buffer.from(body) },
      secrets: secrets.map(liveSecret),
    },
    { signature, standardHeaders: false },
  );
}

const hex = (secret: string, content: string) => createHmac('sha256', secret).update(content).digest('hex');

describe('published vectors', () => {
  test('GitHub, "Validating webhook deliveries": Hello, World!', () => {
    expect(sign('github', { body: 'Hello, World!', secrets: ["It's a Secret to Everybody"] })).toEqual({
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    });
  });

  test('Slack, "Verifying requests from Slack"', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    expect(sign('slack', { body, secrets: ['8f742231b10e8888abcd99yyyzzz85a5'], t: 1_531_420_618 })).toEqual({
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    });
  });

  test('Hook0, tests of its client: hello !', () => {
    const { 'x-hook0-signature': header } = sign('hook0', { body: 'hello !', secrets: ['secret'], t: 1_636_936_200 });
    expect(header).toContain('t=1636936200,v0=1b3d69df55f1e52f05224ba94a5162abeb17ef52cd7f4948c390f810d6a87e98');
  });
});

describe('while two secrets are live', () => {
  const secrets = ['the newest one', 'the older one'];
  const [newest, older] = secrets as [string, string];

  test.each(['github', 'shopify', 'slack', 'convoy', 'hook0'] as const)(
    '%s has the signature of the newest secret alone, because its receivers read one',
    (preset) => expect(sign(preset, { secrets })).toEqual(sign(preset, { secrets: [newest] })),
  );

  test('stripe, convoy-advanced and outpost have one signature for each secret', () => {
    const t = 1_700_000_000;
    const each = (content: string) => secrets.map((secret) => hex(secret, content));
    expect(sign('stripe', { secrets })).toEqual({
      'stripe-signature': `t=${t},v1=${each(`${t}.the body`).join(',v1=')}`,
    });
    expect(sign('convoy-advanced', { secrets })).toEqual({
      'x-convoy-signature': `t=${t},v1=${each(`${t},the body`).join(',v1=')}`,
    });
    expect(sign('outpost', { secrets })).toEqual({ 'x-outpost-signature': `v0=${each('the body').join(',')}` });
  });

  test('a form of your own repeats its part with the signature, if it has several', () => {
    const own = { scheme: 'hmac', header: 'X-Signature', content: 'timestamp.body' } as const;
    const [a, b] = [hex(newest, '1700000000.the body'), hex(older, '1700000000.the body')];
    expect(sign({ ...own, form: 't={timestamp},v1={signature}' }, { secrets })).toEqual({
      'x-signature': `t=1700000000,v1=${a},v1=${b}`,
    });
    expect(sign({ ...own, timestampHeader: 'X-Time' }, { secrets })).toEqual({
      'x-signature': a,
      'x-time': '1700000000',
    });
  });
});

test('an HMAC of your own has its algorithm, encoding, content, form and headers', () => {
  const own = { scheme: 'hmac', header: 'X-Sig', algorithm: 'sha512', encoding: 'base64', idHeader: 'X-Id' } as const;
  const signed = sign({ ...own, content: 'id.timestamp.body', form: 'hmac {signature}', timestampHeader: 'X-Time' });
  const expected = createHmac('sha512', 'a plain secret').update('msg_1.1700000000.the body').digest('base64');
  expect(signed).toEqual({ 'x-sig': `hmac ${expected}`, 'x-id': 'msg_1', 'x-time': '1700000000' });
});

test('the standard headers are sent beside those of a preset, unless the endpoint leaves them out', () => {
  const message = { id: 'msg_1', timestampSeconds: 1, contentType: null, body: Buffer.from('x') };
  const secrets = [liveSecret('a plain secret')];
  const names = (standardHeaders: boolean) =>
    Object.keys(signatureHeaders({ ...message, secrets }, { signature: 'github', standardHeaders }));
  expect(names(true)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-hub-signature-256']);
  expect(names(false)).toEqual(['x-hub-signature-256']);
});

const own = { scheme: 'hmac', header: 'X-Signature' };

test.each([
  ['an unknown name', { signature: 'twilio' }, 'signature'],
  ['no scheme', { signature: { header: 'X-Signature' } }, 'signature'],
  ['no header', { signature: { scheme: 'hmac' } }, 'signature'],
  ['an unknown algorithm', { signature: { ...own, algorithm: 'md5' } }, 'signature'],
  ['a form without a signature', { signature: { ...own, form: 't={timestamp}' } }, 'signature.form'],
  ['a form with two signatures', { signature: { ...own, form: '{signature}{signature}' } }, 'signature.form'],
  ['an unknown placeholder', { signature: { ...own, form: '{signature}{body}' } }, 'signature.form'],
  ['a stray brace', { signature: { ...own, form: '{signature}}' } }, 'signature.form'],
  ['a line feed in the form', { signature: { ...own, form: '{signature}\n' } }, 'signature.form'],
  ['a header of HTTP', { signature: { ...own, header: 'Content-Length' } }, 'signature.header'],
  ['the header of the credentials', { signature: { ...own, header: 'Authorization' } }, 'signature.header'],
  ['a standard header', { signature: { ...own, header: 'webhook-signature' } }, 'signature.header'],
  ['a header twice', { signature: { ...own, idHeader: 'x-signature' } }, 'signature'],
  ['a header of the config', { signature: own, headers: { 'x-signature': 'a' } }, 'signature.header'],
  ['no standard headers with a standard signature', { standardHeaders: false }, 'standardHeaders'],
  [
    'a signed time that is not sent',
    { signature: { ...own, content: 'timestamp.body' }, standardHeaders: false },
    'signature.timestampHeader',
  ],
  [
    'a signed id that is not sent',
    { signature: { ...own, content: 'id.timestamp.body', timestampHeader: 'X-T' }, standardHeaders: false },
    'signature.idHeader',
  ],
])('refused, with the field: %s', (_what, config, field) => {
  const parsed = endpointConfig.safeParse(config);
  expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toContain(field);
});
