import { describe, expect, test } from '@jest/globals';
import { partOf } from './read-part.ts';

type Answer = Parameters<typeof partOf>[1];
type Batch = Answer['batches'][number];

const NONE = -1n;
const [LOG_APPEND_TIME, TRANSACTIONAL, CONTROL] = [8, 16, 32];
const [ABORT, COMMIT] = [0, 1];

/** A batch with one record for each value. */
function batch(firstOffset: number, values: readonly (string | null)[], more: Partial<Batch> = {}): Batch {
  return {
    ...{ attributes: 0, producerId: NONE, firstTimestamp: 1_000n, maxTimestamp: 9_000n },
    firstOffset: BigInt(firstOffset),
    lastOffsetDelta: values.length - 1,
    records: values.map((value, offsetDelta) => ({
      ...{ timestampDelta: offsetDelta, offsetDelta, key: null, headers: [] },
      value: value === null ? null : Buffer.from(value),
    })),
    ...more,
  };
}

const ofTransaction = (firstOffset: number, producerId: bigint, values: string[]) =>
  batch(firstOffset, values, { producerId, attributes: TRANSACTIONAL });

/** The marker at the end of a transaction, as a broker writes it. */
function mark(firstOffset: number, producerId: bigint, type: number): Batch {
  const key = Buffer.alloc(4);
  key.writeInt16BE(type, 2);
  const made = batch(firstOffset, ['mark'], { producerId, attributes: TRANSACTIONAL | CONTROL });
  return { ...made, records: made.records.map((record) => ({ ...record, key })) };
}

function read(records: Batch[], aborted: [bigint, number][] = [], offset = 0) {
  const abortedTransactions = aborted.map(([producerId, first]) => ({ producerId, firstOffset: BigInt(first) }));
  const answer = { batches: records, fault: undefined, abortedTransactions, lastStableOffset: 99n };
  const part = partOf({ topic: 'orders', partition: 0, offset: BigInt(offset) }, answer);
  return { ...part, values: part.records.map(({ value }) => value?.toString() ?? null) };
}

describe('records of aborted transactions are not read', () => {
  test('those between the first record and the mark, and no other', () => {
    const part = read(
      [
        batch(0, ['before']),
        ofTransaction(1, 7n, ['aborted']),
        batch(2, ['between']),
        ofTransaction(3, 7n, ['aborted']),
        mark(4, 7n, ABORT),
        ofTransaction(5, 7n, ['kept']),
        mark(6, 7n, COMMIT),
      ],
      [[7n, 1]],
    );
    expect(part.values).toEqual(['before', 'between', 'kept']);
    expect(part.next).toBe(7n);
  });

  test('a transaction whose mark is in a later answer, and one that began in an earlier answer', () => {
    expect(read([ofTransaction(0, 7n, ['aborted'])], [[7n, 0]]).values).toEqual([]);
    const later = read([ofTransaction(5, 7n, ['aborted']), mark(6, 7n, ABORT), batch(7, ['kept'])], [[7n, 0]], 5);
    expect(later.values).toEqual(['kept']);
  });

  test('two producers at the same time: only the one that aborted, also when it aborts twice', () => {
    const part = read(
      [
        ofTransaction(0, 7n, ['aborted']),
        ofTransaction(1, 8n, ['kept']),
        mark(2, 7n, ABORT),
        mark(3, 8n, COMMIT),
        ofTransaction(4, 7n, ['aborted again']),
        mark(5, 7n, ABORT),
      ],
      // The aborted transactions may come in any order.
      [
        [7n, 4],
        [7n, 0],
      ],
    );
    expect(part.values).toEqual(['kept']);
  });

  test('the place moves behind what was aborted, so that it is not fetched for ever', () => {
    const part = read([ofTransaction(0, 7n, ['a', 'b']), mark(2, 7n, ABORT)], [[7n, 0]]);
    expect([part.records, part.next]).toEqual([[], 3n]);
  });
});

test('a batch that begins before the place gives only the records from the place on', () => {
  expect(read([batch(10, ['a', 'b', 'c'])], [], 11)).toMatchObject({ values: ['b', 'c'], from: 11n, next: 13n });
});

test('without records, the place stays', () => {
  expect(read([], [], 5)).toMatchObject({ values: [], next: 5n, end: 99n });
});

test('a record has the time of its producer, or of the broker where the topic says so', () => {
  const at = (attributes: number) =>
    read([batch(0, ['a', 'b'], { attributes })]).records.map((one) => one.at.getTime());
  expect([at(0), at(LOG_APPEND_TIME)]).toEqual([
    [1_000, 1_001],
    [9_000, 9_000],
  ]);
});

test.each<[string, bigint, string]>([
  ['microseconds', 1_760_000_000_000_000n, '9999-12-31T23:59:59.999Z'],
  ['nanoseconds', 1_760_000_000_000_000_000n, '9999-12-31T23:59:59.999Z'],
  ['the largest number', 2n ** 63n - 1n, '9999-12-31T23:59:59.999Z'],
  ['no time', -1n, '1970-01-01T00:00:00.000Z'],
  ['the least number', -(2n ** 63n), '1970-01-01T00:00:00.000Z'],
])('a time of a record that no answer could show is the nearest one that can: %s', (_what, firstTimestamp, shown) => {
  const [record] = read([batch(0, ['a'], { firstTimestamp })]).records;
  expect(record?.at.toISOString()).toBe(shown);
});

test('of headers with the same name, the last counts', () => {
  const made = batch(0, ['a']);
  const headers: [Buffer, Buffer][] = [
    [Buffer.from('type'), Buffer.from('first')],
    [Buffer.from('type'), Buffer.from('last')],
  ];
  const [record] = read([{ ...made, records: made.records.map((one) => ({ ...one, headers })) } as Batch]).records;
  expect([record?.header('type'), record?.header('other')]).toEqual(['last', undefined]);
});
