import { namedEventType } from '@posthorn/contract/event-types';
import { toId, uuidTime } from '@posthorn/contract/ids';
import type { SealingKeys } from '@posthorn/crypto/seal';
import { readFaults } from '@posthorn/ingest/stored-faults';
import { ALL_LEFT_OUT } from '@posthorn/search/tokens';

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
  /** As ingestion stored it: see stored-faults.ts of packages/ingest. */
  schemaErrors: unknown;
  orderingKey: string | null;
  deliverAt: Date | null;
  searchLeftOut: number | null;
  source: unknown;
};

/** All columns of an event but its payload. */
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
  searchLeftOut: true,
  source: true,
} as const;

/**
 * The part of an event that is fixed when it is accepted. With `payloadKeys`, for a reader that may see payloads, the
 * faults name keys of the payload.
 */
export function presentAccepted(row: EventRow, payloadKeys: SealingKeys | undefined) {
  const id = toId('msg', row.id);
  return {
    id,
    ...namedEventType(row.eventType),
    environmentId: toId('env', row.environmentId),
    applicationId: row.applicationId === null ? null : toId('app', row.applicationId),
    endpointId: row.endpointId === null ? null : toId('ep', row.endpointId),
    idempotencyKey: row.idempotencyKey ?? id,
    orderingKey: row.orderingKey,
    deliverAt: row.deliverAt?.toISOString() ?? null,
    published: row.published,
    hasPayload: row.payloadSize > 0,
    isTest: row.isTest,
    searchable: row.searchLeftOut !== ALL_LEFT_OUT,
    schemaErrors: readFaults(row.schemaErrors, row.id, payloadKeys),
    createdAt: uuidTime(row.id).toISOString(),
  };
}
