import { Prisma } from '@posthorn/db/generated/client';

export type ClaimedEvent = {
  eventType: string | null;
  idempotencyKey: string | null;
  /** The producer's ordering key. The delivery has one only at a fifo endpoint. */
  orderingKey: string | null;
  contentType: string | null;
  /** The delivery time that the producer gave; null if it gave none. */
  deliverAt: Date | null;
  /** Whether the payload was erased, so that there is nothing to send. */
  isErased: boolean;
  /** Whether the event is never retried, because its payload is erased after the first attempt of each delivery. */
  hasOneAttempt: boolean;
  /** The sealed payload; null if the body was empty, was erased, or was left out. */
  payload: Uint8Array | null;
  /** The size of a sealed payload that the claim left out because it is large; null if it was not left out. */
  leftOutBytes: number | null;
};

/**
 * A claim returns up to a hundred deliveries, and each keeps its payload until it is settled. A larger payload is left
 * out, and is read once there is memory for it. Most payloads are smaller, and need no further statement.
 */
export const MAX_CLAIMED_PAYLOAD_BYTES = 16_384;

/** Condition: the payload of the event `e` was erased, because it had one and has none now. */
export const IS_ERASED = Prisma.sql`(e.payload is null and e.payload_size > 0)`;

/**
 * Condition: the event with this id is never retried, because its payload is erased after the first attempt of each
 * delivery. Without `offset 0`, a kept plan may read the whole table and hash it.
 */
export function hasOneAttempt(eventId: 'e.id' | 'd.event_id'): Prisma.Sql {
  return Prisma.sql`exists (select from short_payload s where s.event_id = ${Prisma.raw(eventId)} and s.has_one_attempt offset 0)`;
}

/** The columns of a claimed delivery's event `e`. Computing the size of a payload does not read it. */
export const EVENT_COLUMNS = Prisma.sql`e.event_type, e.idempotency_key, e.ordering_key as event_ordering_key,
        e.content_type, e.deliver_at, ${IS_ERASED} as is_erased,
        ${hasOneAttempt('e.id')} as has_one_attempt,
        case when octet_length(e.payload) <= ${MAX_CLAIMED_PAYLOAD_BYTES}::int then e.payload end as payload,
        case when octet_length(e.payload) > ${MAX_CLAIMED_PAYLOAD_BYTES}::int then octet_length(e.payload) end as left_out_bytes`;

export type EventRow = {
  event_type: string | null;
  idempotency_key: string | null;
  event_ordering_key: string | null;
  content_type: string | null;
  deliver_at: Date | null;
  is_erased: boolean;
  has_one_attempt: boolean;
  payload: Uint8Array | null;
  left_out_bytes: number | null;
};

/** The event from a row's columns. */
export function toClaimedEvent(row: EventRow): ClaimedEvent {
  return {
    eventType: row.event_type,
    idempotencyKey: row.idempotency_key,
    orderingKey: row.event_ordering_key,
    contentType: row.content_type,
    deliverAt: row.deliver_at,
    isErased: row.is_erased,
    hasOneAttempt: row.has_one_attempt,
    payload: row.payload,
    leftOutBytes: row.left_out_bytes,
  };
}
