import { describe, expect, test } from '@jest/globals';
import type { SourceConfig } from '@posthorn/contract/sources';
import { mapRecord } from './map-record.ts';

type Given = { key?: string | null; value?: string | null; headers?: Record<string, string> };

function map({ key = null, value = '{}', headers = {} }: Given, config: Partial<SourceConfig> = {}) {
  const record = {
    ...{ offset: 7n, at: new Date(0) },
    key: key === null ? null : Buffer.from(key),
    value: value === null ? null : Buffer.from(value),
    header: (name: string) => headers[name],
  };
  const usual = {
    ...{ brokers: ['kafka.example.com:9093'], tls: true, saslMechanism: 'none', topics: ['orders'], start: 'latest' },
    ...{ eventType: { fixed: 'order.read' }, orderingKey: null, contentType: 'application/json' },
    ...{ tombstones: 'skip', onError: 'reject' },
  } as SourceConfig;
  return mapRecord(record, { config: { ...usual, ...config }, maxPayloadBytes: 100 });
}

/** The event of a record, which must become one. */
function event(given: Given, config: Partial<SourceConfig> = {}) {
  const made = map(given, config);
  if (made?.kind !== 'event') throw new Error(`no event: ${made?.kind === 'rejected' ? made.message : 'skipped'}`);
  return made.input;
}

/** The reason, message and offset of a record that must not become an event. */
function rejection(given: Given, config: Partial<SourceConfig> = {}) {
  const made = map(given, config);
  if (made?.kind !== 'rejected') throw new Error('it was not rejected');
  return [made.reason, made.message, made.offset];
}

test('the payload is the value, byte for byte, and the type is fixed', () => {
  const value = '{ "a": 1.10 }';
  expect(event({ value })).toMatchObject({
    target: { kind: 'event_type', name: 'order.read' },
    body: Buffer.from(value),
    contentType: 'application/json',
    application: undefined,
    orderingKey: undefined,
    idempotencyKey: undefined,
  });
});

describe('where the type, the application and the data are', () => {
  const eventType = { pointer: '/meta/type' };

  test('in headers', () => {
    const config = { eventType: { header: 'type' }, application: { header: 'customer' } };
    expect(event({ headers: { type: 'a.b', customer: 'acme' } }, config)).toMatchObject({
      target: { name: 'a.b' },
      application: 'ext:acme',
    });
  });

  test('in the value, by JSON pointers; a number is a text, too', () => {
    const value = JSON.stringify({ meta: { type: 'a.b' }, of: 17, data: { id: 1 } });
    const config = { eventType, application: { pointer: '/of' }, data: { pointer: '/data' } };
    const made = event({ value }, config);
    expect([made.target, made.application, made.body.toString()]).toEqual([
      { kind: 'event_type', name: 'a.b' },
      'ext:17',
      '{"id":1}',
    ]);
  });

  test('the data is the bytes as they stand in the value, whatever JSON allows', () => {
    const data = { pointer: '/data' };
    for (const written of ['12345678901234567890', '1e400', '{ "a" : 1.10,\n"a":"\\u00e9" }', '"\\u0000"', 'null']) {
      expect(event({ value: `{"other":[],"data": ${written} }` }, { data }).body.toString()).toBe(written);
    }
  });

  test('of a number that JavaScript would round, the digits are the text', () => {
    const config = { application: { pointer: '/of' } };
    const named = (of: string) => event({ value: `{"of":${of}}` }, config).application;
    expect(['9007199254740993', '12345678901234567890', '1e400', '17.50', '1e2'].map(named)).toEqual([
      ...['ext:9007199254740993', 'ext:12345678901234567890', 'ext:1e400', 'ext:17.5', 'ext:100'],
    ]);
  });

  test.each<[string, string, string]>([
    ['/a~1b/c~0d', '{"a/b":{"c~d":"x.y"}}', 'x.y'],
    ['/list/1', '{"list":["a","x.y"]}', 'x.y'],
    ['', '"x.y"', 'x.y'],
    ['/', '{"":"x.y"}', 'x.y'],
  ])('the pointer %j finds its value in %s', (pointer, value, name) => {
    expect(event({ value }, { eventType: { pointer } })).toMatchObject({ target: { name } });
  });

  test.each<[string, Given]>([
    ['no value there', { value: '{"meta":{}}' }],
    ['an object there', { value: '{"meta":{"type":{}}}' }],
    ['a property that every object has', { value: '{"meta":"text"}' }],
    ['no value at all', { value: '' }],
    ['no JSON', { value: '{' }],
  ])('a record with %s has no event type', (_what, given) => {
    expect(rejection(given, { eventType })).toEqual([
      'validation_error',
      'No event type: the value at /meta/type has no text',
      7n,
    ]);
  });

  test('a pointer finds no inherited property, and no length of an array', () => {
    expect(rejection({ value: '{}' }, { eventType: { pointer: '/constructor/name' } })[0]).toBe('validation_error');
    expect(rejection({ value: '[1]' }, { eventType: { pointer: '/length' } })[0]).toBe('validation_error');
  });

  test('data that nests 100,000 levels deep is data', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const more = { data: { pointer: '/data' }, eventType: { pointer: '/type' } };
    expect(map({ value: `{"type":"a.b","data":${deep}}` }, more)).toMatchObject({ reason: 'payload_too_large' });
    const small = { value: `{"type":"a.b","data":1,"other":${deep}}` };
    expect(event(small, more).body.toString()).toBe('1');
  });

  test('a record without its header has no event type, and one without the customer no application', () => {
    expect(rejection({}, { eventType: { header: 'type' } })[1]).toBe('No event type: the header type has no text');
    expect(event({}, { application: { header: 'customer' } }).application).toBeUndefined();
  });

  test.each(['{"of":null}', '{"of":true}', '{"of":{}}', '{"of":["acme"]}', '{', ''])(
    'a record whose customer cannot be told is rejected, and does not go to all customers: %j',
    (value) => {
      expect(rejection({ value }, { application: { pointer: '/of' } })).toEqual([
        'validation_error',
        'No application: the value at /of has no text',
        7n,
      ]);
    },
  );

  test.each(['{"of":"acme"}', '{"of":null}', '{"of":["acme"]}', '{"of":{"id":null}}'])(
    'neither is one whose customer should be in an object that is none: %j',
    (value) => {
      expect(rejection({ value }, { application: { pointer: '/of/id' } })[1]).toBe(
        'No application: the value at /of/id has no text',
      );
      expect(event({ value: '{"of":{}}' }, { application: { pointer: '/of/id' } }).application).toBeUndefined();
    },
  );

  test.each([{ value: '{"other":1}' }, { value: 'null' }, { value: null }])(
    'a record that names no customer has no application: %j',
    (given) => {
      const config = { application: { pointer: '/of' }, tombstones: 'send' } as const;
      expect(event(given, config).application).toBeUndefined();
    },
  );

  test('a record without the data is rejected; null is data', () => {
    const data = { pointer: '/data' };
    expect(rejection({ value: '{}' }, { data })[1]).toBe('No data: the value at /data has no value');
    expect(event({ value: '{"data":null}' }, { data }).body.toString()).toBe('null');
  });
});

describe('keys', () => {
  test('the key of the record orders only where the source says so', () => {
    expect(event({ key: 'order-7' }).orderingKey).toBeUndefined();
    expect(event({ key: 'order-7' }, { orderingKey: 'key' }).orderingKey).toBe('order-7');
    expect(event({ key: null }, { orderingKey: 'key' }).orderingKey).toBeUndefined();
  });

  test.each(['', 'a b', 'é', 'x'.repeat(256)])('%j is no ordering key and no idempotency key', (key) => {
    expect(rejection({ key }, { orderingKey: 'key' })[1]).toMatch(/^The key of the record must be 1 to 255 visible/);
    const config = { idempotencyKey: { header: 'id' } };
    expect(rejection({ headers: { id: key } }, config)[1]).toMatch(/^The idempotency key must be 1 to 255 visible/);
  });

  test('the idempotency key is in its header', () => {
    expect(event({ headers: { id: 'a-1' } }, { idempotencyKey: { header: 'id' } }).idempotencyKey).toBe('a-1');
  });
});

test('a tombstone is skipped, or an event without a payload and without a content type', () => {
  expect(map({ value: null })).toBeUndefined();
  const config = { tombstones: 'send', data: { pointer: '/data' } } as const;
  expect(event({ value: null }, config)).toMatchObject({ body: Buffer.alloc(0), contentType: undefined });
});

test('a payload over the limit is rejected by its size, and only the data counts where it has a pointer', () => {
  const value = JSON.stringify({ data: 1, other: 'x'.repeat(200) });
  expect(rejection({ value })).toEqual(['payload_too_large', 'data must be at most 100 bytes', 7n]);
  expect(event({ value }, { data: { pointer: '/data' } }).body.toString()).toBe('1');
});
