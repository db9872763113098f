import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import { withConnection } from '@posthorn/db/connection';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, tally } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
let call: Caller;
let deliveryId: string;
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
});
afterAll(() => api.stop());
beforeEach(async () => {
  const endpointId = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  const send = request(api.app).post(`/api/ingest/${endpointId}`).set('x-api-key', api.apiKey);
  deliveryId = (await send.send('')).body.deliveryId;
});

/** Inserts attempts from number `first`, each with this response body. */
async function addAttempts(count: number, { first = 1, body = Buffer.from('ok') } = {}) {
  await api.db.attempt.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      deliveryId: uuidOf('dlv', deliveryId),
      id: newUuid(new Date()),
      number: first + index,
      trigger: 'manual' as const,
      succeeded: false,
      startedAt: new Date(),
      durationMs: 1,
      url: 'https://127.0.0.1/',
      requestHeaders: {},
      responseBody: new Uint8Array(body),
    })),
  });
}

type Attempt = { number: number; responseBody: string | null; responseTruncated: boolean };
const numbers = (attempts: Attempt[]) => attempts.map(({ number }) => number);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The path and query in an answer's Link header, resolved like a client does. */
function nextOf(reply: request.Response, path: string): string | undefined {
  const reference = /^<(.*)>; rel="next"$/.exec(reply.headers.link ?? '')?.[1];
  if (reference === undefined) return undefined;
  const { pathname, search } = new URL(reference, `http://host${api.base}${path}`);
  return (pathname + search).slice(api.base.length);
}

test('the newest 100 attempts are listed, oldest first, and Link leads to each older one exactly once', async () => {
  await addAttempts(230);
  let path: string | undefined = `/deliveries/${deliveryId}/attempts`;
  const pages: number[][] = [];
  while (path !== undefined) {
    const reply: request.Response = await call('get', path).expect(200);
    pages.push(numbers(reply.body));
    path = nextOf(reply, path);
  }
  expect(pages).toEqual([range(131, 230), range(31, 130), range(1, 30)]);
  const small = await call('get', `/deliveries/${deliveryId}/attempts?limit=3`);
  expect(numbers(small.body)).toEqual([228, 229, 230]);
  const second = await call('get', nextOf(small, `/deliveries/${deliveryId}/attempts`) ?? '');
  expect(numbers(second.body)).toEqual([225, 226, 227]);
});

test('include=attempts returns the same 100, and its Link leads to the older ones', async () => {
  await addAttempts(103);
  for (const path of [`/deliveries/${deliveryId}`, `/endpoints/ep_x/deliveries/${deliveryId}`]) {
    const reply = await call('get', `${path}?include=attempts`);
    expect(numbers(reply.body.attempts)).toEqual(range(4, 103));
    const older = await call('get', nextOf(reply, path) ?? '').expect(200);
    expect([numbers(older.body), older.headers.link]).toEqual([[1, 2, 3], undefined]);
  }
});

test('a cursor of another delivery, or an altered one, and a limit over 100 are refused', async () => {
  await addAttempts(2);
  const reply = await call('get', `/deliveries/${deliveryId}/attempts?limit=1`);
  const cursor = new URL(nextOf(reply, `/deliveries/${deliveryId}/attempts`) ?? '', 'http://host').searchParams.get(
    'cursor',
  );
  const other = (await call('get', '/deliveries?limit=2')).body.deliveries[1]?.id;
  for (const path of [
    `/deliveries/${other}/attempts?cursor=${cursor}`,
    `/deliveries/${deliveryId}/attempts?cursor=x`,
  ]) {
    expect(codeOf(await call('get', path))).toBe('invalid_cursor');
  }
  for (const limit of ['0', '101', 'x', '']) {
    expect(codeOf(await call('get', `/deliveries/${deliveryId}/attempts?limit=${limit}`))).toBe('validation_error');
  }
});

test('100 attempts with 16 KiB of control characters are answered with at most 2 MiB of bodies, the newest ones', async () => {
  await addAttempts(100, { body: Buffer.alloc(16 * 1024, 1) });
  for (const path of [`/deliveries/${deliveryId}/attempts`, `/deliveries/${deliveryId}?include=attempts`]) {
    const reply = await call('get', path);
    const attempts: Attempt[] = reply.body.attempts ?? reply.body;
    expect(reply.text.length).toBeLessThan(2 * 1024 * 1024 + 100 * 1_024);
    // Each of these characters takes six bytes: 21 bodies fit.
    const shown = attempts.filter(({ responseBody }) => responseBody !== null);
    expect(numbers(shown)).toEqual(range(80, 100));
    expect(attempts.every((one) => one.responseTruncated === (one.responseBody === null))).toBe(true);
  }
});

test('the 101st manual retry of a delivery is limit_reached, and changes nothing', async () => {
  await api.db.delivery.update({
    where: { id: uuidOf('dlv', deliveryId) },
    data: { status: 'failed', dueAt: null, manualRetries: 99 },
  });
  expect((await call('post', `/deliveries/${deliveryId}/retry`)).status).toBe(202);
  const before = (await call('get', `/deliveries/${deliveryId}`)).body;
  const reply = await call('post', `/deliveries/${deliveryId}/retry`);
  expect([reply.status, reply.body.error]).toEqual([
    409,
    { code: 'limit_reached', message: 'A delivery has at most 100 manual retries' },
  ]);
  expect((await call('get', `/deliveries/${deliveryId}`)).body).toEqual(before);
});

test('bodies that an answer has no room for are not read, and headers count', async () => {
  await addAttempts(40, { body: Buffer.alloc(16 * 1024, 120) });
  const sent = Buffer.alloc(64 * 1024, 120);
  await api.db.attempt.updateMany({
    where: { deliveryId: uuidOf('dlv', deliveryId) },
    data: { requestHeaders: { 'x-long': 'x'.repeat(8 * 1024) }, requestBody: new Uint8Array(sent) },
  });
  const { listDb } = api.services;
  const read: { requestBody: unknown; responseBody: unknown; responseTruncated: boolean }[] = [];
  const watched = listDb.$extends({
    query: {
      async $queryRaw({ args, query }) {
        const rows = await query(args);
        if (args.sql.includes('from attempt')) read.push(...rows);
        return rows;
      },
    },
  });
  Reflect.set(api.services, 'listDb', watched);
  const reply = await call('get', `/deliveries/${deliveryId}/attempts`).expect(200);
  api.services.listDb = listDb;
  // Each takes 88 KiB.
  expect(read.map(({ requestBody }) => requestBody !== null)).toEqual(range(1, 40).map((n) => n <= 23));
  expect(read.map(({ responseBody }) => responseBody !== null)).toEqual(range(1, 40).map((n) => n <= 23));
  const shown = (reply.body as Attempt[]).filter(({ responseBody }) => responseBody !== null);
  expect(numbers(shown)).toEqual(range(18, 40));
  expect(reply.body.every((one: Attempt) => one.responseTruncated === (one.responseBody === null))).toBe(true);
});

test('a caller without the right to payloads sees that there is an answer, and nothing of it', async () => {
  const id = newUuid(new Date());
  const { sealingKeys } = api.services;
  const sealed = (text: string, context: string) => new Uint8Array(seal(sealingKeys, Buffer.from(text), context));
  await api.db.attempt.create({
    data: {
      ...{ deliveryId: uuidOf('dlv', deliveryId), id, number: 1, trigger: 'manual', succeeded: true },
      ...{ startedAt: new Date(), durationMs: 1, url: 'https://127.0.0.1/', requestHeaders: {}, responseStatus: 200 },
      responseHeadersSealed: sealed('{"x-echo":["a","b"]}', sealContext.responseHeaders(id)),
      responseBodySealed: sealed('{"card":"4111"}', sealContext.responseBody(id)),
    },
  });
  await addAttempts(1, { first: 2 });
  await api.db.attempt.updateMany({ data: { responseStatus: 200 } });
  const seen = await call('get', `/deliveries/${deliveryId}/attempts`).expect(200);
  expect(seen.body).toMatchObject([
    { responseHeaders: { 'x-echo': ['a', 'b'] }, responseBody: '{"card":"4111"}', responseHidden: false },
    { responseBody: 'ok', responseHidden: false },
  ]);
  const views = { where: { action: 'payload.viewed', resourceId: deliveryId } };
  expect(await api.db.auditEntry.count(views)).toBe(1);
  const [token] = await api.db.managementToken.findMany();
  await api.db.managementToken.updateMany({ data: { scopes: ['read'] } });
  const hidden = await call('get', `/deliveries/${deliveryId}/attempts`).expect(200);
  await api.db.managementToken.updateMany({ data: { scopes: token?.scopes ?? [] } });
  for (const attempt of hidden.body) {
    expect(attempt).toMatchObject({
      responseStatus: 200,
      responseHeaders: null,
      responseBody: null,
      responseHidden: true,
    });
  }
});

test('words of a transformation, consumer or broker are shown like answers: they may repeat the payload', async () => {
  await addAttempts(7);
  const errors = [
    ['transformation_failed', 'Error: no such customer: ann@patient.test (line 1)', null],
    ['nacked', 'ann@patient.test is unknown', null],
    ['http_status', 'ann@patient.test is unknown', 422],
    ['message_too_large', "ValidationException: Value 'ann@patient.test' at 'partitionKey' failed", null],
    ['http_status', 'The endpoint answered with status 500', 500],
    ['access_denied', 'NATS refused: Permissions Violation for Publish to "crm.ann@patient.test"', null],
    ['http_status', 'ann@patient.test answered with status 500', 500],
  ] as const;
  for (const [index, [errorCode, errorMessage, responseStatus]] of errors.entries())
    await api.db.attempt.updateMany({
      where: { deliveryId: uuidOf('dlv', deliveryId), number: index + 1 },
      data: { errorCode, errorMessage, responseStatus, responseBody: null },
    });
  const messagesOf = async () =>
    (await call('get', `/deliveries/${deliveryId}/attempts`).expect(200)).body.map(
      (one: { errorMessage: string | null; responseHidden: boolean }) => [one.errorMessage, one.responseHidden],
    );
  expect(await messagesOf()).toEqual(errors.map(([, message]) => [message, false]));
  const views = { where: { action: 'payload.viewed', resourceId: deliveryId } };
  expect(await api.db.auditEntry.count(views)).toBe(1);
  const [token] = await api.db.managementToken.findMany();
  await api.db.managementToken.updateMany({ data: { scopes: ['read'] } });
  const hidden = await messagesOf();
  await api.db.managementToken.updateMany({ data: { scopes: token?.scopes ?? [] } });
  expect(hidden).toEqual([
    [null, true],
    [null, true],
    [null, true],
    [null, true],
    ['The endpoint answered with status 500', true],
    [null, true],
    [null, true],
  ]);
});

test.each(['/attempts', '?include=attempts'])(
  '%s: 100 reads of attempts run or wait, of a workspace one at a time; the next one is refused',
  async (path) => {
    await withConnection(api.databaseUrl, async (connection) => {
      await connection.query('begin');
      await connection.query('lock table attempt in access exclusive mode');
      const reads = Array.from({ length: 101 }, () => call('get', `/deliveries/${deliveryId}${path}`).then(codeOf));
      expect(await Promise.race(reads)).toBe('rate_limited');
      await connection.query('rollback');
      expect(tally(await Promise.all(reads))).toEqual({ 200: 100, rate_limited: 1 });
    });
  },
);
