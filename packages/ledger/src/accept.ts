import type { Db, DbTransaction } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { OFFER_SECONDS } from './lease.ts';
import { readStatement } from './statement.ts';

/** An event as `sql/accept.sql` reads it. The JSON has no column that is undefined: Postgres parses the names of each event. */
export type AcceptedEvent = {
  id: string;
  workspace_id: string;
  environment_id: string;
  application_id: string | undefined;
  event_type: string | undefined;
  /** The endpoint that a direct event names, and its delivery. */
  endpoint_id: string | undefined;
  delivery_id: string | undefined;
  /** After which the delivery of a direct event is due; with 0 it may be offered. */
  delay_seconds: number | undefined;
  /** The idempotency key. */
  key: string | undefined;
  /** In base64. */
  request_hash: string | undefined;
  content_type: string | undefined;
  /** Where its sealed payload begins among those of all events, from 1. An empty body has no size. */
  sealed_from: number;
  sealed_size: number | undefined;
  payload_size: number;
  published: boolean;
  /** JSON as text. */
  schema_errors: string | undefined;
  search_left_out: number | undefined;
  /** The record that it was read from; absent for an event that was sent. */
  source?: object | undefined;
  /** The revision of the routing that it was matched under; undefined if it was not matched. */
  routing_revision: string | undefined;
  payload_retention: string | undefined;
  /** It is unpublished, or was matched with no endpoint. */
  has_no_endpoint: boolean;
};

/** A delivery of a matched event. With a delay it is not offered, but due after the delay. */
export type DeliveryToMake = { id: string; event_id: string; endpoint_id: string; delay_seconds: number };

/** A search token of an event. */
export type EventToken = { token: bigint; eventId: string };

export type Acceptance = {
  events: readonly AcceptedEvent[];
  /**
   * The tokens of all events together. As a list in each event, Postgres would read them as JSON for every event, even
   * where there are none.
   */
  tokens: readonly EventToken[];
  /** All sealed payloads, one after the other. */
  payloads: Uint8Array;
  deliveries: readonly DeliveryToMake[];
  /** The token under which deliveries are offered. Without it they are due. */
  leaseToken: string | undefined;
  /** Whether to return the revisions of the endpoints. */
  withRevisions?: boolean | undefined;
  idempotencyHours: number;
};

/** One row for each delivery that was created, or one row for a stored event without deliveries. */
export type AcceptedRow = {
  id: string;
  /** Whether the routing still has the revision of the match; null for an event that was not matched. */
  isMatched: boolean | null;
  /** The present routing revision of its environment; null for an event that was not matched. */
  routingRevision: string | null;
} & (
  | {
      madeId: string;
      endpointId: string;
      isOffered: boolean;
      isDueNow: boolean;
      isPulled: boolean;
      dueInSeconds: number;
      /** The revision of the endpoint, if it was requested. */
      endpointRevision?: string;
    }
  | { madeId: null; endpointId: null; isOffered: null; isDueNow: null; isPulled: null; dueInSeconds: null }
);

/** An event with an ordering key or a time, in the form that `sql/accept-in-order.sql` reads. */
export type OrderedEvent = Omit<
  AcceptedEvent,
  'delay_seconds' | 'routing_revision' | 'payload_retention' | 'has_no_endpoint'
> & {
  ordering_key: string | undefined;
  /** As in ISO 8601. */
  deliver_at: string | undefined;
  /** Whether its time lies ahead. */
  is_scheduled: boolean;
};

/** One row for each stored event, and one for each event that was left out. */
type OrderedRow = {
  id: string;
  /**
   * The event is direct, and an earlier event of its key waits for its fan-out. So this event waits for fan-out, too.
   */
  isGated: boolean;
  /** Whether a direct delivery is due at its time. If not, it waits for its turn in its order, or for a consumer. */
  isDue: boolean;
  /**
   * The event was not stored, because too many scheduled events of its ordering key are taking their places at this
   * moment.
   */
  isLeftOut: boolean;
};

const ACCEPT = readStatement<AcceptedRow>('accept', { without: 'revision' });
const ACCEPT_WITH_REVISIONS = readStatement<AcceptedRow>('accept');
/** For a batch that creates no deliveries. */
const ACCEPT_ALONE = readStatement<AcceptedRow>('accept', { without: ['deliveries', 'revision'] });

const ACCEPT_IN_ORDER = readStatement<OrderedRow>('accept-in-order');
const ACCEPT_IN_ORDER_ALONE = readStatement<OrderedRow>('accept-in-order', { without: 'deliveries' });

/** The most due events of a key that take their places in the statement that accepts another event of the key. */
const DUE_OF_A_KEY = 20;

/**
 * Stores events without an ordering key and a time, and their deliveries, in one statement. It returns no row for a
 * used idempotency key.
 */
export function acceptEvents(db: Db | DbTransaction, given: Acceptance): Promise<AcceptedRow[]> {
  const { events, tokens, payloads, deliveries, leaseToken, idempotencyHours } = given;
  const makesSome = deliveries.length > 0 || events.some((event) => event.endpoint_id !== undefined);
  const { run } = !makesSome ? ACCEPT_ALONE : given.withRevisions ? ACCEPT_WITH_REVISIONS : ACCEPT;
  const values = [
    JSON.stringify(events),
    payloads,
    ...(makesSome ? [JSON.stringify(deliveries), leaseToken ?? null, OFFER_SECONDS] : [null, null, null]),
    idempotencyHours,
    ...toArrays(tokens),
  ];
  return retryConflicts(() => run(db, values));
}

/** The tokens and their event ids, as Postgres array literals. */
function toArrays(tokens: readonly EventToken[]): [string, string] {
  return [`{${tokens.map(({ token }) => token).join(',')}}`, `{${tokens.map(({ eventId }) => eventId).join(',')}}`];
}

/**
 * Stores events that have an ordering key or a time, in one statement. It returns no row for a used idempotency key.
 */
export function acceptInOrder(
  db: Db | DbTransaction,
  {
    events,
    tokens,
    payloads,
    idempotencyHours,
  }: Pick<Acceptance, 'tokens' | 'payloads' | 'idempotencyHours'> & { events: readonly OrderedEvent[] },
): Promise<OrderedRow[]> {
  const makesSome = events.some((event) => event.endpoint_id !== undefined);
  const { run } = makesSome ? ACCEPT_IN_ORDER : ACCEPT_IN_ORDER_ALONE;
  const values = [JSON.stringify(events), payloads, idempotencyHours, DUE_OF_A_KEY, ...toArrays(tokens)];
  return retryConflicts(() => run(db, values));
}
