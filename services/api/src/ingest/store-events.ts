import { LIMITS } from '@posthorn/contract/limits';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { createDeliveries, keepUnmatched } from '@posthorn/ledger/create';
import type { StoredFaults } from '../schemas/stored-faults.ts';
import { type FirstAnswer, findFirstAnswers, keyName } from './idempotency.ts';
import { partsOf } from './order-and-time.ts';

/** An event ready to be written. */
export type NewEvent = {
  id: string;
  workspaceId: string;
  environmentId: string;
  applicationId: string | null;
  eventType: string | null;
  /** The one delivery, for direct ingestion. */
  direct: { endpointId: string; deliveryId: string } | null;
  idempotency: { key: string; requestHash: Buffer } | null;
  contentType: string | null;
  /** Sealed; null for an empty body. */
  payload: Buffer | null;
  payloadSize: number;
  published: boolean;
  /** Null when nothing was checked. */
  schemaErrors: StoredFaults | null;
  orderingKey: string | null;
  deliverAt: Date | null;
  /** Whether its time lies ahead. */
  isScheduled: boolean;
};

export type Stored =
  /** Committed. */
  | StoredEvent
  /** Another request with this key was first. Repeat its answer. */
  | { kind: 'duplicate'; first: FirstAnswer }
  | LeftOut;

/** The event was not stored: too many scheduled events of its ordering key take their places now. */
type LeftOut = { kind: 'left_out' };

type StoredEvent = {
  kind: 'stored';
  /** It waits for its fan-out. Enqueue a job. */
  isToFanOut: boolean;
  /** Its direct delivery is due at its time. Enqueue a job. Otherwise it waits, in its order or for a consumer. */
  isDue: boolean;
};

/**
 * Writes events, their idempotency keys and their pending fan-outs or deliveries in one statement. Returns one Stored
 * for each, in order, once it is committed. Of several events with one key exactly one is stored, even if another
 * process stores one at the same time.
 */
export async function storeEvents(db: Db, events: readonly NewEvent[], triesLeft = 2): Promise<Stored[]> {
  const stored = await insertEvents(db, firstOfEachKey(events));
  const losers = events.filter((event) => !stored.has(event.id));

  const firstAnswers = losers.length === 0 ? [] : await findFirstAnswers(db, losers.map(keyOf));
  const outcomes = new Map<string, Stored>();
  const vanished: NewEvent[] = [];
  for (const [index, event] of losers.entries()) {
    const first = firstAnswers[index];
    if (first === undefined) vanished.push(event);
    else outcomes.set(event.id, { kind: 'duplicate', first });
  }
  // A key that existed at the insert and is missing at the look-up has just expired, so it is free now.
  if (vanished.length > 0) {
    if (triesLeft === 0) throw new Error('an idempotency key could neither be taken nor found');
    const again = await storeEvents(db, vanished, triesLeft - 1);
    for (const [index, event] of vanished.entries()) outcomes.set(event.id, told(again[index]));
  }
  return events.map((event) => told(stored.get(event.id) ?? outcomes.get(event.id)));
}

/** An event without an outcome may not be stored, so it must not be answered as if it were. */
function told(outcome: Stored | undefined): Stored {
  if (outcome === undefined) throw new Error('an event has no outcome');
  return outcome;
}

/** A statement cannot write a key twice. Of the events with one key, it writes the first, and the others find it. */
function firstOfEachKey(events: readonly NewEvent[]): NewEvent[] {
  const seen = new Set<string>();
  return events.filter((event) => {
    if (event.idempotency === null) return true;
    const name = keyName(keyOf(event));
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function keyOf(event: NewEvent) {
  return { environmentId: event.environmentId, key: event.idempotency?.key ?? '' };
}

/**
 * Instead of null: Prisma infers the type of a list from its first value, and after a null, bytes would be sent and
 * stored as base64 text. No hash is empty.
 */
const NO_BYTES = Buffer.alloc(0);

/**
 * All sealed payloads in one value, and the position of each, from 1. In a list, each would be sent as text of twice
 * its size.
 */
function payloadsInARow(events: readonly NewEvent[]) {
  let next = 1;
  const from = events.map(({ payload }) => {
    const at = next;
    next += payload?.length ?? 0;
    return at;
  });
  return { all: Buffer.concat(events.map(({ payload }) => payload ?? NO_BYTES)), from };
}

/** A batch without direct events does not name `delivery`: a lock of that table delays no event that names a type. */
const NO_DIRECT = Prisma.sql`select null::uuid as id, false as due where false`;

const STORED = Prisma.sql`join stored s on s.id = u.event_id`;

/** Every batch writes its keys in the same order, so two batches cannot deadlock. */
async function insertEvents(db: Db, events: NewEvent[]): Promise<Map<string, StoredEvent | LeftOut>> {
  const payloads = payloadsInARow(events);
  const parts = partsOf(events);
  const unpublished = events
    .filter((event) => !event.published)
    .map(({ id, workspaceId }) => ({ eventId: id, workspaceId }));
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string; isGated: boolean; isDue: boolean; isLeftOut: boolean }[]>`
      with ${parts.given} as materialized (
        select * from unnest(
          ${events.map((event) => event.id)}::uuid[],
          ${events.map((event) => event.workspaceId)}::uuid[],
          ${events.map((event) => event.environmentId)}::uuid[],
          ${events.map((event) => event.applicationId)}::uuid[],
          ${events.map((event) => event.eventType)}::text[],
          ${events.map((event) => event.direct?.endpointId ?? null)}::uuid[],
          ${events.map((event) => event.direct?.deliveryId ?? null)}::uuid[],
          ${events.map((event) => event.idempotency?.key ?? null)}::text[],
          ${events.map((event) => event.idempotency?.requestHash ?? NO_BYTES)}::bytea[],
          ${events.map((event) => event.contentType)}::text[],
          ${payloads.from}::int[],
          ${events.map((event) => event.payload?.length ?? null)}::int[],
          ${events.map((event) => event.payloadSize)}::int[],
          ${events.map((event) => event.published)}::bool[],
          ${events.map(({ schemaErrors }) => (schemaErrors === null ? null : JSON.stringify(schemaErrors)))}::text[]${parts.arrays}
        ) as w(id, workspace_id, environment_id, application_id, event_type, endpoint_id, delivery_id, key,
          request_hash, content_type, sealed_from, sealed_size, payload_size, published, schema_errors${parts.names})
      )${parts.admitted}, won as (
        insert into idempotency_record as r
          (environment_id, key, request_hash, event_id, event_type, endpoint_id, published, schema_errors, expires_at)
        select environment_id, key, request_hash, id, event_type, endpoint_id, published, schema_errors::jsonb,
          now() + make_interval(hours => ${LIMITS.idempotencyHours}::int)
        from wanted where key is not null order by environment_id, key
        on conflict (environment_id, key) do update set request_hash = excluded.request_hash,
          event_id = excluded.event_id, event_type = excluded.event_type, endpoint_id = excluded.endpoint_id,
          published = excluded.published, schema_errors = excluded.schema_errors, expires_at = excluded.expires_at
        where r.expires_at <= now()
        returning event_id
      )${parts.numbers}, stored as (
        insert into event (id, workspace_id, environment_id, application_id, endpoint_id, event_type, idempotency_key,
          content_type, payload, payload_size, published, schema_errors${parts.eventColumns})
        select id, workspace_id, environment_id, application_id, endpoint_id, event_type, key, content_type,
          substring(${payloads.all}::bytea from sealed_from for sealed_size), payload_size, published,
          schema_errors::jsonb${parts.eventValues}
        from wanted where key is null or id in (select event_id from won)
        returning id
      ), to_fan_out as (
        ${parts.toFanOut}
      ), direct as (
        ${events.some(({ direct }) => direct !== null) ? createDeliveries(parts.direct, parts) : NO_DIRECT}
      )${unpublished.length === 0 ? Prisma.empty : Prisma.sql`, unmatched as (${keepUnmatched(unpublished, STORED)})`}
      ${parts.result}`,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    events.flatMap(({ id, published, direct, isScheduled }): [string, StoredEvent | LeftOut][] => {
      const row = found.get(id);
      if (row === undefined) return [];
      if (row.isLeftOut) return [[id, { kind: 'left_out' }]];
      const isToFanOut = row.isGated || (published && direct === null && !isScheduled);
      return [[id, { kind: 'stored', isToFanOut, isDue: row.isDue }]];
    }),
  );
}
