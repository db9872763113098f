import { LIMITS } from '@posthorn/contract/limits';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { createDeliveries, keepUnmatched } from '@posthorn/ledger/create';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { offerDeliveries } from '@posthorn/ledger/offer';
import type { StoredFaults } from '../schemas/stored-faults.ts';
import { type FirstAnswer, findFirstAnswers, keyName } from './idempotency.ts';
import type { MatchedAtDoor } from './match-at-door.ts';
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
  /** The endpoints that it was matched with; null leaves that to its fan-out. An event with an order or a time has none. */
  matched: MatchedAtDoor | null;
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
  /** By which a search finds it. */
  tokens: readonly bigint[];
  /** The values that were left out of `tokens`; null for none. */
  searchLeftOut: number | null;
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
  /** It was matched under another revision of the routing: what was known of its route is out of date. */
  isStale: boolean;
  /** The deliveries that were made with it, to be handed over. */
  made: MadeDelivery[];
  /** Whether a direct delivery is due at its time; otherwise it waits, in its order or for a consumer. */
  isDue: boolean;
};

/** A delivery that was made where its event was accepted. One that is neither offered nor due waits for a consumer. */
export type MadeDelivery = { deliveryId: string; endpointId: string; isOffered: boolean; isDue: boolean };

/**
 * Writes events, their idempotency keys and their pending fan-outs or deliveries in one statement. Returns one Stored
 * for each, in order, once it is committed. Of several events with one key exactly one is stored, even if another
 * process stores one at the same time.
 */
export async function storeEvents(
  db: Db,
  events: readonly NewEvent[],
  { leaseToken, triesLeft = 2 }: StoreOptions = {},
): Promise<Stored[]> {
  const stored = await insertEvents(db, firstOfEachKey(events), leaseToken);
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
    const again = await storeEvents(db, vanished, { leaseToken, triesLeft: triesLeft - 1 });
    for (const [index, event] of vanished.entries()) outcomes.set(event.id, told(again[index]));
  }
  return events.map((event) => told(stored.get(event.id) ?? outcomes.get(event.id)));
}

type StoreOptions = {
  /** Under which the deliveries are offered that are made here; without it they are due. */
  leaseToken?: string | undefined;
  triesLeft?: number;
};

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

/** A batch that makes no deliveries does not name `delivery`: a lock of that table does not delay it. */
const NO_DELIVERIES = Prisma.sql`select null::uuid as id, null::uuid as event_id, null::uuid as endpoint_id,
        false as is_offered, false as due, false as is_pulled where false`;

/** The parts of the statement that make the deliveries of events that were matched, or that name their endpoint. */
function deliveriesOf(events: readonly NewEvent[], isOrdered: boolean) {
  const matched = events.flatMap(({ id, matched }) => (matched === null ? [] : [{ id, ...matched }]));
  const pairs = matched.flatMap(({ id, endpointIds }) => endpointIds.map((endpointId) => ({ id, endpointId })));
  const direct = isOrdered ? [] : events.flatMap(({ id, direct }) => (direct === null ? [] : [{ id, ...direct }]));
  const short = matched.filter(
    ({ payloadRetention }) => payloadRetention === 'until_ended' || payloadRetention === 'none',
  );
  return {
    makesSome: pairs.length + direct.length > 0,
    /** The events whose environment still has the revision of the routing that they were matched under. */
    current: Prisma.sql`
        select w.id, w.workspace_id, w.environment_id, w.event_type
        from unnest(${matched.map(({ id }) => id)}::uuid[], ${matched.map((one) => one.routingRevision)}::uuid[])
          as m(event_id, revision)
        join wanted w on w.id = m.event_id join stored s on s.id = w.id
        left join environment n on n.id = w.environment_id
        where coalesce(n.routing_revision, ${NIL_UUID}::uuid) = m.revision`,
    source: Prisma.sql`
        select d.id, d.event_id, d.endpoint_id, c.workspace_id, c.environment_id, c.event_type
        from unnest(${pairs.map(({ id, endpointId }) => deliveryIdFor(id, endpointId))}::uuid[],
          ${pairs.map(({ id }) => id)}::uuid[], ${pairs.map(({ endpointId }) => endpointId)}::uuid[])
          as d(id, event_id, endpoint_id)
        join current c on c.id = d.event_id
        union all
        select d.id, d.event_id, w.endpoint_id, w.workspace_id, w.environment_id, null
        from unnest(${direct.map(({ deliveryId }) => deliveryId)}::uuid[], ${direct.map(({ id }) => id)}::uuid[])
          as d(id, event_id)
        join wanted w on w.id = d.event_id join stored s on s.id = w.id`,
    short: Prisma.sql`
        insert into short_payload (event_id, workspace_id, has_one_attempt)
        select c.id, c.workspace_id, g.has_one_attempt
        from unnest(${short.map(({ id }) => id)}::uuid[],
          ${short.map(({ payloadRetention }) => payloadRetention === 'none')}::bool[]) as g(event_id, has_one_attempt)
        join current c on c.id = g.event_id
        on conflict (event_id) do nothing`,
  };
}

/** The events that go to no endpoint: unpublished ones, and those that were matched with none. */
function withoutEndpoint(events: readonly NewEvent[]) {
  return events
    .filter(({ published, matched }) => !published || matched?.endpointIds.length === 0)
    .map(({ id, workspaceId }) => ({ eventId: id, workspaceId }));
}

/** A batch whose events have no tokens does not name their table. */
function keepTokens(events: readonly NewEvent[]): Prisma.Sql {
  const found = events.flatMap(({ id, tokens }) => tokens.map((token) => ({ id, token })));
  if (found.length === 0) return Prisma.empty;
  return Prisma.sql`, found_by as (
        insert into event_token (token, event_id)
        select t.token, t.event_id from unnest(${found.map(({ token }) => token)}::bigint[],
          ${found.map(({ id }) => id)}::uuid[]) as t(token, event_id)
        join stored s on s.id = t.event_id)`;
}

/** An event that was matched with no endpoint counts only if its routing is still the same. */
const STORED = Prisma.sql`join wanted w on w.id = u.event_id join stored s on s.id = w.id
        where not w.published or w.id in (select id from current)`;

/** Every batch writes its keys in the same order, so two batches cannot deadlock. */
async function insertEvents(
  db: Db,
  events: NewEvent[],
  leaseToken: string | undefined,
): Promise<Map<string, StoredEvent | LeftOut>> {
  const payloads = payloadsInARow(events);
  const parts = partsOf(events);
  const made = deliveriesOf(events, parts.isOrdered);
  const rows = await retryConflicts(
    () => db.$queryRaw<StoredRow[]>`
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
          ${events.map(({ schemaErrors }) => (schemaErrors === null ? null : JSON.stringify(schemaErrors)))}::text[],
          ${events.map((event) => event.searchLeftOut)}::smallint[]${parts.arrays}
        ) as w(id, workspace_id, environment_id, application_id, event_type, endpoint_id, delivery_id, key,
          request_hash, content_type, sealed_from, sealed_size, payload_size, published, schema_errors, search_left_out${parts.names})
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
          content_type, payload, payload_size, published, schema_errors, search_left_out${parts.eventColumns})
        select id, workspace_id, environment_id, application_id, endpoint_id, event_type, key, content_type,
          substring(${payloads.all}::bytea from sealed_from for sealed_size), payload_size, published,
          schema_errors::jsonb, search_left_out${parts.eventValues}
        from wanted where key is null or id in (select event_id from won)
        returning id
      ), current as materialized (${made.current}
      ), to_fan_out as (
        ${parts.toFanOut}
      ), made as (
        ${made.makesSome ? offerDeliveries(made.source, leaseToken) : NO_DELIVERIES}
      ), direct as (
        ${parts.isOrdered && events.some(({ direct }) => direct !== null) ? createDeliveries(parts.direct, parts) : NO_DELIVERIES}
      ), short as (${made.short}
      ), unmatched as (${keepUnmatched(withoutEndpoint(events), STORED)})${keepTokens(events)}
      ${parts.result}`,
  );
  const found = new Map<string, StoredRow[]>();
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
  return new Map(
    events.flatMap(({ id, published, direct, matched, isScheduled }): [string, StoredEvent | LeftOut][] => {
      const [row, ...others] = found.get(id) ?? [];
      if (row === undefined) return [];
      if (row.isLeftOut) return [[id, { kind: 'left_out' }]];
      const isToFanOut = row.isGated || (published && direct === null && !isScheduled && !row.isMatched);
      const deliveries = [row, ...others].flatMap(({ madeId, endpointId, isOffered, isDueNow }) =>
        madeId === null ? [] : [{ deliveryId: madeId, endpointId, isOffered, isDue: isDueNow }],
      );
      const isStale = matched !== null && !row.isMatched;
      return [[id, { kind: 'stored', isToFanOut, isStale, made: deliveries, isDue: row.isDue }]];
    }),
  );
}

/** One row for each delivery that was made, or one for an event without. */
type StoredRow = { id: string; isGated: boolean; isDue: boolean; isLeftOut: boolean; isMatched: boolean } & (
  | { madeId: string; endpointId: string; isOffered: boolean; isDueNow: boolean }
  | { madeId: null; endpointId: null; isOffered: null; isDueNow: null }
);
