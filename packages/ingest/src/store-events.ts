import { LIMITS } from '@posthorn/contract/limits';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { type AcceptedEvent, acceptEvents } from '@posthorn/ledger/accept';
import { createDeliveries, keepUnmatched } from '@posthorn/ledger/create';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { type FirstAnswer, findFirstAnswers, keyName } from './idempotency.ts';
import type { MatchedAtDoor } from './match-at-door.ts';
import { partsOf } from './order-and-time.ts';
import type { StoredFaults } from './stored-faults.ts';

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
  /** Set when it was matched under another revision of the routing: the one that its environment has now. */
  newRevision?: string;
  /** The deliveries that were made with it, to be handed over. */
  made: MadeDelivery[];
  /** Whether a direct delivery is due at its time; otherwise it waits, in its order or for a consumer. */
  isDue: boolean;
};

/** A delivery that was made where its event was accepted: offered, due, due after a delay, or waiting for a consumer. */
export type MadeDelivery = {
  deliveryId: string;
  endpointId: string;
  isOffered: boolean;
  isDue: boolean;
  isPulled: boolean;
  /** Of one that is neither offered nor due. */
  delayMs: number;
};

/**
 * Writes events, their idempotency keys and their pending fan-outs or deliveries in one statement. Returns one Stored
 * for each, in order, once it is committed. Of several events with one key exactly one is stored, even if another
 * process stores one at the same time.
 */
export async function storeEvents(db: Db, events: readonly NewEvent[], options: StoreOptions = {}): Promise<Stored[]> {
  const { triesLeft = 2 } = options;
  const stored = await insertEvents(db, firstOfEachKey(events), options);
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
    const again = await storeEvents(db, vanished, { ...options, triesLeft: triesLeft - 1 });
    for (const [index, event] of vanished.entries()) outcomes.set(event.id, told(again[index]));
  }
  return events.map((event) => told(stored.get(event.id) ?? outcomes.get(event.id)));
}

type StoreOptions = {
  /** Under which the deliveries are offered that are made here; without it they are due. */
  leaseToken?: string | undefined;
  /** The time after which a delivery to this endpoint is due; 0 by default. */
  delaySeconds?: ((endpointId: string) => number) | undefined;
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

/** Whether it goes to no endpoint: it is unpublished, or was matched with none. */
function hasNoEndpoint({ published, matched }: NewEvent): boolean {
  return !published || matched?.endpointIds.length === 0;
}

function isPlain({ orderingKey, deliverAt }: NewEvent): boolean {
  return orderingKey === null && deliverAt === null;
}

/**
 * Events with an order or a time are stored by a statement of their own. So store them apart from others: each of the two
 * statements may fail.
 */
async function insertEvents(
  db: Db,
  events: readonly NewEvent[],
  options: StoreOptions,
): Promise<Map<string, StoredEvent | LeftOut>> {
  const [plain, inOrder] = [events.filter(isPlain), events.filter((event) => !isPlain(event))];
  const stored = plain.length === 0 ? [] : await insertPlain(db, plain, options);
  return new Map([...stored, ...(inOrder.length === 0 ? [] : await insertInOrder(db, inOrder))]);
}

async function insertPlain(
  db: Db,
  events: readonly NewEvent[],
  { leaseToken, delaySeconds = () => 0 }: StoreOptions,
): Promise<[string, StoredEvent][]> {
  const payloads = payloadsInARow(events);
  const rows = await acceptEvents(db, {
    events: events.map((event, index) => toAccepted(event, { sealedFrom: payloads.from[index] ?? 0, delaySeconds })),
    payloads: payloads.all,
    deliveries: events.flatMap(({ id, matched }) =>
      (matched?.endpointIds ?? []).map((endpointId) => ({
        id: deliveryIdFor(id, endpointId),
        event_id: id,
        endpoint_id: endpointId,
        delay_seconds: delaySeconds(endpointId),
      })),
    ),
    leaseToken,
    idempotencyHours: LIMITS.idempotencyHours,
  });
  const found = byEvent(rows);
  return events.flatMap(({ id, published, direct, matched }): [string, StoredEvent][] => {
    const [row, ...others] = found.get(id) ?? [];
    if (row === undefined) return [];
    const made = [row, ...others].flatMap(({ madeId, endpointId, isOffered, isDueNow, isPulled, dueInSeconds }) =>
      madeId === null
        ? []
        : [{ deliveryId: madeId, endpointId, isOffered, isDue: isDueNow, isPulled, delayMs: 1_000 * dueInSeconds }],
    );
    const isStale = matched !== null && row.isMatched !== true;
    return [
      [
        id,
        {
          kind: 'stored',
          isToFanOut: published && direct === null && row.isMatched !== true,
          ...(isStale && row.routingRevision !== null ? { newRevision: row.routingRevision } : {}),
          made,
          isDue: true,
        },
      ],
    ];
  });
}

function byEvent<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
  return found;
}

/** As the driver writes a text with half of a pair of surrogates, which Postgres would refuse in JSON. */
function wellFormed(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : Buffer.from(text).toString();
}

function toAccepted(
  event: NewEvent,
  { sealedFrom, delaySeconds }: { sealedFrom: number; delaySeconds: (endpointId: string) => number },
): AcceptedEvent {
  const { direct, matched, idempotency, schemaErrors } = event;
  return {
    id: event.id,
    workspace_id: event.workspaceId,
    environment_id: event.environmentId,
    application_id: event.applicationId,
    event_type: event.eventType,
    endpoint_id: direct?.endpointId ?? null,
    delivery_id: direct?.deliveryId ?? null,
    delay_seconds: direct === null ? 0 : delaySeconds(direct.endpointId),
    key: wellFormed(idempotency?.key),
    request_hash: idempotency?.requestHash.toString('base64') ?? null,
    content_type: wellFormed(event.contentType),
    sealed_from: sealedFrom,
    sealed_size: event.payload?.length ?? null,
    payload_size: event.payloadSize,
    published: event.published,
    schema_errors: schemaErrors === null ? null : JSON.stringify(schemaErrors),
    search_left_out: event.searchLeftOut,
    tokens: event.tokens.map(String),
    routing_revision: matched?.routingRevision ?? null,
    payload_retention: matched?.payloadRetention ?? null,
    has_no_endpoint: hasNoEndpoint(event),
  };
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

const STORED = Prisma.sql`join stored s on s.id = u.event_id`;

/** Every batch writes its keys in the same order, so two batches cannot deadlock. */
async function insertInOrder(db: Db, events: readonly NewEvent[]): Promise<[string, StoredEvent | LeftOut][]> {
  const payloads = payloadsInARow(events);
  const parts = partsOf(events);
  const unmatched = events.filter(hasNoEndpoint).map(({ id, workspaceId }) => ({ eventId: id, workspaceId }));
  const makesSome = events.some(({ direct }) => direct !== null);
  const rows = await retryConflicts(
    () => db.$queryRaw<OrderedRow[]>`
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
      ), to_fan_out as (
        ${parts.toFanOut}
      ), direct as (
        ${makesSome ? createDeliveries(parts.direct, { isOrdered: true }) : NO_DELIVERIES}
      ), unmatched as (${keepUnmatched(unmatched, STORED)})${keepTokens(events)}
      ${parts.result}`,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return events.flatMap(({ id, published, direct, isScheduled }): [string, StoredEvent | LeftOut][] => {
    const row = found.get(id);
    if (row === undefined) return [];
    if (row.isLeftOut) return [[id, { kind: 'left_out' }]];
    const isToFanOut = row.isGated || (published && direct === null && !isScheduled);
    return [[id, { kind: 'stored', isToFanOut, made: [], isDue: row.isDue }]];
  });
}

/** A batch that makes no deliveries does not name `delivery`: a lock of that table does not delay it. */
const NO_DELIVERIES = Prisma.sql`select null::uuid as id, false as due where false`;

type OrderedRow = { id: string; isGated: boolean; isDue: boolean; isLeftOut: boolean };
