import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type CurlInput, signedCurl, whyNoCommand } from './signed-curl.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const input: CurlInput = {
  delivery: { id: 'dlv_1', eventId: 'msg_1', eventTypeName: 'order.created', idempotencyKey: "it's" },
  payload: { body: `@/etc/passwd '; $(id) \`id\`\n"é"`, encoding: 'utf8', contentType: 'text/plain' },
  endpoint: { url: "https://shop.example/a'b?c=[1]&d={x}", secret, authUsername: null },
  requestHeaders: undefined,
  timestamp: Math.floor(Date.now() / 1000),
};

/** The words into which a shell splits a command. A function in place of curl prints them and its input. */
function wordsOf(command: string): { args: string[]; stdin: Buffer } {
  const script = `curl() { printf '%s\\0' "$@"; printf '%s\\0' ---; cat; }; ${command}`;
  const out = execFileSync('sh', ['-c', script], { input: '' });
  const end = out.indexOf('\0---\0');
  return { args: out.subarray(0, end).toString().split('\0'), stdin: out.subarray(end + 5) };
}

function headersOf(args: string[]): Record<string, string> {
  const pairs = args.flatMap((arg, at) => (args[at - 1] === '-H' ? [arg.split(': ', 2)] : []));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

test('the official library verifies the signature over the exact body, whatever the body contains', async () => {
  const { args } = wordsOf(await signedCurl(input));
  const body = args[args.indexOf('--data-raw') + 1] ?? '';
  expect(body).toBe(input.payload.body);
  expect(args.slice(0, 4)).toEqual(['--globoff', '-X', 'POST', input.endpoint.url]);
  expect(headersOf(args)['idempotency-key']).toBe("it's");
  expect(() => new Webhook(secret).verify(Buffer.from(body), headersOf(args))).toThrow(/JSON/); // Verified, then parsed.
});

test('a body of bytes goes through base64 unchanged', async () => {
  const bytes = Buffer.from([0, 1, 254, 255]);
  const payload = {
    body: bytes.toString('base64'),
    encoding: 'base64',
    contentType: 'application/octet-stream',
  } as const;
  const { args, stdin } = wordsOf(await signedCurl({ ...input, payload }));
  expect(stdin.equals(bytes)).toBe(true);
  expect(args.at(-1)).toBe('@-');
});

test('the headers of the newest attempt are sent again, except credentials and the old signature', async () => {
  const requestHeaders = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-signature': 'v1,old',
    'webhook-timestamp': '1',
    authorization: '[redacted]',
    'x-api-key': '[redacted]',
    'x-shop': '7',
  };
  const { args } = wordsOf(await signedCurl({ ...input, requestHeaders }));
  expect(headersOf(args)).toEqual({
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'x-shop': '7',
    'webhook-timestamp': String(input.timestamp),
    'webhook-signature': expect.not.stringContaining('old'),
  });
});

test('the secret is not part of the command', async () => {
  expect(await signedCurl(input)).not.toContain(secret.slice(6));
});

const transformation = { language: 'javascript', code: 'function transform(event) { return { data: 1 } }' } as const;

test('no command is offered for a request whose body or signature only the dispatcher makes', () => {
  const why = (config: Parameters<typeof whyNoCommand>[0]['config']) =>
    whyNoCommand({ config, pull: null, type: 'webhook' });
  expect([why({}), why({ signature: 'standard-ed25519', payloadFormat: 'raw' })]).toEqual([undefined, undefined]);
  expect(why({ payloadFormat: 'envelope' })).toMatch(/^The endpoint receives envelope, which is made when/);
  expect(why({ transformation })).toMatch(/^The endpoint has a transformation, whose result is made when/);
  expect(why({ transformation: { ...transformation, isEnabled: false } })).toBeUndefined();
  expect(why({ signature: 'stripe' })).toMatch(/^The endpoint has a signature of its own/);
});

test('no command is offered for an endpoint that gets no requests', () => {
  const kafka = { config: { destination: { topic: 'orders' } }, pull: null, type: 'kafka' } as const;
  const pull = { config: {}, pull: { waiting: 0, oldestAgeSeconds: null, lastLeaseAt: null }, type: 'pull' } as const;
  expect([kafka, pull].map(whyNoCommand)).toEqual([
    'No request is sent to an endpoint of the type kafka.',
    'No request is sent to an endpoint of the type pull.',
  ]);
});
