import { type DeliveryStatus, FAILURE_REASONS } from '@posthorn/contract/deliveries';
import { namedEventType } from '@posthorn/contract/event-types';
import { toId, uuidTime } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { createWaitingFor } from '@posthorn/ledger/ordering';
import { isBehindHead, isInLine, unmoved } from '@posthorn/ledger/waiting';
import { z } from 'zod';

export type DeliveryRow = {
  id: string;
  eventId: string;
  endpointId: string;
  eventType: string | null;
  isTest: boolean;
  status: DeliveryStatus;
  dueAt: Date | null;
  orderingKey: string | null;
  generation: number;
  totalAttempts: number;
  lastResponseStatus: number | null;
  failureReason: string | null;
  firstAttemptAt: Date | null;
  deliveredAt: Date | null;
  updatedAt: Date;
};

/** The columns of `delivery d` as a `DeliveryRow`. */
export const DELIVERY_COLUMNS: Prisma.Sql = Prisma.sql`d.id, d.event_id as "eventId", d.endpoint_id as "endpointId",
  d.event_type as "eventType", d.is_test as "isTest", d.status, d.due_at as "dueAt", d.ordering_key as "orderingKey",
  d.generation, d.total_attempts as "totalAttempts", d.last_response_status as "lastResponseStatus",
  d.failure_reason as "failureReason", d.first_attempt_at as "firstAttemptAt", d.delivered_at as "deliveredAt",
  d.updated_at as "updatedAt"`;

/** The event's columns in a delivery's answer. */
export type EventPart = { idempotencyKey: string | null; payloadSize: number };

type Presented = { event: EventPart | undefined; waitingFor: string | null; nextRetryAt: string | null };

/** Deliveries as the interface shows them, in order, each with the part of its event. */
export async function presentDeliveries<Row extends DeliveryRow>(
  db: Db | DbTransaction,
  rows: readonly Row[],
  eventOf: (row: Row) => EventPart | undefined,
) {
  const waitingFor = await createWaitingFor(db, rows);
  const nextRetryAt = await createNextRetryAt(db, rows);
  return rows.map((row) =>
    presentDelivery(row, { event: eventOf(row), waitingFor: waitingFor(row), nextRetryAt: nextRetryAt(row) }),
  );
}

export function presentDelivery(row: DeliveryRow, { event, waitingFor, nextRetryAt }: Presented) {
  return {
    id: toId('dlv', row.id),
    eventId: toId('msg', row.eventId),
    ...namedEventType(row.eventType),
    idempotencyKey: event?.idempotencyKey ?? toId('msg', row.eventId),
    endpointId: toId('ep', row.endpointId),
    status: row.status,
    failureReason: failureReason.parse(row.failureReason),
    totalAttempts: row.totalAttempts,
    lastResponseStatus: row.lastResponseStatus,
    firstAttemptAt: row.firstAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    nextRetryAt,
    waitingFor: waitingFor === null ? null : toId('dlv', waitingFor),
    hasPayload: (event?.payloadSize ?? 0) > 0,
    isTest: row.isTest,
    // The event's time, taken from the key, so that order, createdAt and retention agree.
    createdAt: uuidTime(row.id).toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const failureReason = z.enum(FAILURE_REASONS).nullable();

type DueRow = Pick<DeliveryRow, 'endpointId' | 'status' | 'dueAt' | 'generation'>;

/**
 * When the next attempt of each of the deliveries is due. A delivery in the line of its endpoint gets the time of the
 * line's next turn: its own turn comes then or later. Null for a fresh delivery, which is due at once, and for a
 * delivery that waits for another one of its ordering key.
 */
export async function createNextRetryAt(
  db: Pick<DbTransaction, 'endpointLine'>,
  rows: readonly DueRow[],
): Promise<(row: DueRow) => string | null> {
  const inLine = new Set(rows.filter(({ dueAt }) => isInLine(dueAt)).map(({ endpointId }) => endpointId));
  const lines = inLine.size === 0 ? [] : await db.endpointLine.findMany({ where: { endpointId: { in: [...inLine] } } });
  const nextTurn = new Map(lines.map(({ endpointId, nextAt }) => [endpointId, nextAt]));
  return ({ endpointId, status, dueAt, generation }) => {
    const turn = nextTurn.get(endpointId);
    if (turn !== undefined && isInLine(dueAt)) return turn.toISOString();
    // A line without turns: a consumer fetches the delivery.
    const due = dueAt !== null && isInLine(dueAt) ? unmoved(dueAt) : dueAt;
    const isMoved = status === 'scheduled_retry' || (status === 'pending' && generation > 0);
    return isMoved && !isBehindHead(due) ? (due?.toISOString() ?? null) : null;
  };
}
