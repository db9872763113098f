import { toId } from '@posthorn/contract/ids';
import type { OperationStatus } from '@posthorn/contract/operations';
import { z } from 'zod';

export type OperationRow = {
  id: string;
  endpointId: string | null;
  type: 'recovery' | 'retry' | 'cancel' | 'erasure' | 'search_index';
  status: OperationStatus;
  filter: unknown;
  matched: number;
  isCounted: boolean;
  enqueued: number;
  delivered: number;
  failed: number;
  error: string | null;
  createdAt: Date;
  updatedAt: Date;
  pausedAt: Date | null;
  finishedAt: Date | null;
};

export function presentOperation(row: OperationRow) {
  const { id, endpointId, filter, isCounted, matched, createdAt, updatedAt, pausedAt, finishedAt, ...shown } = row;
  return {
    ...shown,
    id: toId('op', id),
    endpointId: endpointId === null ? null : toId('ep', endpointId),
    filter: given.parse(filter),
    matched: isCounted ? matched : null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    pausedAt: finishedAt === null ? (pausedAt?.toISOString() ?? null) : null,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

const given = z.record(z.string(), z.unknown());
