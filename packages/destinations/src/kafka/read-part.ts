import { FoundError } from '../broker/failures.ts';
import type { FetchedPartition } from './fetch.ts';
import type { Batch } from './records.ts';

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
  /** Why the batch at `next` cannot be read, with its place; undefined if it was read or not reached. */
  fault: FoundError | undefined;
};

const [LOG_APPEND_TIME, TRANSACTIONAL, CONTROL] = [1 << 3, 1 << 4, 1 << 5];

type Fetched = Pick<FetchedPartition, 'abortedTransactions' | 'lastStableOffset'> & {
  batches: Batch[];
  fault: FoundError | undefined;
};

/**
 * The records in a broker's answer for a partition, without those before the requested offset and those of aborted
 * transactions.
 */
export function partOf(
  { topic, partition, offset: from }: { topic: string; partition: number; offset: bigint },
  { batches, fault, abortedTransactions, lastStableOffset }: Fetched,
): ReadPart {
  const last = batches.at(-1);
  const behind = last === undefined ? from : last.firstOffset + BigInt(last.lastOffsetDelta) + 1n;
  const next = behind > from ? behind : from;
  const records = committed(batches, abortedTransactions).flatMap(recordsOf);
  return {
    ...{ topic, partition, from, next, end: lastStableOffset },
    records: records.filter(({ offset }) => offset >= from),
    fault: fault && withPlace(`${topic}/${partition}/${next}`, fault),
  };
}

function withPlace(place: string, { failure }: FoundError): FoundError {
  return new FoundError({ ...failure, message: `${place}: ${failure.message}` });
}

/**
 * Leaves out the batches of aborted transactions, as Apache Kafka's own client does. (The library's filter keeps
 * records of an aborted transaction if its end is not in the same answer.)
 */
function committed(batches: readonly Batch[], aborted: Fetched['abortedTransactions']): Batch[] {
  const begun = aborted.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  const producers = new Set<bigint>();
  let at = 0;
  return batches.filter(({ attributes, firstOffset, lastOffsetDelta, producerId, records }) => {
    const lastOffset = firstOffset + BigInt(lastOffsetDelta);
    for (let one = begun[at]; one !== undefined && one.firstOffset <= lastOffset; one = begun[at]) {
      producers.add(one.producerId);
      at += 1;
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

function recordsOf({ firstOffset, firstTimestamp, maxTimestamp, attributes, records }: Batch): ReadRecord[] {
  const isAppendTime = (attributes & LOG_APPEND_TIME) !== 0;
  const ms = Number(isAppendTime ? maxTimestamp : firstTimestamp);
  return records.map(({ key, value, headers, offsetDelta, timestampDelta }) => ({
    offset: firstOffset + BigInt(offsetDelta),
    at: timeOf(isAppendTime ? ms : ms + timestampDelta),
    ...{ key, value },
    header(name) {
      const found = headers.findLast(([given]) => given?.toString() === name);
      // A header without a value is there: it does not mean the same as no header.
      return found && (found[1]?.toString() ?? '');
    },
  }));
}

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Producers give any number: microseconds, or -1 for none. Beyond these years, no timestamp of an answer could show it. */
function timeOf(ms: number): Date {
  return new Date(Math.min(Math.max(ms, 0), LAST_MS));
}
