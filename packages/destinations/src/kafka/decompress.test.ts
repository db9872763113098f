import { describe, expect, test } from '@jest/globals';
import { compressionsAlgorithms } from '@platformatic/kafka';
import { decompress, lz4Size, snappySize } from './decompress.ts';

const MIB = 1024 * 1024;

describe.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)('%s', (name) => {
  const { compressSync, bitmask } = compressionsAlgorithms[name];

  test('a batch within the limit is what it was', () => {
    const batch = Buffer.from('record '.repeat(10_000));
    expect(decompress(bitmask, compressSync(batch), MIB)).toEqual(batch);
  });

  test('a batch that becomes too large is not made, however few bytes it has', () => {
    const large = compressSync(Buffer.alloc(65 * MIB));
    expect(large.length).toBeLessThan(5 * MIB);
    expect(decompress(bitmask, large, 64 * MIB)).toBeUndefined();
    expect(decompress(bitmask, compressSync(Buffer.alloc(1_000)), 999)).toBeUndefined();
  });

  test('bytes that it has not made are refused', () => {
    expect(() => decompress(bitmask, Buffer.alloc(1_000, 0xee), MIB)).toThrow('cannot be read');
  });
});

test('an unknown algorithm is refused', () => {
  expect(() => decompress(7, Buffer.alloc(10), MIB)).toThrow('its compression is unknown');
});

test('what is no frame of LZ4 is refused before it is read', () => {
  expect(() => lz4Size(Buffer.from('no frame'))).toThrow('no LZ4 frame');
  // The former format, whose blocks have 8 MiB each.
  expect(() => lz4Size(Buffer.from([0x02, 0x21, 0x4c, 0x18, 0, 0, 0, 0]))).toThrow('no LZ4 frame');
});

test('the blocks that clients in Java write with their lengths are added up', () => {
  const { compressSync } = compressionsAlgorithms.snappy;
  const block = compressSync(Buffer.alloc(1_000));
  const raw = snappySize(block);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(block.length);
  const header = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect([raw, snappySize(Buffer.concat([header, length, block, length, block]))]).toEqual([1_000, 2_000]);
});
