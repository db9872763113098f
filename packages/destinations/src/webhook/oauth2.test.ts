import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { parseProxyUrl } from '@posthorn/egress/proxy-url';
import { systemClock } from '@posthorn/runtime/clock';
import { startConnectProxy } from '@posthorn/testkit/connect-proxy';
import { type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import { startTokenServer, type TokenServer } from '@posthorn/testkit/token-server';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createExaminationRecord } from '../examination.ts';
import type { Destination, OAuth2, Place, SendRequest, SendResult, Tools } from '../kind.ts';
import { requireKind } from '../kinds.ts';
import { openWith } from './open.ts';

const CLIENT = 'shop & co';
const SECRET = 'canary/secret+with "all": that%escapes';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

let aheadMs: number;
let sender: Destination;
const cleanUps: (() => unknown)[] = [];
beforeEach(() => {
  aheadMs = 0;
  receiver.requests.length = 0;
  sender = open();
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function open(tools: Partial<Tools> = {}): Destination {
  const made = openWith({
    rules: parseAllowedCidrs('127.0.0.1/32'),
    clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs },
    resolve: async () => [{ address: '127.0.0.1', family: 4, ttlSeconds: 0 }],
    ca: receiver.caPem,
    ...tools,
  });
  cleanUps.push(() => made.close());
  return made;
}

async function serve(options: Partial<Parameters<typeof startTokenServer>[0]> = {}): Promise<TokenServer> {
  const made = await startTokenServer({ clientId: CLIENT, secret: SECRET, expiresIn: 600, ...options });
  cleanUps.push(() => made.close());
  receiver.respondWith(({ headers }) => ({ status: made.accepts(headers.authorization) ? 200 : 401 }));
  return made;
}

type Given = { oauth2?: Partial<OAuth2>; place?: Partial<Place>; credentials?: Record<string, string> };

function post(
  server: TokenServer,
  { oauth2, place, credentials = { oauth2ClientSecret: SECRET } }: Given = {},
): SendRequest {
  const { url } = receiver;
  return {
    place: {
      ...{ kind: requireKind('webhook'), endpointId: 'one', owner: 'ws_1', revision: '1', url },
      ...{ settings: {}, credentials },
      oauth2: { tokenUrl: server.url, clientId: CLIENT, ...oauth2 },
      ...place,
    },
    message: { deliveryId: 'd', eventId: 'v', eventType: null, orderingKey: null, attemptNumber: 1 },
    ...{ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 10_000 },
  };
}

const statusOf = (result: SendResult) => (result.kind === 'response' ? result.status : result);

test('one token serves 200 deliveries, at once and one after another, and its one request is told', async () => {
  const told: string[] = [];
  const watched = open({ onTokenRequest: (result) => told.push(result) });
  const server = await serve();
  const many = await Promise.all(Array.from({ length: 100 }, () => watched.send(post(server))));
  expect(new Set(many.map(statusOf))).toEqual(new Set([200]));
  for (let n = 0; n < 100; n += 1) expect(statusOf(await watched.send(post(server)))).toBe(200);
  expect([server.requests.length, receiver.requests.length]).toEqual([1, 200]);
  expect(told).toEqual(['token']);
});

test('a request that gets no token is told as failed', async () => {
  const told: string[] = [];
  const watched = open({ onTokenRequest: (result) => told.push(result) });
  const server = await serve();
  await watched.send(post(server, { credentials: { oauth2ClientSecret: 'another' } }));
  expect(told).toEqual(['failed']);
});

describe('each way to authenticate', () => {
  test.each(['basic', 'post'] as const)('%s, with any characters in the secret', async (authMethod) => {
    const server = await serve();
    const extra = { scopes: ['a', 'b:c'], audience: 'https://api', extraParams: { resource: 'r' } };
    expect(statusOf(await sender.send(post(server, { oauth2: { authMethod, ...extra } })))).toBe(200);
    const [request] = server.requests;
    expect(request?.headers.authorization === undefined).toBe(authMethod === 'post');
    expect(Object.fromEntries(new URLSearchParams(request?.body.toString()))).toMatchObject({
      ...{ grant_type: 'client_credentials', scope: 'a b:c', audience: 'https://api', resource: 'r' },
    });
  });

  test('with extra parameters in UTF-8, as a form has them', async () => {
    const server = await serve();
    const extraParams = { tenant: 'Zürich – 東京', 'x:note': 'a&b=c +d%', emoji: '\u{1f600}' };
    expect(statusOf(await sender.send(post(server, { oauth2: { extraParams } })))).toBe(200);
    const [request] = server.requests;
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded(;charset=utf-8)?$/i);
    const body = request?.body.toString() ?? '';
    expect(body).toContain('tenant=Z%C3%BCrich+%E2%80%93+%E6%9D%B1%E4%BA%AC');
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject(extraParams);
  });

  test('basic, at a server that compares the id and the secret as they came', async () => {
    const [clientId, secret] = ['shop-1', "can.ary-_~!*'()/=="];
    const server = await serve();
    server.respondWith(({ headers }) => {
      const pair = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString();
      return pair === `${clientId}:${secret}` ? { body: '{"access_token":"token"}' } : { status: 401 };
    });
    receiver.respondWith(({ headers }) => ({ status: headers.authorization === 'Bearer token' ? 200 : 401 }));
    const request = post(server, { oauth2: { clientId }, credentials: { oauth2ClientSecret: secret } });
    expect(statusOf(await sender.send(request))).toBe(200);
  });

  test.each([
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
    ['P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
  ] as const)('private_key_jwt with a key of %s, for the token URL', async (_, generate) => {
    const { privateKey, publicKey } = generate();
    const server = await serve({ publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() });
    const credentials = { oauth2PrivateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    const request = post(server, { oauth2: { authMethod: 'private_key_jwt' }, credentials });
    expect(statusOf(await sender.send(request))).toBe(200);
  });
});

test.each<[string, ReceiverAnswer & { body: string }]>([
  ['has no token_type', { body: '{"access_token":"token"}' }],
  ['has a token_type of another spelling', { body: '{"access_token":"token","token_type":"BearerToken"}' }],
  ['has a token_type that is no text', { body: '{"access_token":"token","token_type":null}' }],
  [
    'has members of another form',
    { body: '{"access_token":"token","scope":null,"refresh_token":null,"expires_in":null,"id_token":7,"error":""}' },
  ],
  ['ends at no time', { body: '{"access_token":"token","expires_in":"never"}' }],
  ['ends at a time in words', { body: '{"access_token":"token","expires_in":"3600"}' }],
  ['has another status of success', { status: 201, body: '{"access_token":"token"}' }],
  ['is called a text', { headers: { 'content-type': 'text/plain' }, body: '{"access_token":"token"}' }],
  ['begins with a byte order mark', { body: '\ufeff{"access_token":"token"}' }],
  ['has a token that only RFC 6750 forbids', { body: JSON.stringify({ access_token: 'a!b#c|d:{"e"}' }) }],
])('a token is used whose answer %s', async (_, answer) => {
  const server = await serve();
  server.respondWith(() => answer);
  const { access_token } = JSON.parse(answer.body.replace('\ufeff', '')) as { access_token: string };
  receiver.respondWith(({ headers }) => ({ status: headers.authorization === `Bearer ${access_token}` ? 200 : 401 }));
  for (let time = 0; time < 2; time += 1) expect(statusOf(await sender.send(post(server)))).toBe(200);
  // Whether the answer gives the lifetime or it is the default, the token is used again.
  expect(server.requests).toHaveLength(1);
});

describe('a token is asked for again', () => {
  test('30 s before it ends, and an hour later if nobody says when it ends', async () => {
    const server = await serve();
    await sender.send(post(server));
    aheadMs = 569_000;
    await sender.send(post(server));
    expect(server.tokens).toHaveLength(1);
    aheadMs = 571_000;
    await sender.send(post(server));
    expect(server.tokens).toHaveLength(2);
    const silent = await startTokenServer({ clientId: CLIENT, secret: SECRET });
    cleanUps.push(() => silent.close());
    const other = post(silent, { place: { endpointId: 'other' } });
    await sender.send(other);
    aheadMs += 3_569_000;
    await sender.send(other);
    expect(silent.tokens).toHaveLength(1);
    aheadMs += 2_000;
    await sender.send(other);
    expect(silent.tokens.length).toBeGreaterThan(1);
  });

  test('when the receiver answers 401 to a kept one: the attempt succeeds with the new one', async () => {
    const server = await serve();
    await sender.send(post(server));
    server.revokeAll();
    expect(statusOf(await sender.send(post(server)))).toBe(200);
    expect([server.tokens.length, receiver.requests.length]).toEqual([2, 3]);
  });

  test('when the receiver answers 401 to the first one', async () => {
    const server = await serve();
    receiver.respondWith((_, nth) => ({ status: nth === 1 ? 401 : 200 }));
    expect(statusOf(await sender.send(post(server)))).toBe(200);
    expect([server.tokens.length, receiver.requests.length]).toEqual([2, 2]);
  });

  test('once, when the receiver answers 401 to every one', async () => {
    const server = await serve();
    receiver.respondWith(() => ({ status: 401 }));
    expect(statusOf(await sender.send(post(server)))).toBe(401);
    expect([server.tokens.length, receiver.requests.length]).toEqual([2, 2]);
    expect(statusOf(await sender.send(post(server)))).toBe(401);
    expect([server.tokens.length, receiver.requests.length]).toEqual([3, 4]);
  });

  test('after a change of the endpoint, and for each endpoint', async () => {
    const server = await serve();
    await sender.send(post(server));
    await sender.send(post(server, { place: { revision: '2' } }));
    await sender.send(post(server, { place: { endpointId: 'two' } }));
    expect(server.tokens).toHaveLength(3);
  });
});

describe('a token that cannot be had', () => {
  test('fails the attempt with the answer of the token endpoint, and the receiver gets nothing', async () => {
    const server = await serve();
    const wrong = post(server, { credentials: { oauth2ClientSecret: 'canary-wrong' } });
    expect(await sender.send(wrong)).toMatchObject({
      ...{ kind: 'error', errorCode: 'oauth2_failed', message: 'The token endpoint answered 401: invalid_client' },
      response: { status: 401, body: Buffer.from('{"error":"invalid_client"}') },
    });
    expect(receiver.requests).toEqual([]);
  });

  test('shows at most 1 KiB, without the secret in any form in which it was sent', async () => {
    const server = await serve();
    server.respondWith(({ body, headers }) => ({
      status: 400,
      body: JSON.stringify({
        ...{ error: 'invalid_request', body: body.toString(), headers },
        ...{
          plain: SECRET,
          escaped: encodeURIComponent(SECRET),
          encoded: Buffer.from(`x${SECRET}`).toString('base64'),
        },
        decoded: Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString(),
        padding: 'x'.repeat(5_000),
      }),
    }));
    for (const authMethod of ['basic', 'post'] as const) {
      const result = await sender.send(post(server, { oauth2: { authMethod }, place: { revision: authMethod } }));
      if (result.kind !== 'error' || result.response === null) throw new Error('no answer is shown');
      const shown = result.response.body.toString();
      expect(shown).toHaveLength(1_024);
      expect(result.response.truncated).toBe(true);
      expect(shown).toContain('[redacted]');
      const form = new URLSearchParams([['', SECRET]]).toString().slice(1);
      const base64 = Buffer.from(`x${SECRET}`).toString('base64').slice(4, -4);
      for (const secret of [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1), form, base64]) {
        expect(shown).not.toContain(secret);
      }
      expect(shown).not.toMatch(/canary/);
    }
  });

  test.each<[string, ReceiverAnswer, string]>([
    ['is a page', { body: '<html>Sign in</html>' }, '<html>Sign in</html>'],
    ['is a form', { body: 'access_token=canary&token_type=bearer' }, ''],
    ['is a list', { body: '["canary"]' }, ''],
    [
      'has no token',
      { body: '{"token_type":"bearer","hint":"canary","scope":{"of":"canary"}}' },
      '{"token_type":"bearer","hint":"[redacted]","scope":"[redacted]"}',
    ],
    ['has an error', { body: '{"error":"invalid_scope"}' }, '{"error":"invalid_scope"}'],
    [
      'has a token that would end the header',
      { body: '{"token_type":"bearer","access_token":"canary\\r\\nx: y"}' },
      '{"token_type":"bearer","access_token":"[redacted]"}',
    ],
    [
      'has a token of another type',
      { body: '{"token_type":"mac","access_token":"canary"}' },
      '{"token_type":"mac","access_token":"[redacted]"}',
    ],
    [
      'has a token with a blank',
      { status: 201, body: '{"access_token":"canary canary"}' },
      '{"access_token":"[redacted]"}',
    ],
  ])('fails the attempt if the answer %s, and shows no token of it', async (_, answer, shown) => {
    const server = await serve();
    server.respondWith(() => ({ headers: { 'content-type': 'application/json' }, ...answer }));
    const result = await sender.send(post(server));
    expect(result).toMatchObject({
      kind: 'error',
      errorCode: 'oauth2_failed',
      response: { status: expect.any(Number) },
    });
    expect(result.kind === 'error' && result.response?.body.toString()).toBe(shown);
    expect(JSON.stringify({ ...result, sent: null })).not.toContain('canary');
  });

  test('fails an attempt at the end of its own time, also while another attempt waits for it longer', async () => {
    const server = await serve();
    // The server never answers.
    server.respondWith(() => ({ raw: () => undefined }));
    const asking = sender.send(post(server));
    await waitFor(() => server.requests.length > 0, { what: 'the request for a token' });
    const result = await Promise.race([sender.send({ ...post(server), timeoutMs: 300 }), asking]);
    expect(result).toMatchObject({
      errorCode: 'oauth2_failed',
      message: expect.stringMatching(/^The token endpoint gave no answer: No complete answer within 0\.\d{1,3} s$/),
    });
    expect(server.requests).toHaveLength(1);
    sender.abortAll();
    expect(await asking).toEqual({ kind: 'aborted' });
  });

  test('is asked for again by an attempt with far more time than the one that asked', async () => {
    const server = await serve();
    server.respondWith(() => ({ raw: () => undefined }));
    const short = sender.send({ ...post(server), timeoutMs: 300 });
    await waitFor(() => server.requests.length > 0, { what: 'the request for a token' });
    server.respondWith(undefined);
    expect(statusOf(await sender.send(post(server)))).toBe(200);
    expect(await short).toMatchObject({ errorCode: 'oauth2_failed' });
    expect(server.requests).toHaveLength(2);
  });

  test('fails the attempt if the token URL leads to a forbidden address', async () => {
    const server = await serve();
    const inside = post(server, { oauth2: { tokenUrl: 'https://10.0.0.1/token' } });
    expect(await sender.send(inside)).toMatchObject({
      errorCode: 'oauth2_failed',
      message: expect.stringMatching(/private/),
    });
  });
});

test('the result names the token and the secret, so that whatever the receiver repeats can be redacted', async () => {
  const server = await serve();
  const result = await sender.send(post(server));
  if (result.kind !== 'response') throw new Error('no answer');
  expect(result.sent?.authorization).toBe(`Bearer ${server.tokens[0]}`);
  expect(result.sent?.secrets).toEqual(expect.arrayContaining([server.tokens[0], SECRET]));
});

test('the result of an attempt with two tokens names both', async () => {
  const server = await serve();
  receiver.respondWith(() => ({ status: 401 }));
  const result = await sender.send(post(server));
  if (result.kind !== 'response') throw new Error('no answer');
  expect(server.tokens).toHaveLength(2);
  expect(result.sent?.secrets).toEqual(expect.arrayContaining([...server.tokens, SECRET]));
});

test('a token is fetched through the proxy, and a fault of the proxy is not counted against the endpoint', async () => {
  const server = await serve();
  const proxy = await startConnectProxy();
  cleanUps.push(() => proxy.close());
  const through = open({ proxy: parseProxyUrl(proxy.url) });
  expect(statusOf(await through.send(post(server)))).toBe(200);
  expect(proxy.targets).toContain(`127.0.0.1:${server.port}`);
  proxy.respondWith(() => ({ status: 503 }));
  const afresh = open({ proxy: parseProxyUrl(proxy.url) });
  expect(await afresh.send(post(server))).toMatchObject({ errorCode: 'proxy_error' });
});

test('the doctor sends a request that must be refused once, and asks for no other token', async () => {
  const server = await serve();
  receiver.respondWith((_, nth) => ({ status: nth === 1 ? 200 : 401 }));
  const record = createExaminationRecord();
  const message = () => post(server);
  await sender.examine({ record, message, coversTime: true, timeoutMs: 5_000, leftMs: () => 10_000 });
  expect(record.checks().filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  expect([server.tokens.length, receiver.requests.length]).toEqual([1, 3]);
});

test('the doctor tells what the token endpoint says', async () => {
  const server = await serve();
  const examine = async (request: SendRequest) => {
    const record = createExaminationRecord();
    const message = () => request;
    await sender.examine({ record, message, coversTime: true, timeoutMs: 5_000, leftMs: () => 10_000 });
    return record.checks().find(({ name }) => name === 'oauth2');
  };
  expect(await examine(post(server))).toMatchObject({
    outcome: 'pass',
    detail: expect.stringMatching(/good for 6?00|599/),
  });
  const wrong = post(server, { credentials: { oauth2ClientSecret: 'wrong' }, place: { revision: '2' } });
  expect(await examine(wrong)).toMatchObject({
    outcome: 'fail',
    detail: 'The token endpoint answered 401: invalid_client',
    advice: expect.stringContaining('client id'),
  });
  const { oauth2: _, ...plain } = post(server).place;
  expect(await examine({ ...post(server), place: plain })).toBeUndefined();
});
