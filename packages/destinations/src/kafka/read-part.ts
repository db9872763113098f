import type { fetchV17, RecordsBatch } from '@platformatic/kafka';

export type ReadRecord = {
  offset: bigint;
  /** As the producer or the broker has set it, from 1970 to 9999. */
  at: Date;
  key: Buffer | null;
  /** Null for a tombstone. */
  value: Buffer | null;
  /** The last header of this name as text; undefined without one. */
  header(name: string): string | undefined;
};

/** The records of a partition from the offset that was asked for. */
export type ReadPart = {
  topic: string;
  partition: number;
  from: bigint;
  /** Behind the last record: also behind those that were aborted, and marks of transactions. */
  next: bigint;
  records: ReadRecord[];
  /** The end of what can be read now. */
  end: bigint;
};

const [LOG_APPEND_TIME, TRANSACTIONAL, CONTROL] = [1 << 3, 1 << 4, 1 << 5];

type Fetched = Pick<fetchV17.FetchResponsePartition, 'records' | 'abortedTransactions' | 'lastStableOffset'>;

/** What a broker has answered for a partition, without what it read before the place and what was aborted. */
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
 * The batches without those of aborted transactions, as Apache Kafka's own client reads them. (The library's filter keeps
 * the records of an aborted transaction whose end is not in the same answer.)
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
