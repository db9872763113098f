import { FoundError, tooLarge } from '../broker/failures.ts';
import { unreadable } from './answers.ts';
import { type Cursor, createCursor } from './cursor.ts';
import { decompress } from './decompress.ts';

// Batches of records as a broker answers them (https://kafka.apache.org/documentation/#recordbatch). The library's parser believes
// each length and number, and a tenant chooses what its brokers send.

/** Records that were written, or aborted, together. */
export type Batch = {
  firstOffset: bigint;
  lastOffsetDelta: number;
  attributes: number;
  firstTimestamp: bigint;
  maxTimestamp: bigint;
  producerId: bigint;
  records: BatchRecord[];
};

export type BatchRecord = {
  timestampDelta: number;
  offsetDelta: number;
  key: Buffer | null;
  value: Buffer | null;
  headers: [name: Buffer | null, value: Buffer | null][];
};

const MIB = 1024 * 1024;
/** What the records of a fetch take. The first batch alone may take more, so that each can be read. */
const MOST = { ofFetch: 64 * MIB, ofBatch: 128 * MIB, decompressed: 64 * MIB };
/** What a batch may take as the broker sends it. */
const MOST_SENT = 16 * MIB;
/** What the objects take, besides the bytes. */
const BYTES = { ofBatch: 300, ofRecord: 500, ofHeader: 300 };

const TOO_MANY = 'A batch of records has more than 64 MiB without its compression, or too many records';
const TOO_LONG = 'A batch of records has more than 16 MiB';

/** A batch takes more memory than is left. */
export class TooMuch extends FoundError {
  constructor(next?: bigint, message = TOO_MANY) {
    super(tooLarge(`${message}. Seek ${next === undefined ? 'behind it' : `to ${next}`} to go on`));
  }
}

/** What the records of one fetch may still take. */
export type Memory = ReturnType<typeof createMemory>;

export function createMemory() {
  let left = MOST.ofBatch;
  let hasBatch = false;
  return {
    left: () => left,
    /** Called before the bytes are used. Throws `TooMuch`. */
    take(bytes: number) {
      if (bytes > left) throw new TooMuch();
      left -= bytes;
    },
    /** Whether there was a batch before. The fetch ends where the memory does, and the next one goes on there. */
    hasBatch: () => hasBatch,
    endBatch() {
      if (!hasBatch) left -= MOST.ofBatch - MOST.ofFetch;
      hasBatch = true;
    },
    end() {
      left = 0;
    },
  };
}

/** Of the first offset, the length, and what has this length besides the records. */
const [HEAD, LEAST_OF_BATCH] = [12, 49];
/** Where a batch says its length, and how many offsets it spans. */
const [LENGTH, LAST_OFFSET_DELTA] = [8, 23];
const LAST_OFFSET = 2n ** 63n - 2n;
const LEAST_OF_RECORD = 7;
const COMPRESSION = 0b111;

/** Whether the first of the batches is too long. A broker sends it whole, whatever the request allows, and no other batch with it. */
export function isTooLong(data: Buffer): boolean {
  return data.length >= HEAD + LEAST_OF_BATCH && data.readInt32BE(LENGTH) > MOST_SENT;
}

/** What tells `readBatches` that a batch is too long. It keeps no other bytes in memory. */
export function headOf(data: Buffer): Buffer {
  return Buffer.from(data.subarray(0, HEAD + LEAST_OF_BATCH));
}

/** `fault`: why the batch after them cannot be read, however often it is fetched. */
type ReadBatches = { batches: Batch[]; fault: FoundError | undefined };

/**
 * The batches of a partition, as many as the memory has room for. The first batch of a fetch for which it has none is a fault.
 * A fault ends the fetch: to find it may have cost as much as a whole fetch.
 */
export function readBatches(data: Buffer, memory: Memory): ReadBatches {
  if (isTooLong(data)) return { batches: [], fault: new TooMuch(offsetBehind(data, 0), TOO_LONG) };
  const cursor = createCursor(data);
  const batches: Batch[] = [];
  let fault: FoundError | undefined;
  let next = 0n;
  // The answer may end within a batch.
  while (memory.left() > 0 && cursor.left() >= HEAD && cursor.left() - HEAD >= data.readInt32BE(cursor.at() + LENGTH)) {
    const start = cursor.at();
    try {
      const batch = readBatch(cursor, memory, next);
      next = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
      batches.push(batch);
    } catch (error) {
      if (!(error instanceof FoundError)) throw error;
      if (!(error instanceof TooMuch)) fault = error;
      else if (!memory.hasBatch()) fault = new TooMuch(offsetBehind(data, start));
      memory.end();
    }
  }
  return { batches, fault };
}

/** The offset behind the batch that begins at this place. */
function offsetBehind(data: Buffer, start: number): bigint {
  return data.readBigInt64BE(start) + BigInt(data.readInt32BE(start + LAST_OFFSET_DELTA)) + 1n;
}

function readBatch(cursor: Cursor, memory: Memory, least: bigint): Batch {
  const firstOffset = cursor.int64();
  const length = cursor.int32();
  if (length < LEAST_OF_BATCH) throw unreadable('a batch is too short');
  const body = createCursor(cursor.bytes(length));
  body.skip(4);
  if (body.int8() !== 2) throw unreadable('its records have a format from before Kafka 0.11');
  body.skip(4);
  const attributes = body.int16();
  const lastOffsetDelta = body.int32();
  const [firstTimestamp, maxTimestamp, producerId] = [body.int64(), body.int64(), body.int64()];
  body.skip(6);
  const count = body.int32();
  const isInOrder =
    firstOffset >= least && lastOffsetDelta >= 0 && firstOffset + BigInt(lastOffsetDelta) <= LAST_OFFSET;
  if (!isInOrder) throw unreadable('its offsets are not in order');
  memory.take(BYTES.ofBatch);
  const compressed = body.bytes(body.left());
  const kind = attributes & COMPRESSION;
  const data = kind === 0 ? compressed : decompress(kind, compressed, Math.min(memory.left(), MOST.decompressed));
  if (data === undefined) throw new TooMuch();
  if (kind !== 0) memory.take(data.length);
  const records = readRecords(data, { count, lastOffsetDelta, memory });
  memory.endBatch();
  return { firstOffset, lastOffsetDelta, attributes, firstTimestamp, maxTimestamp, producerId, records };
}

type Counted = { count: number; lastOffsetDelta: number; memory: Memory };

function readRecords(data: Buffer, { count, lastOffsetDelta, memory }: Counted): BatchRecord[] {
  if (count < 0 || count * LEAST_OF_RECORD > data.length) throw unreadable('it counts more records than it has');
  memory.take(count * BYTES.ofRecord);
  const cursor = createCursor(data);
  const records: BatchRecord[] = [];
  for (let last = -1; records.length < count; ) {
    const record = readRecord(cursor, memory);
    if (record.offsetDelta <= last || record.offsetDelta > lastOffsetDelta) {
      throw unreadable('its offsets are not in order');
    }
    last = record.offsetDelta;
    records.push(record);
  }
  if (cursor.left() > 0) throw unreadable('it has more records than it counts');
  return records;
}

function readRecord(cursor: Cursor, memory: Memory): BatchRecord {
  const end = cursor.endOf(cursor.varint());
  cursor.skip(1);
  const [timestampDelta, offsetDelta] = [cursor.varlong(), cursor.varint()];
  const [key, value] = [cursor.varbytes(), cursor.varbytes()];
  const count = cursor.varint();
  if (count < 0 || 2 * count > cursor.left()) throw unreadable('it counts more headers than it has');
  if (count > 0) memory.take(count * BYTES.ofHeader);
  const headers: BatchRecord['headers'] = [];
  while (headers.length < count) headers.push([cursor.varbytes(), cursor.varbytes()]);
  if (cursor.at() !== end) throw unreadable('a record has another length than it says');
  return { timestampDelta, offsetDelta, key, value, headers };
}
