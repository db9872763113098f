import type { Db } from '@posthorn/db/client';
import { readStatement } from './statement.ts';

/** Work that rounds of every dispatcher do. */
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
  | 'sources';

/** The seconds until the work is due, at most 0 when it is; null while there is none. */
export type DueWork = Record<Work, number | null>;

const statement = readStatement<DueWork>('due_work');

/** Reads how soon all work is due, by one short statement. */
export async function readDueWork(db: Db): Promise<DueWork> {
  const [row] = await statement.run(db, []);
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}
