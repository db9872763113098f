import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import type { Destination } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { s3 } from './describe.ts';
import { open } from './open.ts';

type Put = { headers: IncomingHttpHeaders; body: string };

/** A store that answers writes as real stores do. */
let store: Server;
let puts: Put[] = [];
let answer: (response: ServerResponse, put: Put) => void;
let sender: Destination;

beforeAll(async () => {
  store = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'HEAD') return void response.writeHead(200).end();
    const put = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    puts.push(put);
    answer(response, put);
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  sender = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
});
beforeEach(() => {
  puts = [];
});
afterAll(() => {
  sender.close();
  store.close();
});

function requestOf({ overwrite = false, isTest = false } = {}) {
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const settings = { bucket: 'events', region: 'eu-central-1', endpoint, key: '{{eventId}}', overwrite };
  const request = requestTo(s3, { settings });
  return { ...request, message: { ...request.message, isTest } };
}

const stores = (response: ServerResponse) => void response.writeHead(200, { etag: '"a"' }).end();

function refuses(response: ServerResponse, status: number, code: string, words: string) {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${words}</Message></Error>`);
}

test('a store that knows no newer checksums gets none: neither a header nor a trailer, and the bytes as they are', async () => {
  answer = (response, { headers }) => {
    const names = Object.keys(headers).filter((name) => /checksum|trailer|sdk-checksum/.test(name));
    const isEncoded = headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (names.length === 0 && !isEncoded) return stores(response);
    refuses(response, 400, 'InvalidArgument', `unknown: ${names}`);
  };
  expect(await sender.send(requestOf())).toMatchObject({ kind: 'acknowledged', acknowledgement: { etag: '"a"' } });
  expect(puts).toMatchObject([{ body: '{"id":1}', headers: { 'if-none-match': '*' } }]);
});

describe.each<[string, number, string, string]>([
  ['501', 501, 'NotImplemented', 'A header you provided implies functionality that is not implemented'],
  ['400', 400, 'InvalidRequest', 'Unsupported header If-None-Match'],
])('a store that refuses conditions with %s', (_, status, code, words) => {
  beforeEach(() => {
    answer = (response, { headers }) =>
      headers['if-none-match'] === undefined ? stores(response) : refuses(response, status, code, words);
  });

  test('fails the attempt with its words and the setting that helps', async () => {
    const failed = await sender.send(requestOf());
    expect(failed).toMatchObject({ kind: 'error', errorCode: 'broker_error', status });
    expect(failed).not.toHaveProperty('ends');
    const { message } = failed as { message: string };
    expect(message).toContain(`${code}: ${words}. If the store has no conditional writes`);
    expect(message).toContain('config.destination.overwrite');
  });

  test('gets the object with overwrite, without a condition', async () => {
    expect(await sender.send(requestOf({ overwrite: true }))).toMatchObject({ kind: 'acknowledged' });
    expect(puts.map(({ headers }) => headers['if-none-match'])).toEqual([undefined]);
  });
});

test('a refusal that says something else keeps its code, and names no setting', async () => {
  answer = (response) => refuses(response, 400, 'ExpiredToken', 'The token has expired');
  expect(await sender.send(requestOf())).toMatchObject({
    errorCode: 'authentication_failed',
    message: 'ExpiredToken: The token has expired',
  });
});

test('a store that ignores conditions is found by a test message, and takes one with overwrite', async () => {
  answer = stores;
  expect(await sender.send(requestOf({ isTest: true }))).toMatchObject({
    errorCode: 'broker_error',
    message: expect.stringContaining('ignores If-None-Match'),
  });
  expect(await sender.send(requestOf({ isTest: true, overwrite: true }))).toMatchObject({ kind: 'acknowledged' });
  expect(puts).toHaveLength(3);
});

test('a store that answers the repetition of a test message with 412 keeps conditions, whatever it calls that', async () => {
  answer = (response) => (puts.length === 1 ? stores(response) : refuses(response, 412, 'ConditionNotMet', 'taken'));
  expect(await sender.send(requestOf({ isTest: true }))).toMatchObject({ kind: 'acknowledged' });
  expect(puts).toHaveLength(2);
});
