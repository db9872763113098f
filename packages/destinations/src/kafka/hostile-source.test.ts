import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Writer } from '@platformatic/kafka';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import {
  API_VERSIONS,
  batchOf,
  type Cluster,
  FETCH,
  fetchAnswer,
  LIST_OFFSETS,
  METADATA,
  recordOf,
  serveKafka,
} from '@posthorn/testkit/hostile-kafka';
import { openReader, type SourceReader } from './read.ts';

const MIB = 1024 * 1024;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The brokers of a tenant, and a reader of its source. */
async function read(cluster: Cluster): Promise<SourceReader> {
  const { port, close } = await serveKafka(cluster);
  const reader = openReader({
    settings: { brokers: [`127.0.0.1:${port}`], tls: false, saslMechanism: 'none' },
    ...{ credentials: {}, topics: ['events'], allowPlaintext: true, clock: systemClock },
    rules: parseAllowedCidrs('127.0.0.0/8'),
  });
  closing.push(close, () => reader.close());
  return reader;
}

const PLACE = { topic: 'events', partition: 0, offset: 0n };

/** As a source does. */
async function readAll(reader: SourceReader) {
  await reader.describe();
  await reader.offsetsAt('events', 'earliest');
  return reader.fetch([PLACE]);
}

/** What the source says after it. */
async function faultOf(cluster: Cluster): Promise<string> {
  const reader = await read(cluster);
  const error = await readAll(reader).then(
    ([part]) => part?.fault ?? new Error('it was read'),
    (error: unknown) => error,
  );
  return reader.explain(error).message;
}

const answering = (...batches: Buffer[]): Cluster => ({ answers: { [FETCH]: () => fetchAnswer(...batches) } });
const good = answering(batchOf(recordOf(0, 0, -1, Buffer.from([2, 0x7b]), 0)));
const [MANY, BACK] = [Buffer.of(0xff, 0xff, 0xff, 0xff, 0x07), Buffer.of(0xfa, 0xff, 0xff, 0xff, 0x0f)];
const ZEROS = Buffer.alloc(65 * MIB);
const emptyMetadata = Writer.create()
  .appendTaggedFields()
  .appendInt32(0)
  .appendArray([], () => undefined)
  .appendString(null)
  .appendInt32(0).buffer;

test('a record that a cluster has is read', async () => {
  const [part] = await readAll(await read(good));
  expect(part?.records.map(({ value }) => value?.toString())).toEqual(['{']);
  expect(part).toMatchObject({ from: 0n, next: 1n, end: 9n });
});

describe('an answer that would end or hold up the process fails its own source, which says why', () => {
  const zeros = (compression: 'gzip' | 'lz4' | 'snappy' | 'zstd') =>
    answering(batchOf(ZEROS, { compression, count: 9_000_000 }));
  test.each<[name: string, cluster: Cluster, why: RegExp]>([
    [
      'the same record again and again',
      answering(batchOf(recordOf(0, 0, -7, -1, 0), { count: 0x7fff_0000 })),
      /more records/,
    ],
    ['a key that goes back', answering(batchOf(recordOf(0, 0, -7, -1, 0))), /its lengths are wrong/],
    ['a time of 8 MiB', answering(batchOf(recordOf(Buffer.alloc(8 * MIB, 0xff), 0, -1, -1, 0))), /too long/],
    ['a batch of 17 MiB', answering(batchOf(recordOf(0, 0, -1, Buffer.alloc(17 * MIB), 0))), /more than 16 MiB/],
    ['a batch of 33 MiB', answering(batchOf(recordOf(0, 0, -1, Buffer.alloc(33 * MIB), 0))), /too long/],
    ['21 MiB of small batches', answering(Buffer.concat(Array(21).fill(batchOf(Buffer.alloc(MIB))))), /too long/],
    ['zeros in gzip', zeros('gzip'), /more than 64 MiB/],
    ['zeros in LZ4', zeros('lz4'), /more than 64 MiB/],
    ['zeros in Snappy', zeros('snappy'), /more than 64 MiB/],
    ['zeros in Zstandard', zeros('zstd'), /more than 64 MiB/],
    ['1,001 partitions', { partitions: 1_001 }, /1,001 partitions together, and a source reads at most 1,000/],
    [
      'partitions without end',
      { answers: { [LIST_OFFSETS]: () => Buffer.concat([Buffer.alloc(5), MANY, BACK]) } },
      /lengths/,
    ],
    [
      'topics without end',
      { answers: { [METADATA]: () => Buffer.concat([emptyMetadata, MANY, Buffer.alloc(2), BACK, Buffer.alloc(50)]) } },
      /its lengths are wrong/,
    ],
    ['no requests', { answers: { [API_VERSIONS]: () => Buffer.of(0, 0, 1, 0, 0, 0, 0, 0) } }, /it names no requests/],
    [
      'topics of a fetch without end',
      { answers: { [FETCH]: () => Buffer.concat([Buffer.alloc(11), MANY]) } },
      /too many/,
    ],
  ])('%s', async (_name, cluster, why) => {
    const [fault, parts] = await Promise.all([faultOf(cluster), read(good).then(readAll)]);
    expect(fault).toMatch(why);
    expect(parts[0]?.records).toHaveLength(1);
  });

  test('endless answers of many brokers are kept together up to a limit', async () => {
    const hosts = Array.from({ length: 60 }, (_, index) => `127.0.0.${index + 1}`);
    const onMessage = (socket: Socket) =>
      socket.write(Buffer.concat([Buffer.of(0, 0xff, 0xff, 0xff), Buffer.alloc(MIB)]));
    const reader = await read({ hosts, onMessage });
    await reader.describe();
    const places = hosts.map((_, partition) => ({ ...PLACE, partition }));
    const error = await reader.fetch(places).catch((error: unknown) => error);
    expect(reader.explain(error).message).toMatch(/too long/);
  });
});

test('a batch that cannot be read is named with its place, and the partitions behind it are read without it', async () => {
  const headers = Buffer.alloc(1_000_000);
  const tooMany = batchOf(recordOf(0, 0, -1, -1, 500_000, headers), { firstOffset: 3n, lastOffsetDelta: 4 });
  const two = (first: Buffer) => ({ partitions: 2, ...answering(first, batchOf(recordOf(0, 0, -1, -1, 0))) });
  const other = { ...PLACE, partition: 1 };
  const reader = await read(two(tooMany));
  const parts = await reader.fetch([{ ...PLACE, offset: 5n }, other]);
  expect(parts.map(({ fault, next }) => [fault?.message, next])).toEqual([
    [expect.stringMatching(/^events\/0\/5: .* more than 64 MiB .* Seek to 8 to go on$/), 5n],
    [undefined, 0n],
  ]);
  expect((await reader.fetch([other])).map(({ records }) => records.length)).toEqual([1]);
  const after = await read(two(Buffer.concat([batchOf(recordOf(0, 0, -1, -1, 0)), tooMany])));
  expect(await after.fetch([PLACE, other])).toMatchObject([{ next: 1n, fault: undefined }, { next: 0n }]);
});

test.each([17, 28])('a batch of %i MiB holds up its partition alone', async (mebibytes) => {
  const large = batchOf(recordOf(0, 0, -1, Buffer.alloc(mebibytes * MIB), 0), { firstOffset: 3n, lastOffsetDelta: 4 });
  const small = batchOf(recordOf(0, 0, -1, -1, 0));
  const reader = await read({ partitions: 2, answers: { [FETCH]: () => fetchAnswer(...answers.splice(0, 1).flat()) } });
  const answers = [[large, small], [Buffer.alloc(0), small], [large]];
  const other = { ...PLACE, partition: 1 };
  const parts = await reader.fetch([{ ...PLACE, offset: 5n }, other]);
  expect(parts.map(({ fault, next }) => [fault?.message, next])).toEqual([
    ['events/0/5: A batch of records has more than 16 MiB. Seek to 8 to go on', 5n],
    [undefined, 0n],
  ]);
  expect((await reader.fetch([other])).map(({ records }) => records.length)).toEqual([1]);
  expect(await reader.fetch([PLACE])).toMatchObject([{ fault: expect.anything() }]);
});

test('a source of 1,000 partitions is read', async () => {
  const reader = await read({ ...good, partitions: 1_000 });
  expect((await reader.describe()).get('events')?.partitions).toBe(1_000);
  expect(await reader.offsetsAt('events', 'earliest')).toHaveLength(1_000);
});
