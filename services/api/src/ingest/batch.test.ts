import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import { hashRequest } from '@posthorn/ingest/idempotency';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';

const MAX_PAYLOAD_BYTES = 2_000;
const UNKNOWN_ENDPOINT = 'ep_01jczhk8m3fd8tqv5x0w2b9n4e';

let api: ApiUnderTest;
let endpointId: string;
beforeAll(async () => {
  api = await startApi({ maxPayloadBytes: MAX_PAYLOAD_BYTES });
  await manage('post', '/event-types', { name: 'order.created', publishIn: [api.environmentId] });
  await manage('post', '/event-types', { name: 'order.hidden' });
  endpointId = (await manage('post', '/endpoints', { url: 'https://127.0.0.1/', externalId: 'laptop' })).id;
});
afterAll(() => api.stop());

async function manage(method: 'post', path: string, body: object) {
  const reply = await request(api.app)
    [method](api.base + path)
    .set('authorization', `Bearer ${api.managementToken}`)
    .send(body);
  expect(reply.status).toBe(201);
  return reply.body;
}

const post = (path: string, headers: Record<string, string> = {}) =>
  request(api.app)
    .post(`/api/ingest/${path}`)
    .set({ authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json', ...headers });
const batch = async (body: string | { events: unknown }) => {
  const reply = await post('batch').send(typeof body === 'string' ? body : JSON.stringify(body));
  expect([reply.status, reply.body]).toEqual([202, { results: expect.any(Array) }]);
  return reply.body.results;
};
const codes = (results: { error?: { code: string } }[]) => results.map((one) => one.error?.code ?? 'accepted');

async function storedEvent(id: string) {
  const uuid = fromId('msg', id) ?? '';
  const row = await api.db.event.findUniqueOrThrow({ where: { id: uuid } });
  const opened = open(api.services.sealingKeys, row.payload ?? Buffer.alloc(0), sealContext.payload(uuid));
  const payload = opened.kind === 'opened' ? opened.plaintext.toString() : opened.kind;
  return { payload, contentType: row.contentType };
}

test('each event has its answer at its position, and a refused event stops no other', async () => {
  const results = await batch({
    events: [
      { eventType: 'order.created', data: { n: 1 } },
      { eventType: 'order.unknown', data: 1 },
      { endpointId, data: 2, idempotencyKey: 'direct' },
      { endpointId: UNKNOWN_ENDPOINT, data: 2 },
      { eventType: 'order.hidden', data: null },
      5,
      null,
      [],
      {},
      { eventType: 'order.created' },
      { eventType: 'order.created', endpointId, data: 1 },
      { data: 1 },
      { eventType: 7, data: 1 },
      { eventType: 'order.created', data: 1, idempotencyKey: 'has spaces' },
      { eventType: 'order.created', data: 1, idempotencyKey: null },
      { eventType: 'order.created', data: 1, orderingKey: 'a b' },
      { eventType: 'order.created', data: 1, applicationId: 'ext:nobody' },
      { eventType: 'order.created', data: 'x'.repeat(MAX_PAYLOAD_BYTES) },
      { eventType: '\u0000', data: 1 },
      { eventType: '\ud800', data: 1 },
      { endpointId: '../x', data: 1 },
    ],
  });
  expect(codes(results)).toEqual([
    'accepted',
    'not_found',
    'accepted',
    'not_found',
    'accepted',
    ...Array(11).fill('validation_error'),
    'not_found',
    'payload_too_large',
    'not_found',
    'not_found',
    'not_found',
  ]);
  expect(results[0]).toEqual({
    id: expect.stringMatching(/^msg_/),
    eventType: 'order.created',
    environmentId: api.environmentId,
    idempotencyKey: results[0].id,
    published: true,
    duplicate: false,
    schemaErrors: null,
    createdAt: expect.any(String),
  });
  expect(results[1]).toEqual({
    error: { code: 'not_found', message: expect.stringMatching(/^Event type not found: ./) },
  });
  expect(results[2]).toMatchObject({ eventType: null, endpointId, idempotencyKey: 'direct', published: true });
  expect(results[2].deliveryId).toMatch(/^dlv_/);
  expect(results[4]).toMatchObject({ published: false });
  expect(results[8].error.message).toMatch(/eventType or endpointId|data is required/);
  expect(results[9].error.message).toBe('data is required');
  expect(results[15].error.message).toBe('orderingKey must be 1 to 255 visible ASCII characters');
});

test('data is stored as the bytes of that value as they were sent, under application/json', async () => {
  const values = [
    '{ "b" : 1.0, "a":"\\u00e9é", "a": 2 }',
    '12345678901234567890.10',
    '"\\ud800"',
    'null',
    '[ ]',
    '1E400',
    '{"__proto__":[1]}',
  ];
  const body = `\ufeff{"events":[${values.map((value) => `{"data" : ${value} ,"eventType":"order.created"}`).join(' , ')}]}`;
  const results = await batch(body);
  const stored = await Promise.all(results.map((one: { id: string }) => storedEvent(one.id)));
  expect(stored).toEqual(values.map((payload) => ({ payload, contentType: 'application/json' })));
});

describe('an item equals the same event sent by itself as application/json', () => {
  test.each([
    ['fan-out', () => ({ eventType: 'order.created' }), 'event/order.created'],
    ['direct', () => ({ endpointId }), undefined],
    ['direct-by-external-id', () => ({ endpointId: 'ext:laptop' }), 'ext:laptop'],
  ])(
    '%s: a repeat by itself, or in another batch, is a duplicate; other bytes are a conflict',
    async (kind, target, path) => {
      const idempotencyKey = `equal-${kind}`;
      const item = { ...target(), idempotencyKey, data: { n: 1 } };
      const [first] = await batch({ events: [item] });
      expect(first.duplicate).toBe(false);

      const alone = await post(path ?? endpointId, { 'idempotency-key': idempotencyKey }).send('{"n":1}');
      expect([alone.status, alone.body]).toEqual([202, { ...first, duplicate: true }]);
      expect(await batch({ events: [item] })).toEqual([{ ...first, duplicate: true }]);

      const other = await post(path ?? endpointId, { 'idempotency-key': idempotencyKey }).send('{"n": 1}');
      expect(other.body.error.code).toBe('idempotency_conflict');
      expect(codes(await batch({ events: [{ ...item, data: 2 }] }))).toEqual(['idempotency_conflict']);
    },
  );

  test('a batch finds the key of an event that was sent by itself before', async () => {
    const alone = await post('event/order.created', { 'idempotency-key': 'alone-first' }).send('[1]');
    const events = [{ eventType: 'order.created', idempotencyKey: 'alone-first', data: [1] }];
    expect(await batch({ events })).toEqual([{ ...alone.body, duplicate: true }]);
  });
});

test('a path is the same with a colon and with an escaped one, and is kept as it was sent, as former versions compare it', async () => {
  const send = (path: string, key: string) => post(path, { 'idempotency-key': key }).send('1');
  const ways = ['ext:laptop', 'ext%3Alaptop'];
  for (const [index, way] of ways.entries()) {
    const key = `written-${index}`;
    const first = await send(way, key);
    expect([first.status, first.body.duplicate]).toEqual([202, false]);
    for (const other of ways) expect((await send(other, key)).body).toEqual({ ...first.body, duplicate: true });
    const { requestHash } = await api.db.idempotencyRecord.findFirstOrThrow({ where: { key } });
    const facts = { applicationId: undefined, contentType: 'application/json', orderingKey: undefined };
    const former = { ...facts, path: `/api/ingest/${way}`, deliverAt: undefined, body: Buffer.from('1') };
    expect(Buffer.from(requestHash)).toEqual(hashRequest(former));
  }
});

test('of items with one key in one batch the first is stored, an equal one repeats it, another conflicts', async () => {
  const item = (data: unknown) => ({ eventType: 'order.created', idempotencyKey: 'twice', data });
  const before = await api.db.event.count();
  const results = await batch({ events: [item(1), item(1), item(2), item(1)] });
  expect(results[0].duplicate).toBe(false);
  expect(results[1]).toEqual({ ...results[0], duplicate: true });
  expect(results[2].error.code).toBe('idempotency_conflict');
  expect(results[3]).toEqual({ ...results[0], duplicate: true });
  expect(await api.db.event.count()).toBe(before + 1);
});

test('a refused first item does not take its key from the next', async () => {
  const item = (eventType: string) => ({ eventType, idempotencyKey: 'left', data: 1 });
  expect(codes(await batch({ events: [item('order.unknown'), item('order.created')] }))).toEqual([
    'not_found',
    'accepted',
  ]);
});

describe('the whole batch is refused, and nothing is stored', () => {
  const events = (count: number) =>
    JSON.stringify({ events: Array(count).fill({ eventType: 'order.created', data: 1 }) });

  test.each([
    ['no body', '', 'validation_error', 400],
    ['malformed JSON', '{"events":[', 'validation_error', 400],
    ['no events', '{}', 'validation_error', 400],
    ['events that are no list', '{"events":{}}', 'validation_error', 400],
    ['a list', '[]', 'validation_error', 400],
    ['101 events', events(101), 'validation_error', 400],
    ['more than 1 MiB', `{"events":[],"x":"${'x'.repeat(1_048_576)}"}`, 'payload_too_large', 413],
    ['nesting without end', `{"events":${'['.repeat(400_000)}`, 'validation_error', 400],
  ])('%s', async (_, body, code, status) => {
    const before = await api.db.event.count();
    const reply = await post('batch').send(body);
    expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
    expect(await api.db.event.count()).toBe(before);
  });

  test.each(['Idempotency-Key', 'X-Application-Id', 'X-Ordering-Key', 'X-Deliver-At'])('with %s', async (header) => {
    const reply = await post('batch', { [header]: 'a' }).send(events(1));
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_error']);
    expect(reply.body.error.message).toContain(header);
  });

  test('a body that is not JSON', async () => {
    const reply = await post('batch', { 'content-type': 'text/plain' }).send(events(1));
    expect([reply.status, reply.body.error.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('without an API key', async () => {
    const reply = await request(api.app).post('/api/ingest/batch').send({ events: [] });
    expect([reply.status, reply.body.error.code]).toEqual([401, 'unauthorized']);
  });
});

test('100 events and a body of exactly 1 MiB are accepted', async () => {
  const body = JSON.stringify({ events: Array(100).fill({ eventType: 'order.created', data: 1 }) });
  const padded = body + ' '.repeat(1_048_576 - body.length);
  expect(codes(await batch(padded))).toEqual(Array(100).fill('accepted'));
});

test('the path accepts only POST', async () => {
  const reply = await request(api.app).get('/api/ingest/batch');
  expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
});
