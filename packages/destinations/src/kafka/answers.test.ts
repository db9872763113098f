import { describe, expect, test } from '@jest/globals';
import {
  apiVersionsV3,
  listOffsetsV9,
  metadataV12,
  produceV11,
  Reader,
  saslHandshakeV1,
  Writer,
} from '@platformatic/kafka';
import { FoundError } from '../broker/failures.ts';
import { bounded } from './answers.ts';

const NAME = '12345678-1234-4234-8234-123456789012';

function read(api: { api: { key: number; version: number }; parseResponse: unknown }, answer: Buffer) {
  const parse = api.parseResponse as Parameters<typeof bounded>[0];
  return bounded(parse)(1, api.api.key, api.api.version, Reader.from(answer));
}

/** The error as the library is given it. */
function errorOf(work: () => unknown): { findBy: unknown; cause: unknown } {
  try {
    work();
  } catch (error) {
    return error as { findBy: unknown; cause: unknown };
  }
  throw new Error('the answer was read');
}

function expectUnreadable(work: () => unknown): void {
  const error = errorOf(work);
  expect(error.findBy).toEqual(expect.any(Function));
  expect(error.cause).toBeInstanceOf(FoundError);
}

const varint = (...bytes: number[]) => Buffer.from(bytes);
/** 2,147,483,646 elements. */
const MANY = varint(0xff, 0xff, 0xff, 0xff, 0x07);
/** As a length of 32 bits with a sign, -8. */
const BACK = varint(0xf9, 0xff, 0xff, 0xff, 0x0f);

describe('an answer is read to its end, or refused', () => {
  test.each([
    ['metadata', metadataV12, 4],
    ['offsets', listOffsetsV9, 4],
    ['versions', apiVersionsV3, 2],
    ['produce', produceV11, 0],
  ] as const)('%s: more elements than bytes', (_name, api, start) => {
    for (const fill of [0, 1]) {
      expectUnreadable(() => read(api, Buffer.concat([Buffer.alloc(start), MANY, Buffer.alloc(1_000, fill)])));
    }
  });

  test('a name whose length goes back does not let the same element be read again and again', () => {
    const start = Writer.create()
      .appendInt32(0)
      .appendArray([], () => undefined)
      .appendString(null)
      .appendInt32(0);
    const topic = Buffer.concat([Buffer.alloc(2), BACK, Buffer.alloc(64, 1)]);
    expectUnreadable(() => read(metadataV12, Buffer.concat([start.buffer, MANY, topic])));
  });

  test('counts below zero are no elements; those that nothing follows are refused', () => {
    const count = (elements: number) => Writer.create().appendInt16(0).appendInt32(elements).buffer;
    expect(read(saslHandshakeV1, count(-7))).toMatchObject({ mechanisms: [] });
    expectUnreadable(() => read(saslHandshakeV1, count(7)));
  });

  test('a broker that names no requests is not asked again for ever', () => {
    const answer = Writer.create()
      .appendInt16(0)
      .appendArray([], () => undefined)
      .appendInt32(0);
    expectUnreadable(() => read(apiVersionsV3, answer.buffer));
  });

  test('what a broker says of signing in is short, and no answer but that to a fetch is longer than the largest description', () => {
    expectUnreadable(() => read(saslHandshakeV1, Buffer.alloc(4_097)));
    expectUnreadable(() => read(metadataV12, Buffer.alloc(262_145)));
  });
});

test('a number of 64 bits has at most 10 bytes, however many follow', () => {
  const long = (reader: Reader) => reader.readVarInt64();
  const parse = bounded((_id, _key, _version, reader) => long(reader));
  const of = (bytes: Buffer) => parse(1, 3, 12, Reader.from(bytes));
  for (const value of [0n, -1n, 300n, -(2n ** 30n)]) {
    expect(of(Writer.create().appendVarInt64(value).buffer)).toBe(value);
  }
  expect(of(Buffer.from([...Array(9).fill(0xff), 1]))).toBe(-(2n ** 63n));
  expectUnreadable(() => of(Buffer.alloc(200_000, 0xff)));
});

test('tagged fields are skipped, and what follows them is read', () => {
  const partition = Writer.create().appendInt32(3).appendInt16(0).appendInt64(-1n).appendInt64(7n).appendInt32(0);
  const tagged = Buffer.from([2, 0, 3, 1, 2, 3, 1, 1, 9]);
  const answer = Buffer.concat([
    ...[Buffer.alloc(4), Buffer.of(2), Writer.create().appendString('orders').buffer, Buffer.of(3)],
    ...[partition.buffer, tagged, partition.buffer, tagged, tagged, Buffer.of(0)],
  ]);
  const { topics } = read(listOffsetsV9, answer) as listOffsetsV9.ListOffsetsResponse;
  expect(topics.flatMap(({ partitions }) => partitions).map(({ offset }) => offset)).toEqual([7n, 7n]);
});

test('an answer in many pieces is read as one', () => {
  const whole = Writer.create()
    .appendInt32(0)
    .appendArray(['a', 'b'], (w, host, id) =>
      w.appendInt32(id).appendString(host).appendInt32(9_092).appendString(null),
    )
    .appendString('cluster')
    .appendInt32(0)
    .appendArray(['orders'], (w, name) => {
      w.appendInt16(0).appendString(name).appendUUID(NAME).appendBoolean(false);
      w.appendArray([], () => undefined).appendInt32(0);
    })
    .appendTaggedFields().buffer;
  const pieces = Writer.create();
  for (const byte of whole) pieces.dynamicBuffer.append(Buffer.of(byte));
  const parse = bounded(metadataV12.parseResponse);
  const answer = parse(1, 3, 12, Reader.from(pieces)) as metadataV12.MetadataResponse;
  expect(answer.brokers.map(({ host }) => host)).toEqual(['a', 'b']);
  expect(answer.topics[0]).toMatchObject({ name: 'orders', topicId: NAME });
});
