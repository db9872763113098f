import { describe, expect, test } from '@jest/globals';
import { type CloudEventV1, HTTP } from 'cloudevents';
import fc from 'fast-check';
import { formatPayload, type PayloadToFormat } from './payload-format.ts';

const payload = (given: Partial<PayloadToFormat> = {}): PayloadToFormat => ({
  eventId: '0193c5a1-7f00-7000-8000-000000000002',
  workspaceId: '0193c5a1-7f00-7000-8000-000000000004',
  environmentId: '0193c5a1-7f00-7000-8000-000000000005',
  eventType: 'order.created',
  contentType: 'application/json',
  body: Buffer.from('{"total":1}'),
  isIngested: true,
  ...given,
});

const envelope = (given?: Partial<PayloadToFormat>) => formatPayload('envelope', payload(given)).body.toString();

test('raw is the bytes and the content type as ingested', () => {
  const given = payload({ body: Buffer.from([0, 255]), contentType: null });
  expect(formatPayload('raw', given)).toEqual({ body: given.body, contentType: null });
});

describe('an envelope', () => {
  test('has the id, type and time of the event, and the JSON as its data', () => {
    const { body, contentType } = formatPayload('envelope', payload());
    expect(contentType).toBe('application/json');
    expect(JSON.parse(body.toString())).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      type: 'order.created',
      timestamp: '2024-12-14T14:45:15.648Z',
      data: { total: 1 },
    });
  });

  test('contains JSON as the bytes that were ingested', () => {
    const written = '{ "b" : 1.0,\r\n"a":1e400, "a" : 12345678901234567890, "c": "\\ud800" }';
    expect(envelope({ body: Buffer.from(written) })).toContain(`"data":${written}}`);
    expect(envelope({ body: Buffer.from(`\ufeff${written}`) })).toContain(`"data":${written}}`);
  });

  test.each<[string, Partial<PayloadToFormat>, string]>([
    ['text', { contentType: 'text/plain', body: Buffer.from('é') }, 'w6k='],
    ['bytes of no type', { contentType: null, body: Buffer.from([0, 1]) }, 'AAE='],
  ])('contains %s as base64', (_name, given, base64) => {
    const parsed = JSON.parse(envelope(given));
    expect(parsed).toMatchObject({ dataBase64: base64 });
    expect(parsed).not.toHaveProperty('data');
  });

  test('contains what a transformation made as base64 if only its content type says that it is JSON', () => {
    const made = (text: string) => JSON.parse(envelope({ body: Buffer.from(text), isIngested: false }));
    expect(made('paid, "yes"')).toMatchObject({ dataBase64: Buffer.from('paid, "yes"').toString('base64') });
    expect(made('1},"id":"other","x":{"y":2')).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'order.created',
    });
    expect(made('\ufeff{"total":2}')).toMatchObject({ data: { total: 2 } });
  });

  test('of an empty body has no data', () => {
    const { data, dataBase64 } = JSON.parse(envelope({ body: Buffer.alloc(0) }));
    expect([data, dataBase64]).toEqual([undefined, undefined]);
  });

  test('of direct ingestion has no type', () => {
    expect(JSON.parse(envelope({ eventType: null })).type).toBeNull();
  });

  test('of any JSON is JSON with equal data', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(envelope({ body: Buffer.from(text) })).data).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('a CloudEvent', () => {
  /** Parses as a receiver does, and checks against the JSON Schema of the specification. */
  function received(given?: Partial<PayloadToFormat>): CloudEventV1<unknown> {
    const { body, contentType } = formatPayload('cloudevents', payload(given));
    const event = HTTP.toEvent({ headers: { 'content-type': contentType ?? '' }, body: body.toString() });
    if (Array.isArray(event)) throw new Error('one event was expected');
    expect((event as unknown as { validate: () => boolean }).validate()).toBe(true);
    return event;
  }

  test('satisfies the specification and names the event and its source', () => {
    expect(received()).toMatchObject({
      specversion: '1.0',
      id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      source: expect.stringMatching(/^\/workspaces\/ws_[0-9a-z]{26}\/environments\/env_[0-9a-z]{26}$/),
      type: 'order.created',
      time: '2024-12-14T14:45:15.648Z',
      datacontenttype: 'application/json',
      data: { total: 1 },
    });
  });

  test.each<[string, Partial<PayloadToFormat>]>([
    ['text', { contentType: 'text/plain; charset=utf-8', body: Buffer.from('é') }],
    ['bytes of no type', { contentType: null, body: Buffer.from([0, 1, 255]) }],
    ['an empty body', { body: Buffer.alloc(0) }],
    ['direct ingestion', { eventType: null }],
    ['a JSON text that is no object', { body: Buffer.from('"text"') }],
    ['a type that ends in +json', { contentType: 'application/vnd.shop+json' }],
  ])('of %s satisfies the specification', (_name, given) => {
    expect(received(given).type).toBe(given.eventType === null ? 'posthorn.direct' : 'order.created');
  });

  test('of an empty body has no data', () => {
    const { data, data_base64 } = received({ body: Buffer.alloc(0) });
    expect([data, data_base64]).toEqual([undefined, undefined]);
  });

  test('has everything but JSON in data_base64', () => {
    const bytes = Buffer.from([0, 1, 255]);
    const { body } = formatPayload('cloudevents', payload({ contentType: 'image/png', body: bytes }));
    const parsed = JSON.parse(body.toString());
    expect(Buffer.from(parsed.data_base64, 'base64')).toEqual(bytes);
    expect(parsed).not.toHaveProperty('data');
  });
});
