import type { Db } from '@posthorn/db/client';
import { readStatement } from './statement.ts';

/** Work that the rounds of every dispatcher do. */
export type Work =
  | 'scheduledEvents'
  | 'lines'
  | 'operations'
  | 'consumerLeases'
  | 'operationalEvents'
  | 'raisedAlerts'
  | 'gatheredAlerts'
  | 'outgoingAlerts'
  | 'terminations'
  | 'shortPayloads'
  | 'endedOrders'
  | 'sources'
  // Work that exists only where rows are the queue, so that no job says that they are due.
  | 'waitingEvents'
  | 'dueDeliveries';

/** The seconds until each kind of work is due, at most 0 if it is due; null if there is none. */
export type DueWork = Record<Work, number | null>;

const WITH_ROWS = readStatement<DueWork>('due_work');
const WITHOUT_ROWS = readStatement<DueWork>('due_work', { without: 'rows' });

/** Where the open rows begin. */
export type From = { beforeEventId: string; dueAt: string };

/**
 * Reads how soon each kind of work is due, with one short statement. With `from`, includes the rows of events and
 * deliveries.
 */
export async function readDueWork(db: Db, from?: From): Promise<DueWork> {
  const [row] = await (from === undefined
    ? WITHOUT_ROWS.run(db, [])
    : WITH_ROWS.run(db, [from.beforeEventId, from.dueAt]));
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}
