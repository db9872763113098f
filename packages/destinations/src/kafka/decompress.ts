import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { compressionsAlgorithms } from '@platformatic/kafka';
import { unreadable } from './answers.ts';
import { createCursor } from './cursor.ts';

// A few bytes may be any number of records. Two algorithms of the library share one memory among all tenants, and have no limit.

/** `undefined`: it would be larger. */
type Decompress = (data: Buffer, mostBytes: number) => Buffer | undefined;

/** An algorithm of Node, which stops at the limit. */
function stopping(decompress: (data: Buffer, options: { maxOutputLength: number }) => Buffer): Decompress {
  return (data, mostBytes) => {
    try {
      return decompress(data, { maxOutputLength: Math.max(1, mostBytes) });
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  };
}

/** An algorithm of the library, which begins only if its data says that it keeps the limit. */
function measured(sizeOf: (data: Buffer) => number, decompress: (data: Buffer) => Buffer): Decompress {
  return (data, mostBytes) => (sizeOf(data) > mostBytes ? undefined : decompress(data));
}

const [LZ4_MAGIC, LZ4_RATIO] = [0x184d2204, 255];
const LZ4_BLOCKS = new Map([4, 5, 6, 7].map((code) => [code, 64 * 1024 * 4 ** (code - 4)]));
const [LZ4_CHECKSUM, LZ4_SIZE, LZ4_CONTENT_CHECKSUM, LZ4_DICTIONARY] = [1 << 4, 1 << 3, 1 << 2, 1];
const LZ4_STORED = 2 ** 31;

/** What LZ4 frames hold at most (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). */
export function lz4Size(data: Buffer): number {
  let size = 0;
  for (let at = 0; at < data.length; ) {
    const frame = measureFrame(data, at);
    size += frame.size;
    at = frame.end;
  }
  return size;
}

function measureFrame(data: Buffer, start: number): { size: number; end: number } {
  const most = data.length < start + 7 ? undefined : LZ4_BLOCKS.get((data.readUInt8(start + 5) >> 4) & 7);
  if (most === undefined || data.readUInt32LE(start) !== LZ4_MAGIC) throw new Error('no LZ4 frame');
  const flags = data.readUInt8(start + 4);
  const lengthOf = (flag: number, bytes: number) => ((flags & flag) === 0 ? 0 : bytes);
  let size = 0;
  let at = start + 7 + lengthOf(LZ4_SIZE, 8) + lengthOf(LZ4_DICTIONARY, 4);
  while (data.length >= at + 4) {
    const head = data.readUInt32LE(at);
    at += 4;
    if (head === 0) return { size, end: at + lengthOf(LZ4_CONTENT_CHECKSUM, 4) };
    const bytes = head % LZ4_STORED;
    size += head >= LZ4_STORED ? bytes : Math.min(most, LZ4_RATIO * bytes);
    at += bytes + lengthOf(LZ4_CHECKSUM, 4);
  }
  return { size, end: data.length };
}

const XERIAL = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);
const XERIAL_HEADER = 16;

/** What Snappy data holds: a block begins with its size, and clients in Java write several with their lengths. */
export function snappySize(data: Buffer): number {
  if (!data.subarray(0, XERIAL.length).equals(XERIAL)) return createCursor(data).uvarint();
  let size = 0;
  for (let at = XERIAL_HEADER; at + 4 <= data.length; ) {
    size += createCursor(data.subarray(at + 4)).uvarint();
    at += 4 + data.readUInt32BE(at);
  }
  return size;
}

const { lz4, snappy } = compressionsAlgorithms;
/** By the number that a batch has for it. */
const ALGORITHMS = new Map<number, Decompress>([
  [1, stopping(gunzipSync)],
  [2, measured(snappySize, snappy.decompressSync)],
  [3, measured(lz4Size, lz4.decompressSync)],
  [4, stopping(zstdDecompressSync)],
]);

/** The records of a batch without its compression. Undefined if they have more bytes, which are not made then. */
export function decompress(algorithm: number, data: Buffer, mostBytes: number): Buffer | undefined {
  const run = ALGORITHMS.get(algorithm);
  if (run === undefined) throw unreadable('its compression is unknown');
  try {
    return run(data, mostBytes);
  } catch {
    throw unreadable('its compression is wrong');
  }
}
