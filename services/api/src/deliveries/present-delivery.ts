import { type DeliveryStatus, FAILURE_REASONS } from '@posthorn/contract/deliveries';
import { toId, uuidTime } from '@posthorn/contract/ids';
import { z } from 'zod';

export type DeliveryRow = {
  id: string;
  eventId: string;
  endpointId: string;
  eventType: string | null;
  isTest: boolean;
  status: DeliveryStatus;
  dueAt: Date | null;
  generation: number;
  totalAttempts: number;
  lastResponseStatus: number | null;
  failureReason: string | null;
  firstAttemptAt: Date | null;
  deliveredAt: Date | null;
  updatedAt: Date;
};

/** The event's columns in a delivery's answer. */
export type EventPart = { idempotencyKey: string | null; payloadSize: number };

export function presentDelivery(row: DeliveryRow, event: EventPart | undefined) {
  return {
    id: toId('dlv', row.id),
    eventId: toId('msg', row.eventId),
    eventTypeName: row.eventType,
    idempotencyKey: event?.idempotencyKey ?? toId('msg', row.eventId),
    endpointId: toId('ep', row.endpointId),
    status: row.status,
    failureReason: failureReason.parse(row.failureReason),
    totalAttempts: row.totalAttempts,
    lastResponseStatus: row.lastResponseStatus,
    firstAttemptAt: row.firstAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    nextRetryAt: nextRetryAt(row),
    hasPayload: (event?.payloadSize ?? 0) > 0,
    isTest: row.isTest,
    // The event's time, taken from the key, so that order, createdAt and retention agree.
    createdAt: uuidTime(row.id).toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const failureReason = z.enum(FAILURE_REASONS).nullable();

/** Shown only when the due time was ever moved; a fresh delivery is simply due. */
export function nextRetryAt({
  status,
  dueAt,
  generation,
}: Pick<DeliveryRow, 'status' | 'dueAt' | 'generation'>): string | null {
  const waits = status === 'scheduled_retry' || (status === 'pending' && generation > 0);
  return waits ? (dueAt?.toISOString() ?? null) : null;
}
