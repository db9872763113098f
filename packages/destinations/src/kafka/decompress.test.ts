import { describe, expect, test } from '@jest/globals';
import { compressionsAlgorithms } from '@platformatic/kafka';
import { lz4Size, snappySize, TooMuch, withinMemory } from './decompress.ts';

const MIB = 1024 * 1024;
const names = ['gzip', 'zstd', 'lz4', 'snappy'] as const;

/** As many records of this size as fit into so many bytes, with their lengths before them. */
function records(count: number, size: number): Buffer {
  const length: number[] = [];
  for (let rest = 2 * size; ; rest >>>= 7) {
    length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) break;
  }
  const one = Buffer.concat([Buffer.from(length), Buffer.alloc(size, 'x')]);
  return Buffer.concat(Array.from({ length: count }, () => one));
}

describe.each(names)('%s', (name) => {
  const { compressSync, decompressSync } = compressionsAlgorithms[name];

  test('a batch within the limit is what it was', () => {
    const batch = records(100, 1_000);
    expect(withinMemory(MIB, () => decompressSync(compressSync(batch)))).toEqual(batch);
    expect(decompressSync(compressSync(batch))).toEqual(batch);
  });

  test('a batch that becomes too large is not made, however few bytes it has', () => {
    const large = compressSync(Buffer.alloc(65 * MIB));
    expect(large.length).toBeLessThan(5 * MIB);
    expect(() => decompressSync(large)).toThrow(TooMuch);
    expect(() => withinMemory(MIB, () => decompressSync(compressSync(records(3, MIB))))).toThrow(TooMuch);
  });

  test('the batches of an answer share the limit, and the next answer has it anew', () => {
    const batch = compressSync(records(1, 400_000));
    const read = (count: number) =>
      withinMemory(MIB, () => Array.from({ length: count }, () => decompressSync(batch).length));
    expect(read(2)).toHaveLength(2);
    expect(() => read(3)).toThrow(TooMuch);
    expect(read(2)).toHaveLength(2);
  });

  test('many small records take more than their bytes', () => {
    const batch = compressSync(records(20_000, 7));
    expect(() => withinMemory(MIB, () => decompressSync(batch))).toThrow(TooMuch);
    expect(withinMemory(4 * MIB, () => decompressSync(batch)).length).toBe(160_000);
  });
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
