import { Prisma } from '@posthorn/db/generated/client';

export type ClaimedEvent = {
  eventType: string | null;
  idempotencyKey: string | null;
  /** As the producer gave it. A delivery has one only where its endpoint is fifo. */
  orderingKey: string | null;
  contentType: string | null;
  /** The time of delivery that the producer gave; null if it gave none. */
  deliverAt: Date | null;
  /** Whether the payload was erased: then there is nothing to send. */
  isErased: boolean;
  /** Whether it has no retry: its payload is erased after the first attempt of each delivery. */
  hasOneAttempt: boolean;
  /** Sealed; null when the body was empty, was erased, or was left out. */
  payload: Uint8Array | null;
  /** The size of a sealed payload that the claim left out, because it is large; null if it was not left out. */
  leftOutBytes: number | null;
};

/**
 * A claim returns up to a hundred deliveries, and each keeps its payload until it is settled. So a larger payload is
 * left out, and is read when there is memory for it. Most payloads are smaller, and cost no further statement.
 */
export const MAX_CLAIMED_PAYLOAD_BYTES = 16_384;

/** Whether the payload of the event `e` was erased: it had one, and has none. */
export const IS_ERASED = Prisma.sql`(e.payload is null and e.payload_size > 0)`;

/**
 * Whether the event of this id has no retry: its payload is erased after the first attempt of each delivery. Without `offset 0`
 * a kept plan may read the whole table and hash it.
 */
export function hasOneAttempt(eventId: 'e.id' | 'd.event_id'): Prisma.Sql {
  return Prisma.sql`exists (select from short_payload s where s.event_id = ${Prisma.raw(eventId)} and s.has_one_attempt offset 0)`;
}

/** The columns of a claimed delivery's event `e`. To ask for the size of a payload does not read it. */
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

/** The event of a row, by its columns. */
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
