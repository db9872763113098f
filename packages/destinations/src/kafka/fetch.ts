import { createAPI, fetchV17, ResponseError } from '@platformatic/kafka';
import { unreadable } from './answers.ts';
import { type Cursor, createCursor } from './cursor.ts';

/** All topics of a source together. */
export const MOST_PARTITIONS = 1_000;
/** An answer of 16 MiB with one record in each transaction has no more. */
const MOST_ABORTED = 100_000;

export type FetchedPartition = {
  topicId: string;
  partition: number;
  /** The end of what can be read. */
  lastStableOffset: bigint;
  abortedTransactions: AbortedTransaction[];
  /** The batches, as the broker has them. */
  records: Buffer;
};

export type Fetched = { bytes: number; partitions: FetchedPartition[] };

type AbortedTransaction = { producerId: bigint; firstOffset: bigint };

/** Asks for records, and answers them unread: only when their turn comes do they take more memory than their bytes. */
export const fetchPartitions = createAPI<Parameters<typeof fetchV17.createRequest>, Fetched>(
  fetchV17.api.key,
  fetchV17.api.version,
  fetchV17.createRequest,
  (_correlationId, apiKey, apiVersion, { buffer: { buffer } }) => {
    const cursor = createCursor(buffer);
    const failWith = (code: number, path: string) => {
      if (code !== 0) throw new ResponseError(apiKey, apiVersion, { [path]: [code, null] }, {});
    };
    cursor.skip(4);
    failWith(cursor.int16(), '');
    cursor.skip(4);
    const partitions: FetchedPartition[] = [];
    let aborted = 0;
    for (let topics = countOf(cursor, MOST_PARTITIONS); topics > 0; topics -= 1) {
      const topicId = uuid(cursor.bytes(16));
      for (let count = countOf(cursor, MOST_PARTITIONS - partitions.length); count > 0; count -= 1) {
        const partition = cursor.int32();
        failWith(cursor.int16(), `/${partition}`);
        cursor.skip(8);
        const lastStableOffset = cursor.int64();
        cursor.skip(8);
        const length = countOf(cursor, MOST_ABORTED - aborted);
        aborted += length;
        const abortedTransactions = Array.from({ length }, () => readAborted(cursor));
        cursor.skip(4);
        const records = cursor.bytes(Math.max(0, cursor.uvarint() - 1));
        cursor.tags();
        partitions.push({ topicId, partition, lastStableOffset, abortedTransactions, records });
      }
      cursor.tags();
    }
    return { bytes: buffer.length, partitions };
  },
);

/** The elements of an array follow. */
function countOf(cursor: Cursor, most: number): number {
  const count = Math.max(0, cursor.uvarint() - 1);
  if (count > most) throw unreadable('it has too many elements');
  return count;
}

function readAborted(cursor: Cursor): AbortedTransaction {
  const one = { producerId: cursor.int64(), firstOffset: cursor.int64() };
  cursor.tags();
  return one;
}

function uuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
