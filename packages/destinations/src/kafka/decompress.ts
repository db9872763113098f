import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { compressionsAlgorithms } from '@platformatic/kafka';
import { FoundError, tooLarge } from '../broker/failures.ts';

// A tenant chooses what its brokers send, and a few bytes may be any number of records. The library has no limit, and two of its
// algorithms share one memory among all tenants. So what an answer becomes is bounded before it is made.

const MIB = 1024 * 1024;
/** Of one batch without its compression. */
const MOST_OF_BATCH = 64 * MIB;
/** What an object for each record takes, besides its bytes. */
const BYTES_OF_RECORD = 100;

/** The compressed batches of an answer become larger than was allowed. */
export class TooMuch extends FoundError {
  constructor() {
    super(tooLarge('A batch of records has more than 64 MiB without its compression. Seek behind it to go on'));
  }
}

let left: number | undefined;

/** Runs a parser, in which the records of compressed batches take at most so many bytes of memory. Throws `TooMuch`. */
export function withinMemory<Parsed>(bytes: number, parse: () => Parsed): Parsed {
  left = bytes;
  try {
    return parse();
  } finally {
    left = undefined;
  }
}

type Compressed = Buffer | { buffer: Buffer };
type Decompress = (data: Buffer, mostBytes: number) => Buffer;

function bounded(decompress: Decompress) {
  return (given: Compressed): Buffer => {
    const most = left ?? 2 * MOST_OF_BATCH;
    const made = decompress(Buffer.isBuffer(given) ? given : given.buffer, Math.min(MOST_OF_BATCH, most));
    const taken = made.length + BYTES_OF_RECORD * countRecords(made);
    if (taken > most) throw new TooMuch();
    if (left !== undefined) left -= taken;
    return made;
  };
}

/** By the lengths before the records. */
function countRecords(batch: Buffer): number {
  let count = 0;
  for (let at = 0; at < batch.length; count += 1) {
    const { value, end } = readVarint(batch, at);
    // Zigzag, as all lengths of records.
    at = end + Math.floor(value / 2);
  }
  return count;
}

const MOST_OF_VARINT = 5;

function readVarint(from: Buffer, start: number): { value: number; end: number } {
  let [value, factor, at] = [0, 1, start];
  while (at < start + MOST_OF_VARINT) {
    const byte = from[at] ?? 0;
    at += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) break;
    factor *= 0x80;
  }
  return { value, end: at };
}

/** An algorithm of Node, which stops at the limit. */
function stopping(decompress: (data: Buffer, options: { maxOutputLength: number }) => Buffer): Decompress {
  return (data, mostBytes) => {
    try {
      return decompress(data, { maxOutputLength: Math.max(1, mostBytes) });
    } catch (error) {
      throw error instanceof RangeError ? new TooMuch() : error;
    }
  };
}

/** An algorithm of the library, which begins only if its data says that it keeps the limit. */
function measured(sizeOf: (data: Buffer) => number, decompress: (data: Buffer) => Buffer): Decompress {
  return (data, mostBytes) => {
    if (sizeOf(data) > mostBytes) throw new TooMuch();
    return decompress(data);
  };
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
  if (!data.subarray(0, XERIAL.length).equals(XERIAL)) return readVarint(data, 0).value;
  let size = 0;
  for (let at = XERIAL_HEADER; at + 4 <= data.length; ) {
    size += readVarint(data, at + 4).value;
    at += 4 + data.readUInt32BE(at);
  }
  return size;
}

const { gzip, zstd, lz4, snappy } = compressionsAlgorithms;
const [lz4Decompress, snappyDecompress] = [lz4.decompressSync, snappy.decompressSync];
Object.assign(gzip, { decompressSync: bounded(stopping(gunzipSync)) });
Object.assign(zstd, { decompressSync: bounded(stopping(zstdDecompressSync)) });
Object.assign(lz4, { decompressSync: bounded(measured(lz4Size, lz4Decompress)) });
Object.assign(snappy, { decompressSync: bounded(measured(snappySize, snappyDecompress)) });
