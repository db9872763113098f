import { toId, uuidTime } from '@posthorn/contract/ids';

export type EventRow = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  endpointId: string | null;
  eventType: string | null;
  idempotencyKey: string | null;
  payloadSize: number;
  published: boolean;
  isTest: boolean;
  /** A list of texts, as ingestion stored it. */
  schemaErrors: unknown;
  orderingKey: string | null;
  deliverAt: Date | null;
};

/** All but the payload. */
export const eventColumns = {
  id: true,
  environmentId: true,
  applicationId: true,
  endpointId: true,
  eventType: true,
  idempotencyKey: true,
  payloadSize: true,
  published: true,
  isTest: true,
  schemaErrors: true,
  orderingKey: true,
  deliverAt: true,
} as const;

/** The part of an event that is fixed when it is accepted. */
export function presentAccepted(row: EventRow) {
  const id = toId('msg', row.id);
  return {
    id,
    eventTypeName: row.eventType,
    environmentId: toId('env', row.environmentId),
    applicationId: row.applicationId === null ? null : toId('app', row.applicationId),
    endpointId: row.endpointId === null ? null : toId('ep', row.endpointId),
    idempotencyKey: row.idempotencyKey ?? id,
    orderingKey: row.orderingKey,
    deliverAt: row.deliverAt?.toISOString() ?? null,
    published: row.published,
    hasPayload: row.payloadSize > 0,
    isTest: row.isTest,
    schemaErrors: Array.isArray(row.schemaErrors) ? row.schemaErrors.map(String) : null,
    createdAt: uuidTime(row.id).toISOString(),
  };
}
