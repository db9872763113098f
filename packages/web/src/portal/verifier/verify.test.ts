import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readRequest } from './read-request.ts';
import { type VerifierInput, verify } from './verify.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const SENT = 1_700_000_000;

function signed(body: string, part: Partial<VerifierInput> = {}): VerifierInput {
  const hmac = createHmac('sha256', Buffer.alloc(32, 7)).update(`msg_1.${SENT}.${body}`).digest('base64');
  const { headers } = readRequest(
    `POST /hooks HTTP/1.1\nWebhook-Id: msg_1\nWebhook-Timestamp: ${SENT}\nWebhook-Signature: v1,b3RoZXI= v1,${hmac}`,
  );
  return { headers, body, secret: SECRET, otherSecrets: new Map(), receivedAtMs: SENT * 1_000, ...part };
}

async function faults(input: VerifierInput): Promise<string[]> {
  const checks = await verify(input);
  return checks.filter(({ outcome }) => outcome === 'fail').map(({ name, said }) => `${name}: ${said}`);
}

test('a genuine request passes, even when pasting added a line break', async () => {
  expect(await faults(signed('{"a":"é"}'))).toEqual([]);
  expect(await faults(signed('{"a":1}', { body: '{"a":1}\n' }))).toEqual([]);
});

test.each<[string, Partial<VerifierInput>, string]>([
  ['an old timestamp', { receivedAtMs: (SENT + 301) * 1_000 }, 'Timestamp: Too old'],
  ['a clock that is behind', { receivedAtMs: (SENT - 301) * 1_000 }, 'Timestamp: Signed 301 s in the future'],
  ['a body in another layout', { body: '{\n  "a": [1, 2]\n}' }, 'Signature: The body was altered'],
  ['another body', { body: '{"a":2}' }, 'Signature: Wrong secret, or the body was altered'],
  ['a text that is no secret', { secret: 'hunter2' }, 'Secret: A secret is whsec_'],
  ['half a secret', { secret: SECRET.slice(0, -3) }, 'Secret: A secret is whsec_'],
  [
    'the secret of another endpoint',
    { secret: OTHER, otherSecrets: new Map([[SECRET, 'https://b.test']]) },
    'Signature: Wrong secret: the request was signed with the one of https://b.test',
  ],
])('%s is named as the fault, and nothing else', async (_, part, said) => {
  expect(await faults(signed('{"a":[1,2]}', part))).toEqual([expect.stringContaining(said)]);
});

test('the secret of an endpoint that signs as another service does may be any text', async () => {
  const secret = 'it is a s3cret!';
  const hmac = createHmac('sha256', secret).update(`msg_1.${SENT}.{}`).digest('base64');
  const input = signed('{}', { secret });
  const headers = new Map([...input.headers, ['webhook-signature', `v1,${hmac}`]]);
  expect(await faults({ ...input, headers })).toEqual([]);
  const otherSecrets = new Map([[secret, 'https://b.test']]);
  expect(await faults({ ...input, headers, secret: OTHER, otherSecrets })).toEqual([
    'Signature: Wrong secret: the request was signed with the one of https://b.test.',
  ]);
});

test('a missing header is named', async () => {
  const input = signed('{}');
  const headers = new Map([...input.headers].filter(([name]) => name !== 'webhook-id'));
  expect(await faults({ ...input, headers })).toEqual([expect.stringContaining('Headers: Missing: webhook-id.')]);
});

test('headers are read from lines, with the body behind them, and from JSON', () => {
  const request = readRequest('POST / HTTP/1.1\r\nHost: a.test:443\r\nWebhook-Id: msg_1\r\n\r\n{"a": 1}');
  expect([request.headers.get('webhook-id'), request.headers.get('host'), request.body]).toEqual([
    'msg_1',
    'a.test:443',
    '{"a": 1}',
  ]);
  expect(readRequest('{"Webhook-Id":"msg_2"}').headers.get('webhook-id')).toBe('msg_2');
});

describe('with a public key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'jwk' }).x ?? '';
  const KEY = `whpk_${Buffer.from(raw, 'base64url').toString('base64')}`;

  function signedForKey(body: string, part: Partial<VerifierInput> = {}): VerifierInput {
    const signature = sign(null, Buffer.from(`msg_1.${SENT}.${body}`), privateKey).toString('base64');
    const input = signed(body, { secret: KEY, ...part });
    return {
      ...input,
      headers: new Map([...input.headers, ['webhook-signature', `v1,b3RoZXI= v1a,bm8= v1a,${signature}`]]),
    };
  }

  test('a genuine request passes', async () => {
    expect(await faults(signedForKey('{"a":"é"}'))).toEqual([]);
  });

  test.each<[string, Partial<VerifierInput>, string]>([
    ['another body', { body: '{"a":2}' }, 'Signature: Wrong public key, or the body was altered'],
    ['a body in another layout', { body: '{\n  "a": 1\n}' }, 'Signature: The body was altered'],
    ['half a key', { secret: KEY.slice(0, 20) }, 'Public key: A public key is whpk_'],
  ])('%s is named as the fault', async (_, part, said) => {
    expect(await faults(signedForKey('{"a":1}', part))).toEqual([expect.stringContaining(said)]);
  });

  test('a request without a v1a signature says so', async () => {
    expect(await faults(signed('{}', { secret: KEY }))).toEqual([
      expect.stringContaining('no entry that begins with v1a'),
    ]);
  });
});
