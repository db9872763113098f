import { describe, expect, test } from '@jest/globals';
import { createRecordsBatch } from '@platformatic/kafka';
import { batchOf, recordOf, varint } from '@posthorn/testkit/hostile-kafka';
import { createMemory, readBatches, TooMuch } from './records.ts';

const KINDS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
const MIB = 1024 * 1024;

/** Without a key, a value and headers. */
const emptyRecord = (offsetDelta: number) => recordOf(0, offsetDelta, -1, -1, 0);

function read(data: Buffer, memory = createMemory()) {
  const { batches, fault } = readBatches(data, memory);
  if (fault !== undefined) throw fault;
  return batches;
}

describe.each(KINDS)('batches with the compression %s', (compression) => {
  test('are what the library has written', () => {
    const messages = Array.from({ length: 100 }, (_, index) => ({
      topic: 'orders',
      ...(index % 3 === 0 ? {} : { key: Buffer.from(`key ${index}`) }),
      ...(index % 5 === 0 ? {} : { value: Buffer.from(`value ${index}`.repeat(index)) }),
      headers: new Map([[Buffer.from('type'), Buffer.from(`order ${index}`)]]),
      timestamp: BigInt(1_700_000_000_000 + index * 1_000),
    }));
    const { buffer } = createRecordsBatch(messages as never, { compression });
    const [made, ...others] = read(buffer);
    expect(others).toEqual([]);
    expect(made).toMatchObject({ firstOffset: 0n, lastOffsetDelta: 99, firstTimestamp: 1_700_000_000_000n });
    expect(made?.records).toEqual(
      messages.map(({ key = null, value = null, headers }, index) => ({
        ...{ offsetDelta: index, timestampDelta: index * 1_000, key },
        value: value?.length === 0 ? expect.anything() : value,
        headers: [...headers],
      })),
    );
  });

  test('that count more records than they hold are refused before one is read', () => {
    expect(() => read(batchOf(emptyRecord(0), { count: 0x7fff_0000, compression }))).toThrow('more records');
  });

  test('that are small and become large are refused', () => {
    const data = batchOf(Buffer.alloc(65 * MIB), { count: 9_000_000, compression });
    if (compression !== 'none') expect(data.length).toBeLessThan(5 * MIB);
    expect(() => read(data)).toThrow(TooMuch);
  });
});

describe('a record', () => {
  test('whose lengths go back is refused, so none is read twice', () => {
    for (const wrong of [recordOf(0, 0, -7, -1, 0), recordOf(0, 0, -1, -7, 0), recordOf(0, 0, -1, -1, -1)]) {
      expect(() => read(batchOf(wrong, { count: 1 }))).toThrow('cannot be read');
    }
    expect(() => read(batchOf(Buffer.concat([varint(-7), Buffer.alloc(10)])))).toThrow('its lengths are wrong');
  });

  test('whose lengths are those of more bytes than there are is refused', () => {
    for (const wrong of [
      recordOf(0, 0, 2_000_000_000, -1, 0),
      recordOf(0, 0, -1, 9, 0),
      recordOf(0, 0, -1, -1, 1_000),
    ]) {
      expect(() => read(batchOf(wrong))).toThrow('cannot be read');
    }
  });

  test('whose time has any number of bytes is refused after ten', () => {
    expect(() => read(batchOf(recordOf(Buffer.alloc(MIB, 0xff), 0, -1, -1, 0)))).toThrow('a number in it is too long');
  });

  test('that ends elsewhere than it says is refused, and so is one behind the last', () => {
    expect(() => read(batchOf(recordOf(0, 0, -1, -1, 0, 0)))).toThrow('another length');
    expect(() => read(batchOf(Buffer.concat([emptyRecord(0), emptyRecord(1)])))).toThrow('more records than it counts');
  });

  test('with an offset that does not follow is refused', () => {
    const two = (a: number, b: number) =>
      batchOf(Buffer.concat([emptyRecord(a), emptyRecord(b)]), { count: 2, lastOffsetDelta: 5 });
    expect(read(two(1, 5))[0]?.records.map(({ offsetDelta }) => offsetDelta)).toEqual([1, 5]);
    for (const [a, b] of [
      [0, 0],
      [1, 0],
      [-1, 0],
      [0, 6],
    ] as const) {
      expect(() => read(two(a, b))).toThrow('its offsets are not in order');
    }
  });
});

describe('a batch', () => {
  test('that the answer cuts off is not read, and those before it are', () => {
    const data = Buffer.concat([batchOf(emptyRecord(0)), batchOf(emptyRecord(0), { firstOffset: 1n })]);
    for (const cut of [1, 20, 56, 67]) expect(read(data.subarray(0, data.length - cut))).toHaveLength(1);
    expect(read(data)).toHaveLength(2);
  });

  test('with a length below zero, or too small for what it says of itself, is refused', () => {
    for (const length of [-61, -1, 0, 48]) expect(() => read(batchOf(emptyRecord(0), { length }))).toThrow('too short');
  });

  test('whose offsets go back or beyond those of Kafka is refused', () => {
    const after = (first: bigint, last = 0) =>
      Buffer.concat([
        batchOf(emptyRecord(0), { firstOffset: 5n }),
        batchOf(emptyRecord(0), { firstOffset: first, lastOffsetDelta: last }),
      ]);
    expect(read(after(6n))).toHaveLength(2);
    for (const data of [after(5n), after(-1n), after(6n, -1), after(2n ** 63n - 1n), after(2n ** 63n - 2n, 1)]) {
      expect(() => read(data)).toThrow('its offsets are not in order');
    }
  });

  test('of an old format is refused in words that say so', () => {
    expect(() => read(batchOf(emptyRecord(0), { magic: 1 }))).toThrow('before Kafka 0.11');
  });
});

describe('what the records of a fetch take is bounded', () => {
  const many = (first: number, count: number) => {
    const records = Buffer.concat(Array.from({ length: count }, (_, index) => emptyRecord(index)));
    return batchOf(records, { firstOffset: BigInt(first), count });
  };

  test('a fetch ends where the memory does, and gives no more records', () => {
    const memory = createMemory();
    const data = Buffer.concat(Array.from({ length: 20 }, (_, index) => many(index * 10_000, 10_000)));
    const batches = read(data, memory);
    expect(batches.length).toBeGreaterThan(5);
    expect(batches.length).toBeLessThan(20);
    expect(read(many(0, 1), memory)).toEqual([]);
    expect(read(data)).toHaveLength(batches.length);
  });

  test('the first batch may take more than a fetch, and one that takes still more is refused', () => {
    const data = many(0, 200_000);
    expect(read(Buffer.concat([data, many(200_000, 1)])).map(({ records }) => records.length)).toEqual([200_000]);
    expect(() => read(many(0, 300_000))).toThrow(TooMuch);
  });

  test('the batches before one that cannot be read are given with its fault, and the fetch ends there', () => {
    const memory = createMemory();
    const wrong = batchOf(emptyRecord(0), { firstOffset: 2n, magic: 1 });
    const { batches, fault } = readBatches(Buffer.concat([many(0, 2), wrong]), memory);
    expect([batches.length, fault?.message]).toEqual([1, expect.stringContaining('before Kafka 0.11')]);
    expect(read(many(0, 1), memory)).toEqual([]);
  });

  test('headers count, too', () => {
    const headers = Buffer.concat(Array.from({ length: 500_000 }, () => Buffer.concat([varint(0), varint(0)])));
    expect(() => read(batchOf(recordOf(0, 0, -1, -1, 500_000, headers)))).toThrow(TooMuch);
  });
});
