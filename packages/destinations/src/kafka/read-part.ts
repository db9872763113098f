import type { fetchV17, RecordsBatch } from '@platformatic/kafka';

export type ReadRecord = {
  offset: bigint;
  /** As the producer or the broker has set it, from 1970 to 9999. */
  at: Date;
  key: Buffer | null;
  /** Null for a tombstone. */
  value: Buffer | null;
  /** The text of the last header of this name; undefined if there is none. */
  header(name: string): string | undefined;
};

/** The records of a partition from the requested offset on. */
export type ReadPart = {
  topic: string;
  partition: number;
  from: bigint;
  /** The offset after the last record, including aborted records and transaction markers. */
  next: bigint;
  records: ReadRecord[];
  /** The end of what can be read now. */
  end: bigint;
};

const [LOG_APPEND_TIME, TRANSACTIONAL, CONTROL] = [1 << 3, 1 << 4, 1 << 5];

type Fetched = Pick<fetchV17.FetchResponsePartition, 'records' | 'abortedTransactions' | 'lastStableOffset'>;

/**
 * The records in a broker's answer for a partition, without those before the requested offset and those of aborted
 * transactions.
 */
export function partOf(
  { topic, partition, offset: from }: { topic: string; partition: number; offset: bigint },
  { records: batches = [], abortedTransactions, lastStableOffset }: Fetched,
): ReadPart {
  const last = batches.at(-1);
  const next = last === undefined ? from : last.firstOffset + BigInt(last.lastOffsetDelta) + 1n;
  const records = committed(batches, abortedTransactions).flatMap(recordsOf);
  const part = { topic, partition, from, end: lastStableOffset };
  return { ...part, next: next > from ? next : from, records: records.filter(({ offset }) => offset >= from) };
}

/**
 * Leaves out the batches of aborted transactions, as Apache Kafka's own client does. (The library's filter keeps
 * records of an aborted transaction if its end is not in the same answer.)
 */
function committed(batches: readonly RecordsBatch[], aborted: Fetched['abortedTransactions']): RecordsBatch[] {
  const begun = aborted.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  const producers = new Set<bigint>();
  return batches.filter(({ attributes, firstOffset, lastOffsetDelta, producerId, records }) => {
    const lastOffset = firstOffset + BigInt(lastOffsetDelta);
    for (let [one] = begun; one !== undefined && one.firstOffset <= lastOffset; [one] = begun) {
      producers.add(one.producerId);
      begun.shift();
    }
    if ((attributes & CONTROL) !== 0) {
      const key = records[0]?.key;
      const isAbort = key !== null && key !== undefined && key.length >= 4 && key.readInt16BE(2) === 0;
      if (isAbort) producers.delete(producerId);
      return false;
    }
    return (attributes & TRANSACTIONAL) === 0 || !producers.has(producerId);
  });
}

function recordsOf({ firstOffset, firstTimestamp, maxTimestamp, attributes, records }: RecordsBatch): ReadRecord[] {
  const isAppendTime = (attributes & LOG_APPEND_TIME) !== 0;
  return records.map(({ key, value, headers, offsetDelta, timestampDelta }) => ({
    offset: firstOffset + BigInt(offsetDelta),
    at: timeOf(isAppendTime ? maxTimestamp : firstTimestamp + timestampDelta),
    ...{ key, value },
    header: (name) => headers.findLast(([given]) => given?.toString() === name)?.[1]?.toString(),
  }));
}

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Producers give any number: microseconds, or -1 for none. Beyond these years, no timestamp of an answer could show it. */
function timeOf(ms: bigint): Date {
  return new Date(Math.min(Math.max(Number(ms), 0), LAST_MS));
}
