import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { createLookup } from '@posthorn/egress/lookup';
import { systemClock } from '@posthorn/runtime/clock';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { createSender, type WebSender } from './send.ts';

// A receiver that has done its work must not be called again because its answer is untidy (docs/receiving.md, Answers).

let receiver: Receiver;
let sender: WebSender;
beforeAll(async () => {
  receiver = await startReceiver();
  const rules = parseAllowedCidrs('127.0.0.0/8');
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const, ttlSeconds: 60 }];
  const lookup = createLookup({ rules, resolve, clock: systemClock });
  sender = createSender({ rules, lookup, clock: systemClock, ca: receiver.caPem });
});
beforeEach(() => {
  receiver.requests.length = 0;
});
afterAll(async () => {
  sender.close();
  await receiver.close();
});

const post = () => sender.send({ url: receiver.url, headers: {}, body: Buffer.from('{}'), timeoutMs: 5_000 });
const answering = (head: string, body: string | Buffer = 'ok') =>
  receiver.respondWith(() => ({
    raw: ({ socket }) => void socket.write(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])),
  }));

describe('an answer that common clients read is read', () => {
  test.each([
    ['a folded header', 'HTTP/1.1 200 OK\r\nX-A: a\r\n  b\r\nContent-Length: 2\r\n\r\n'],
    ['lines without a carriage return', 'HTTP/1.1 200 OK\nX-A: a b\nContent-Length: 2\n\n'],
    ['white space before a colon', 'HTTP/1.1 200 OK\r\nX-A : a b\r\nContent-Length : 2\r\n\r\n'],
    ['the same length twice', 'HTTP/1.1 200 OK\r\nX-A: a b\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n'],
    ['the same length twice in one line', 'HTTP/1.1 200 OK\r\nX-A: a b\r\nContent-Length: 2, 2\r\n\r\n'],
    [
      'an informational response before it',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A : a b\r\nContent-Length: 2\r\n\r\n',
    ],
  ])('%s', async (_, head) => {
    answering(head);
    const result = await post();
    expect(result).toMatchObject({ kind: 'response', status: 200, headers: { 'x-a': 'a b' }, truncated: false });
    expect(result.kind === 'response' && result.body.toString()).toBe('ok');
  });

  test.each([
    ['a length beside chunks', 'Content-Length: 9\r\nTransfer-Encoding: chunked', '2\r\nok\r\n0\r\n\r\n'],
    ['chunks without carriage returns', 'Transfer-Encoding: chunked', '1\no\n1\nk\n0\n\n'],
    ['white space after the size of a chunk', 'Transfer-Encoding: chunked', '2 \r\nok\r\n0\r\n\r\n'],
  ])('%s', async (_, headers, body) => {
    answering(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`, body);
    const result = await post();
    expect(result).toMatchObject({ kind: 'response', status: 200, truncated: false });
    expect(result.kind === 'response' && result.body.toString()).toBe('ok');
  });

  test('its status counts as any other: a failure stays one', async () => {
    answering('HTTP/1.1 503 Busy\nRetry-After: 7\nContent-Length: 2\n\n');
    expect(await post()).toMatchObject({ kind: 'response', status: 503, headers: { 'retry-after': '7' } });
  });

  test('its connection is not used again', async () => {
    answering('HTTP/1.1 200 OK\nContent-Length: 2\n\n');
    const before = receiver.connections.opened;
    await post();
    await post();
    expect(receiver.connections.opened - before).toBe(2);
  });
});

test.each([
  ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n'],
  ['a length that is not a number', 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n'],
  ['a line that is not a header', 'HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 2\r\n\r\n'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
])('%s cannot be read safely', async (_, head) => {
  answering(head);
  expect(await post()).toMatchObject({ kind: 'error', errorCode: 'protocol_error' });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a body that was compressed with %s is kept as the receiver wrote it, up to 16 KiB', async (encoding, compress) => {
  const answer = async (text: string) => {
    const body = compress(Buffer.from(text));
    answering(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`, body);
    const result = await post();
    return result.kind === 'response' ? [result.body.toString(), result.truncated] : result;
  };
  expect(await answer('{"said":"thanks"}')).toEqual(['{"said":"thanks"}', false]);
  expect(await answer('a'.repeat(10_000_000))).toEqual(['a'.repeat(16_384), true]);
});

test('a body that is not what its Content-Encoding says stays as it is', async () => {
  answering('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n');
  const result = await post();
  expect(result.kind === 'response' && result.body.toString()).toBe('ok');
});
