import { LIMITS } from '@posthorn/contract/limits';
import type { Db, DbTransaction } from '@posthorn/db/client';
import {
  type AcceptedEvent,
  acceptEvents,
  acceptInOrder,
  type EventToken,
  type OrderedEvent,
} from '@posthorn/ledger/accept';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { type FirstAnswer, findFirstAnswers, keyName } from './idempotency.ts';
import type { MatchedAtDoor } from './match-at-door.ts';
import type { StoredFaults } from './stored-faults.ts';

/** An event that is ready to be written. */
export type NewEvent = {
  id: string;
  workspaceId: string;
  environmentId: string;
  applicationId: string | null;
  eventType: string | null;
  /** The only delivery, for direct ingestion. */
  direct: { endpointId: string; deliveryId: string } | null;
  /**
   * The endpoints that the event was matched with; null leaves matching to fan-out. Always null with an ordering key or
   * a time.
   */
  matched: MatchedAtDoor | null;
  idempotency: { key: string; requestHash: Buffer } | null;
  contentType: string | null;
  /** The sealed payload; null for an empty body. */
  payload: Buffer | null;
  payloadSize: number;
  published: boolean;
  /** Null if nothing was checked. */
  schemaErrors: StoredFaults | null;
  orderingKey: string | null;
  deliverAt: Date | null;
  /** Whether the event's time is in the future. */
  isScheduled: boolean;
  /** The tokens by which a search finds the event. */
  tokens: readonly bigint[];
  /** The number of values left out of `tokens`; null for none. */
  searchLeftOut: number | null;
  /** The record that the event was read from; absent for an event that was sent. */
  source?: EventSource | undefined;
};

/** The source of an event, as stored with it. The time is that of the record. */
export type EventSource = { sourceId: string; topic: string; partition: number; offset: string; timestamp: string };

export type Stored =
  /** Committed. */
  | StoredEvent
  /** Another request with this key came first. Repeat its answer. */
  | { kind: 'duplicate'; first: FirstAnswer }
  | LeftOut;

/**
 * The event was not stored, because too many scheduled events of its ordering key are taking their places at this
 * moment.
 */
type LeftOut = { kind: 'left_out' };

type StoredEvent = {
  kind: 'stored';
  /** The event waits for its fan-out. Enqueue a job. */
  isToFanOut: boolean;
  /**
   * Set if the event was matched under an outdated revision of the routing: the present revision of its environment.
   */
  newRevision?: string;
  /** The deliveries that were created with the event, to be handed over. */
  made: MadeDelivery[];
  /** Whether a direct delivery is due at its time. If not, it waits for its turn in its order, or for a consumer. */
  isDue: boolean;
};

/**
 * A delivery that was created on acceptance of its event: offered, due, due after a delay, or waiting for a consumer.
 */
export type MadeDelivery = {
  deliveryId: string;
  endpointId: string;
  isOffered: boolean;
  isDue: boolean;
  isPulled: boolean;
  /** The delay of a delivery that is neither offered nor due. */
  delayMs: number;
  /** The revision of the delivery's endpoint, if it was requested. */
  endpointRevision?: string | undefined;
};

/**
 * Writes events, their idempotency keys and their pending fan-outs or deliveries in one statement. Returns one Stored
 * for each, in order, once it is committed. Of several events with the same key, exactly one is stored, even if another
 * process stores one at the same time.
 */
export async function storeEvents(
  db: Db | DbTransaction,
  events: readonly NewEvent[],
  options: StoreOptions = {},
): Promise<Stored[]> {
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

export type StoreOptions = {
  /** The token under which the created deliveries are offered. Without it they are due. */
  leaseToken?: string | undefined;
  /** The delay after which a delivery to this endpoint is due; 0 by default. */
  delaySeconds?: ((endpointId: string) => number) | undefined;
  /** Whether to return the revisions of the endpoints. */
  withRevisions?: boolean | undefined;
  triesLeft?: number;
};

/** An event without an outcome may not have been stored, so it must not be reported as stored. */
function told(outcome: Stored | undefined): Stored {
  if (outcome === undefined) throw new Error('an event has no outcome');
  return outcome;
}

/** A statement cannot write a key twice. It writes the first event with a key, and the others then find that one. */
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
  return { all: Buffer.concat(events.map(({ payload }) => payload ?? Buffer.alloc(0))), from };
}

function tokensOf(events: readonly NewEvent[]): EventToken[] {
  return events.flatMap(({ id: eventId, tokens }) => tokens.map((token) => ({ token, eventId })));
}

/** Whether the event goes to no endpoint: it is unpublished, or was matched with none. */
function hasNoEndpoint({ published, matched }: NewEvent): boolean {
  return !published || matched?.endpointIds.length === 0;
}

function isPlain({ orderingKey, deliverAt }: NewEvent): boolean {
  return orderingKey === null && deliverAt === null;
}

/**
 * Inserts events, by a separate statement for those with an ordering key or a time. Store the two kinds in separate
 * batches, because either statement may fail.
 */
async function insertEvents(
  db: Db | DbTransaction,
  events: readonly NewEvent[],
  options: StoreOptions,
): Promise<Map<string, StoredEvent | LeftOut>> {
  const [plain, inOrder] = [events.filter(isPlain), events.filter((event) => !isPlain(event))];
  const stored = plain.length === 0 ? [] : await insertPlain(db, plain, options);
  return new Map([...stored, ...(inOrder.length === 0 ? [] : await insertInOrder(db, inOrder))]);
}

async function insertPlain(
  db: Db | DbTransaction,
  events: readonly NewEvent[],
  { leaseToken, delaySeconds = () => 0, withRevisions }: StoreOptions,
): Promise<[string, StoredEvent][]> {
  const payloads = payloadsInARow(events);
  const rows = await acceptEvents(db, {
    events: events.map((event, index) => toAccepted(event, { sealedFrom: payloads.from[index] ?? 0, delaySeconds })),
    tokens: tokensOf(events),
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
    withRevisions,
    idempotencyHours: LIMITS.idempotencyHours,
  });
  const found = byEvent(rows);
  return events.flatMap(({ id, published, direct, matched }): [string, StoredEvent][] => {
    const [row, ...others] = found.get(id) ?? [];
    if (row === undefined) return [];
    const made = [row, ...others].flatMap((one) => {
      if (one.madeId === null) return [];
      const { madeId: deliveryId, endpointId, isOffered, isDueNow: isDue, isPulled, endpointRevision } = one;
      return [
        { deliveryId, endpointId, isOffered, isDue, isPulled, delayMs: 1_000 * one.dueInSeconds, endpointRevision },
      ];
    });
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
export function wellFormed(text: string | null | undefined): string | undefined {
  return text === null || text === undefined ? undefined : Buffer.from(text).toString();
}

function toAccepted(
  event: NewEvent,
  { sealedFrom, delaySeconds }: { sealedFrom: number; delaySeconds: (endpointId: string) => number },
): AcceptedEvent {
  const { direct, matched } = event;
  return {
    ...columnsOf(event, sealedFrom),
    delay_seconds: direct === null ? undefined : delaySeconds(direct.endpointId),
    routing_revision: matched?.routingRevision,
    payload_retention: matched?.payloadRetention ?? undefined,
    has_no_endpoint: hasNoEndpoint(event),
  };
}

function toOrdered(event: NewEvent, sealedFrom: number): OrderedEvent {
  return {
    ...columnsOf(event, sealedFrom),
    ordering_key: wellFormed(event.orderingKey),
    deliver_at: event.deliverAt?.toISOString(),
    is_scheduled: event.isScheduled,
  };
}

function columnsOf(
  event: NewEvent,
  sealedFrom: number,
): Omit<OrderedEvent, 'ordering_key' | 'deliver_at' | 'is_scheduled'> {
  const { direct, idempotency, schemaErrors } = event;
  return {
    id: event.id,
    workspace_id: event.workspaceId,
    environment_id: event.environmentId,
    application_id: event.applicationId ?? undefined,
    event_type: event.eventType ?? undefined,
    endpoint_id: direct?.endpointId,
    delivery_id: direct?.deliveryId,
    key: wellFormed(idempotency?.key),
    request_hash: idempotency?.requestHash.toString('base64'),
    content_type: wellFormed(event.contentType),
    sealed_from: sealedFrom,
    sealed_size: event.payload?.length,
    payload_size: event.payloadSize,
    published: event.published,
    schema_errors: schemaErrors === null ? undefined : JSON.stringify(schemaErrors),
    search_left_out: event.searchLeftOut ?? undefined,
    source: event.source,
  };
}

async function insertInOrder(
  db: Db | DbTransaction,
  events: readonly NewEvent[],
): Promise<[string, StoredEvent | LeftOut][]> {
  const payloads = payloadsInARow(events);
  const rows = await acceptInOrder(db, {
    events: events.map((event, index) => toOrdered(event, payloads.from[index] ?? 0)),
    tokens: tokensOf(events),
    payloads: payloads.all,
    idempotencyHours: LIMITS.idempotencyHours,
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return events.flatMap(({ id, published, direct, isScheduled }): [string, StoredEvent | LeftOut][] => {
    const row = found.get(id);
    if (row === undefined) return [];
    if (row.isLeftOut) return [[id, { kind: 'left_out' }]];
    const isToFanOut = row.isGated || (published && direct === null && !isScheduled);
    return [[id, { kind: 'stored', isToFanOut, made: [], isDue: row.isDue }]];
  });
}
