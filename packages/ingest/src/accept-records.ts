import { ApiError } from '@posthorn/contract/api-error';
import type { ErrorCode } from '@posthorn/contract/errors';
import { newUuid, toId, uuidTime } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { isWrongValue } from '@posthorn/db/violations';
import type { Gatherer } from '@posthorn/stats/gather';
import { identify, type PrepareDeps, prepareEvent } from './ingest.ts';
import type { IngestInput } from './ingest-input.ts';
import type { Quotas, Room } from './start-quotas.ts';
import { type EventSource, type NewEvent, type Stored, storeEvents } from './store-events.ts';
import type { Write } from './store-in-batches.ts';

/** A record of a source: the event that it describes, or why it cannot become an event. */
export type GivenRecord = { offset: bigint; at: Date; size: number } & (
  | { kind: 'event'; input: Omit<IngestInput, 'holder'> }
  | { kind: 'rejected'; reason: ErrorCode; message: string }
);

/** The records of a partition from one offset to another. Records that become no event are left out. */
export type RecordBatch = {
  source: { id: string; revision: string; stopsOnError: boolean; holder: IngestInput['holder'] };
  topic: string;
  partition: number;
  from: bigint;
  to: bigint;
  records: readonly GivenRecord[];
};

export type Accepted =
  /** Committed: the partition goes on at `next`. `waiting`: the new deliveries that are due, and events without their deliveries. */
  | { kind: 'moved'; next: bigint; rejected: number; waiting: number }
  /** Another process has moved the partition, or the source has changed: nothing was stored. */
  | { kind: 'elsewhere' }
  /** The workspace's quota has no room for the next record. Nothing was stored. */
  | { kind: 'full'; message: string }
  /** The source stops at the next record, which cannot become an event. Nothing was stored. */
  | { kind: 'stopped'; message: string };

export type AcceptRecordsDeps = PrepareDeps & {
  takeRoom: Quotas['take'];
  store: (events: readonly NewEvent[], write: Write) => Promise<Stored[]>;
  stats: Pick<Gatherer, 'countIngested'>;
};

/**
 * Makes the function that stores the events of a batch, its rejections and the new position in one transaction. So each
 * record is stored once, whichever process reads it and however often (docs/adr/0022). Rejects if Postgres does not
 * answer or is overloaded: then read the batch again.
 */
export function createAcceptRecords(deps: AcceptRecordsDeps): (batch: RecordBatch) => Promise<Accepted> {
  return async (batch) => {
    const { events, rooms, rejections, end } = await prepareAll(deps, batch);
    try {
      if (end !== undefined && events.length + rejections.length === 0 && end.offset === batch.from) return end.why;
      const to = end?.offset ?? batch.to;
      let conflicts: Rejection[] = [];
      const stored = await deps.store(events, (db, given, options) =>
        inTransaction(db, async (transaction) => {
          await move(transaction, batch, to);
          const outcomes = given.length === 0 ? [] : await storeEvents(transaction, given, options);
          conflicts = conflictsOf(given, outcomes);
          await keepRejections(transaction, batch, {
            rejections: [...rejections, ...conflicts],
            now: deps.clock.now(),
          });
          return outcomes;
        }),
      );
      for (const [index, event] of events.entries()) count(deps, event, { stored: stored[index], room: rooms[index] });
      const waiting = stored.reduce((sum, one) => sum + waitingOf(one), 0);
      return { kind: 'moved', next: to, rejected: rejections.length + conflicts.length, waiting };
    } catch (error) {
      if (error instanceof NotMoved) return { kind: 'elsewhere' };
      throw error;
    } finally {
      for (const room of rooms) room.release();
    }
  };
}

type Rejection = { offset: bigint; size: number; reason: ErrorCode; message: string };

type Prepared = {
  events: NewEvent[];
  rooms: Room[];
  rejections: Rejection[];
  /** The first record that is not accepted, and why; undefined if all are. */
  end: { offset: bigint; why: Accepted } | undefined;
};

/** Prepares one record after the other, so that event ids have the order of their records. */
async function prepareAll(deps: AcceptRecordsDeps, batch: RecordBatch): Promise<Prepared> {
  const { source, topic, partition } = batch;
  const from = { holder: source.holder, place: { sourceId: toId('src', source.id), topic, partition } };
  const prepared: Prepared = { events: [], rooms: [], rejections: [], end: undefined };
  for (const record of batch.records) {
    const { offset, size } = record;
    const one = record.kind === 'event' ? await prepareOne(deps, from, record) : record;
    if (one.kind === 'full') return { ...prepared, end: { offset, why: one } };
    if (one.kind === 'ready') {
      prepared.events.push(one.event);
      prepared.rooms.push(one.room);
    } else if (source.stopsOnError) {
      const message = `The record ${topic}/${partition}/${offset}: ${one.message}`;
      return { ...prepared, end: { offset, why: { kind: 'stopped', message } } };
    } else {
      prepared.rejections.push({ offset, size, reason: one.reason, message: one.message });
    }
  }
  return prepared;
}

/** What all records of a batch share. */
type From = { holder: IngestInput['holder']; place: Pick<EventSource, 'sourceId' | 'topic' | 'partition'> };

async function prepareOne(
  deps: AcceptRecordsDeps,
  { holder, place }: From,
  { offset, at, input: given }: Extract<GivenRecord, { kind: 'event' }>,
) {
  const input: IngestInput = { ...given, holder };
  const { workspaceId, limits } = holder;
  let room: Room;
  try {
    room = await deps.takeRoom({ workspaceId, limits, bytes: input.body.length });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { kind: 'full' as const, message: error.message };
  }
  try {
    const idempotency = input.idempotencyKey === undefined ? null : identify(input, input.idempotencyKey);
    const event = await prepareEvent(deps, input, idempotency);
    const record = { ...place, offset: String(offset), timestamp: at.toISOString() };
    return { kind: 'ready' as const, room, event: { ...event, source: record } };
  } catch (error) {
    room.release();
    return refusalOf(error);
  }
}

/** Why a record would be rejected now, besides conflicts of idempotency keys; null if it would become an event. Stores nothing. */
export async function findRejection(deps: PrepareDeps, input: IngestInput): Promise<string | null> {
  try {
    await prepareEvent(deps, input, null);
    return null;
  } catch (error) {
    return refusalOf(error).message;
  }
}

/**
 * Why a record is refused, however often it is read; throws what may pass. A value that Postgres holds nowhere is the fault of
 * the record, too: tried again and again, it would keep its partition for ever.
 */
function refusalOf(error: unknown): { kind: 'rejected'; reason: ErrorCode; message: string } {
  if (isRefusal(error)) return { kind: 'rejected', reason: error.code, message: wordsOf(error) };
  if (!isWrongValue(error)) throw error;
  return { kind: 'rejected', reason: 'validation_error', message: 'The record has a value that cannot be stored' };
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== 'unavailable' && error.code !== 'internal_error';
}

/** Rejections outlive payloads, so they name no key of a payload and no customer. */
function wordsOf({ code, message }: ApiError): string {
  if (code === 'schema_violation') return 'The payload does not fit the schema of its event type';
  return message.startsWith('Application not found') ? 'Application not found' : message;
}

/** The partition's position is not where the batch begins, or the source has changed. */
class NotMoved extends Error {
  override name = 'NotMoved';
}

/**
 * Moves the partition's position, if it is where the batch begins. A concurrent change of the source waits for this
 * transaction, or this transaction waits for the change.
 */
async function move(
  transaction: DbTransaction,
  { source, topic, partition, from }: RecordBatch,
  to: bigint,
): Promise<void> {
  const moved = await transaction.$executeRaw`
    with held as (
      select id from source where id = ${source.id}::uuid and revision = ${source.revision}::uuid and is_active for share)
    update source_place p set next_offset = ${to} from held
    where p.source_id = held.id and p.topic = ${topic} and p.partition = ${partition}::int and p.next_offset = ${from}`;
  if (moved !== 1) throw new NotMoved('the partition is elsewhere');
}

/** For a used idempotency key, different bytes are rejected, and the same bytes are a repeat. */
function conflictsOf(events: readonly NewEvent[], stored: readonly Stored[]): Rejection[] {
  return events.flatMap(({ idempotency, payloadSize: size, source }, index) => {
    const one = stored[index];
    if (one?.kind === 'left_out') throw new Error('many scheduled events of an ordering key take their places now');
    if (one?.kind !== 'duplicate' || idempotency?.requestHash.equals(one.first.requestHash)) return [];
    const message = 'The idempotency key was used for another event';
    return [{ offset: BigInt(source?.offset ?? 0), size, reason: 'idempotency_conflict' as const, message }];
  });
}

/** What waits because of an event: its due deliveries, or the event itself until they are made. */
function waitingOf(stored: Stored): number {
  if (stored.kind !== 'stored') return 0;
  return stored.isToFanOut ? 1 : stored.made.filter(({ isOffered, isDue }) => isOffered || isDue).length;
}

async function keepRejections(
  transaction: DbTransaction,
  { source: { id: sourceId }, topic, partition }: RecordBatch,
  { rejections, now }: { rejections: readonly Rejection[]; now: Date },
): Promise<void> {
  if (rejections.length === 0) return;
  await transaction.sourceRejection.createMany({
    data: rejections.map(({ offset: recordOffset, ...one }) => ({
      ...{ id: newUuid(now), sourceId, topic, partition, recordOffset, at: now },
      ...one,
    })),
  });
  await transaction.$executeRaw`
    delete from source_rejection where source_id = ${sourceId}::uuid and id <= (
      select id from source_rejection where source_id = ${sourceId}::uuid
      order by id desc offset ${LIMITS.rejectionsPerSource}::int limit 1)`;
}

function count(
  { metrics, stats }: AcceptRecordsDeps,
  event: NewEvent,
  { stored, room }: { stored: Stored | undefined; room: Room | undefined },
): void {
  const isStored = stored?.kind === 'stored';
  metrics.eventsIngested.inc({ result: isStored ? (event.published ? 'accepted' : 'unpublished') : 'duplicate' });
  if (!isStored) return;
  room?.count(uuidTime(event.id));
  stats.countIngested(event);
}
